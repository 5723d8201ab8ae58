public import HaloProtocol

/// A characteristic's UUID as a capture writes it.
public struct ChannelUUID: Hashable, Sendable, CustomStringConvertible {
    /// Four digits, or thirty-two in five groups, in capitals.
    public let description: String

    /// Reads four digits, or thirty-two in five groups, in either case.
    public init(_ text: String) throws(ValueError) {
        try self.init(Array(text.utf8)[...])
    }

    init(unchecked text: String) {
        description = text
    }

    init(_ text: ArraySlice<UInt8>) throws(ValueError) {
        guard text.count == 4 || text.count == 36 else {
            throw ValueError("length", allowed: 36...36, found: Int64(text.count))
        }
        for (index, character) in text.enumerated() {
            let isDash = text.count == 36 && [8, 13, 18, 23].contains(index)
            let isRight =
                isDash
                ? character == UInt8(ascii: "-") : HexText.value(ofDigit: character) != nil
            guard isRight else {
                throw ValueError("character", allowed: 0...15, found: Int64(character))
            }
        }
        description = String(decoding: text, as: UTF8.self).uppercased()
    }
}
