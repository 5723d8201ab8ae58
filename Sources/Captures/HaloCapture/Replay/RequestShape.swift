import HaloProtocol

/// The part of a request to a ring that does not depend on its arguments.
///
/// The shape consists of the command and its choices, such as read or write, or a quantity, and of
/// the day whose stored values are requested. Other dates, times, numbers and names are arguments.
package struct RequestShape: Hashable, Sendable {
    let channel: CaptureChannel
    let code: UInt8
    /// The leading codes of the payload.
    let choices: [UInt8]
    /// The day whose stored values are requested, counted back from today or on from 1970; `nil`
    /// for other requests. The values of another day are no reply: they would tell a false date.
    let day: UInt64?
    /// The numbers among the request's arguments, for the distance to another request.
    package let arguments: [UInt64]

    /// The maximum number of choices after the opcode, in bytes.
    private static let choiceCount = 2

    /// Creates the shape of a whole frame or record; `nil` if it cannot be decoded.
    package init?(_ channel: CaptureChannel, _ bytes: [UInt8]) {
        guard let kind = channel.packetKind, channel == .uart || channel == .bigData else {
            return nil
        }
        let explanation = Explanation(of: bytes, as: kind, direction: .toDevice)
        let start = channel == .uart ? 1 : BigDataFrame.headerLength
        let codeIndex = channel == .uart ? 0 : 1
        guard explanation.status == .decoded, codeIndex < bytes.count else { return nil }
        self.channel = channel
        code = bytes[codeIndex]
        var choices: [UInt8] = []
        for field in explanation.fields where field.offset == start + choices.count {
            guard choices.count < Self.choiceCount, let choice = Self.choice(field) else { break }
            choices.append(choice)
        }
        self.choices = choices
        day = Self.day(explanation)
        arguments = explanation.fields.compactMap { field in
            guard field.role == .value, case .integer(let value) = field.value else { return nil }
            return value
        }
    }

    package func distance(to other: RequestShape) -> UInt64 {
        var sum: UInt64 = 0
        for (one, another) in zip(arguments, other.arguments) {
            sum = sum.addingReportingOverflow(max(one, another) - min(one, another)).partialValue
        }
        return sum
    }

    /// Returns `true` if two requests differ in their arguments only.
    package static func == (left: RequestShape, right: RequestShape) -> Bool {
        left.channel == right.channel && left.code == right.code && left.choices == right.choices
            && left.day == right.day
    }

    private static func day(_ request: Explanation) -> UInt64? {
        for field in request.fields {
            guard case .integer(let value) = field.value else { continue }
            if field.name == "daysAgo" { return value }
            if field.name == "time", request.packet?.subject == HeartRateLog.name {
                return value / 86_400
            }
        }
        return nil
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(channel)
        hasher.combine(code)
        hasher.combine(choices)
        hasher.combine(day)
    }

    /// Returns the byte of a field with named values; `nil` for a number.
    private static func choice(_ field: DecodedField) -> UInt8? {
        guard field.length == 1, field.role == .value || field.role == .structure,
            case .integer(let value) = field.value,
            field.meaning.unicodeScalars.first.map({ !("0"..."9").contains($0) }) ?? false
        else { return nil }
        return UInt8(truncatingIfNeeded: value)
    }
}
