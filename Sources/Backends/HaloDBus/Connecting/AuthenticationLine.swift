#if os(Linux)
/// One line of the authentication; encodes and decodes hexadecimal digits.
struct AuthenticationLine {
    /// The maximum length of a line in bytes.
    static let longest = 1 << 14
    private static let end = Array("\r\n".utf8)
    private var bytes: [UInt8] = []

    /// Receives one byte; returns the words of the line with its last byte, and `nil` before.
    mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> [String]? {
        guard byte != 0, byte < 0x80 else { throw .unexpected }
        bytes.append(byte)
        guard byte == UInt8(ascii: "\n"), bytes.dropLast().last == UInt8(ascii: "\r") else {
            guard bytes.count < Self.longest else { throw .lineTooLong }
            return nil
        }
        let words = bytes.dropLast(2).split(separator: UInt8(ascii: " "))
        bytes = []
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    static func encode(_ words: String) -> [UInt8] { Array(words.utf8) + end }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }
        return String(decoding: text, as: UTF8.self)
    }

    static func bytes(hexadecimal text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let high = rest.popFirst() {
            guard let low = rest.popFirst(), let high = digit(high), let low = digit(low) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
#endif
