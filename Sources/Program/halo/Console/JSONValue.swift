import HaloProtocol

/// A value that JSON can have: a text, a number, a truth value, an array or a ``JSONObject``. What
/// is `nil` becomes `null`.
protocol JSONValue: Sendable {
    func appendJSON(to text: inout String)
}

/// A whole number; a negative one becomes 0.
extension JSONValue where Self: BinaryInteger {
    func appendJSON(to text: inout String) { text += "\(UInt64(clamping: self))" }
}

extension Int: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt64: JSONValue {}

extension Bool: JSONValue {
    func appendJSON(to text: inout String) { text += self ? "true" : "false" }
}

/// A number with decimals; one that is not finite becomes `null`.
extension Double: JSONValue {
    func appendJSON(to text: inout String) {
        guard isFinite else { return text += "null" }
        text += self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)"
    }
}

extension Optional: JSONValue where Wrapped: JSONValue {
    func appendJSON(to text: inout String) {
        if let self { self.appendJSON(to: &text) } else { text += "null" }
    }
}

extension Array: JSONValue where Element: JSONValue {
    func appendJSON(to text: inout String) {
        text += "["
        for (index, value) in enumerated() {
            if index > 0 { text += "," }
            value.appendJSON(to: &text)
        }
        text += "]"
    }
}

extension String: JSONValue {
    func appendJSON(to text: inout String) {
        text += "\""
        defer { text += "\"" }
        // Most text is ASCII that stands for itself.
        let isPlain = utf8.allSatisfy { byte in
            0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        if isPlain {
            text += self
            return
        }
        PrintableText.forEachScalar(of: self) { scalar, isPrintable in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where isPrintable: text.unicodeScalars.append(scalar)
            default: PrintableText.appendJSONEscape(scalar, to: &text)
            }
        }
    }
}
