/// Why a capture cannot be exported.
public struct ExportError: Error, Hashable, Sendable {
    /// What is the matter; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let words: String

        /// A device has more characteristics than there are handles for them.
        public static let tooManyAttributes = Kind(
            words: "a device has more characteristics than a connection has handles")
        /// There are more connections by name than are kept apart.
        public static let tooManyLinks = Kind(
            words: "there are more than \(CaptureExporter.maximumLinkCount) names of connections")
    }

    /// What is the matter.
    public let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }
}

extension ExportError: CustomStringConvertible {
    /// One sentence.
    public var description: String { "\(kind.words)." }
}
