import HaloProtocol

/// What two requests to a ring have in common that differ in their arguments only.
///
/// The command is the same, and so is what is to be done: a reading is no write, and one quantity
/// is not another. Dates, times, numbers and names may differ.
package struct RequestShape: Hashable, Sendable {
    let channel: CaptureChannel
    let code: UInt8
    /// The codes that stand before all other arguments.
    let choices: [UInt8]
    /// The numbers among its arguments: they tell how near another request is.
    package let arguments: [UInt64]

    /// How many bytes behind the opcode can say what is to be done.
    private static let choiceCount = 2

    /// The shape of a whole frame or record; nothing for what this package cannot read.
    package init?(_ channel: CaptureChannel, _ bytes: [UInt8]) {
        guard let kind = channel.packetKind, channel == .uart || channel == .bigData else {
            return nil
        }
        let explanation = Explanation(of: bytes, as: kind, direction: .toDevice)
        let start = channel == .uart ? 1 : BigDataFrame.headerLength
        let place = channel == .uart ? 0 : 1
        guard explanation.status == .decoded, place < bytes.count else { return nil }
        self.channel = channel
        code = bytes[place]
        var choices: [UInt8] = []
        for field in explanation.fields where field.offset == start + choices.count {
            guard choices.count < Self.choiceCount, let choice = Self.choice(field) else { break }
            choices.append(choice)
        }
        self.choices = choices
        arguments = explanation.fields.compactMap { field in
            guard field.role == .value, case .integer(let value) = field.value else { return nil }
            return value
        }
    }

    /// How far apart the arguments of two requests are.
    package func distance(to other: RequestShape) -> UInt64 {
        var sum: UInt64 = 0
        for (one, another) in zip(arguments, other.arguments) {
            sum = sum.addingReportingOverflow(max(one, another) - min(one, another)).partialValue
        }
        return sum
    }

    /// Requests of one shape differ in their arguments only.
    package static func == (left: RequestShape, right: RequestShape) -> Bool {
        left.channel == right.channel && left.code == right.code && left.choices == right.choices
    }

    /// Hashes what requests of one shape have in common.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(channel)
        hasher.combine(code)
        hasher.combine(choices)
    }

    /// The byte of a field that chooses among things with names; numbers have none.
    private static func choice(_ field: DecodedField) -> UInt8? {
        guard field.length == 1, field.role == .value || field.role == .structure,
            case .integer(let value) = field.value,
            field.meaning.unicodeScalars.first.map({ !("0"..."9").contains($0) }) ?? false
        else { return nil }
        return UInt8(truncatingIfNeeded: value)
    }
}
