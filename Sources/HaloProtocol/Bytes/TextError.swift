/// Text is not what it was taken for: a UUID, a version.
public struct TextError: Error, Hashable, Sendable {
    /// What the text should have been.
    public let subject: FieldName
    /// What should have stood there.
    public let expected: FieldName
    /// Where, counted in UTF-8 bytes from the start of the text.
    public let offset: Int

    /// Says what should have stood at an offset.
    public init(_ subject: FieldName, expected: FieldName, at offset: Int) {
        self.subject = subject
        self.expected = expected
        self.offset = offset
    }
}

extension TextError: CustomStringConvertible {
    /// One sentence.
    public var description: String { "\(subject) at character \(offset): expected \(expected)." }
}
