/// A parsing error of text, such as a UUID or a version.
public struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of text that was expected, such as `UUID`.
    public let subject: FieldName
    public let expected: FieldName
    /// The offset of the error in bytes of UTF-8.
    public let offset: Int

    package init(_ subject: FieldName, expected: FieldName, at offset: Int) {
        self.subject = subject
        self.expected = expected
        self.offset = offset
    }

    /// The error in one sentence.
    public var description: String { "\(subject) at character \(offset): expected \(expected)." }
}
