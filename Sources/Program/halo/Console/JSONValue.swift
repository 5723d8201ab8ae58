import HaloCapture

/// A value of JSON, in the forms that the program's output needs. What is `nil` becomes `null`.
indirect enum JSONValue: Sendable {
    case string(String?)
    case integer(UInt64?)
    case boolean(Bool?)
    /// A number with decimals; one that is not finite becomes `null`.
    case decimal(Double?)
    case array([JSONValue])
    case object(Members?)

    /// The members of an object, in the order of the output.
    typealias Members = [(key: String, value: JSONValue)]

    /// The largest number that every reader of JSON keeps exactly.
    static let largestExactNumber: UInt64 = 1 << 53

    /// A whole number; a negative one becomes 0.
    static func number(_ number: (some BinaryInteger)?) -> JSONValue {
        .integer(number.map { UInt64(clamping: $0) })
    }

    static func strings(_ strings: some Sequence<String>) -> JSONValue {
        .array(strings.map { .string($0) })
    }

    static func objects<Element>(
        _ elements: some Sequence<Element>, _ members: (Element) -> Members
    ) -> JSONValue {
        .array(elements.map { .object(members($0)) })
    }

    static func row(_ type: String, _ members: Members) -> String {
        object([("type", .string(type))] + members).line + "\n"
    }

    var line: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .string(let string?): Self.append(string, to: &text)
        case .integer(let number?): text += "\(number)"
        case .boolean(let isTrue?): text += isTrue ? "true" : "false"
        case .decimal(let number?) where number.isFinite:
            text +=
                number == number.rounded() && abs(number) < 1e15
                ? "\(Int(number))" : "\(number)"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.append(to: &text)
            }
            text += "]"
        case .object(let members?):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.append(member.key, to: &text)
                text += ":"
                member.value.append(to: &text)
            }
            text += "}"
        case .string, .integer, .boolean, .decimal, .object: text += "null"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        // Most text is ASCII that stands for itself.
        let isPlain = string.utf8.allSatisfy { byte in
            0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        if isPlain {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.controlsTerminal:
                // Scalars beyond 16 bits become a surrogate pair.
                for unit in UTF16.encode(scalar) ?? .init() {
                    text += "\\u" + String(unit, radix: 16).rightAligned(4, filler: "0")
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
