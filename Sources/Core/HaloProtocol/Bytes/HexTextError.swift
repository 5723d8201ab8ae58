/// An error of hexadecimal text.
public struct HexTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error; further kinds may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let words: FieldName

        /// The kind in words.
        public var description: String { words.description }

        public static let notADigit = Kind(words: "no hexadecimal digit")
        public static let halfAByte = Kind(words: "half a byte")
    }

    public let kind: Kind
    /// The 1-based position of the character, in bytes of UTF-8.
    public let column: Int
    /// The byte of the text at that position, or `nil` at the end of the text.
    public let found: UInt8?

    /// The error in one sentence.
    public var description: String {
        let found = found.map { PrintableText.quoted(CollectionOfOne($0)) } ?? "the end"
        return kind == .halfAByte
            ? "column \(column): a byte has two digits, found \(found) after the first."
            : "column \(column): expected a hexadecimal digit, found \(found)."
    }
}
