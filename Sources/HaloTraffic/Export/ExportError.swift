public import HaloCapture

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
        /// The file cannot be written.
        public static let file = Kind(words: "the file cannot be written")
    }

    /// What is the matter.
    public let kind: Kind
    /// Why the file cannot be written, if that is the matter.
    public let file: FileError?

    init(_ kind: Kind) {
        self.kind = kind
        file = nil
    }

    init(_ file: FileError) {
        kind = .file
        self.file = file
    }
}

extension ExportError: CustomStringConvertible {
    /// One sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)." }
}

extension ExportError.Kind: CustomStringConvertible {
    /// What is the matter.
    public var description: String { words }
}
