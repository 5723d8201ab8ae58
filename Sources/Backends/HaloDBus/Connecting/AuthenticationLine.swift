#if os(Linux)
internal import HaloProtocol

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

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        HexText.bytes(bytes).lowercased()
    }

    /// Returns the bytes of pairs of digits, or `nil` if there is anything else.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ HexText.value(ofDigit: $0) != nil }) else { return nil }
        return try? HexText.parse(text)
    }
}
#endif
