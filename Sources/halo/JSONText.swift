import HaloCapture

/// Writes JSON: as much of it as the program's output needs.
enum JSONText {
    /// A value.
    indirect enum Value {
        case string(String)
        case number(UInt64)
        case boolean(Bool)
        case null
        case array([Value])
        case object([(key: String, value: Value)])
    }

    /// The largest number that every reader of JSON keeps exactly.
    static let largestExactNumber: UInt64 = 1 << 53

    /// The value on one line.
    static func text(_ value: Value) -> String {
        var text = ""
        append(value, to: &text)
        return text
    }

    private static func append(_ value: Value, to text: inout String) {
        switch value {
        case .string(let string): append(string, to: &text)
        case .number(let number): text += "\(number)"
        case .boolean(let isTrue): text += isTrue ? "true" : "false"
        case .null: text += "null"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                append(value, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                append(member.key, to: &text)
                text += ":"
                append(member.value, to: &text)
            }
            text += "}"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.isSteering:
                // Some lie beyond 16 bits, and are written as two numbers.
                for unit in UTF16.encode(scalar) ?? .init() {
                    let hex = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
