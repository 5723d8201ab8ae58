public import HaloCapture

/// The reason why a capture cannot be exported.
public struct ExportError: Error, Hashable, Sendable {
    /// A kind of error; more may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The error in words.
        public let description: String

        /// A device has more characteristics than handles.
        public static let tooManyAttributes = Kind(
            description: "a device has more characteristics than a connection has handles")
        /// There are more named connections than are supported.
        public static let tooManyLinks = Kind(
            description:
                "there are more than \(CaptureExporter.maximumLinkCount) names of connections")
        /// The file cannot be written.
        public static let file = Kind(description: "the file cannot be written")
    }

    /// The kind of error.
    public let kind: Kind
    /// The reason why the file cannot be written.
    public let file: FileError?

    init(_ kind: Kind) {
        self.kind = kind
        file = nil
    }

    package init(_ file: FileError) {
        kind = .file
        self.file = file
    }
}

extension ExportError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)." }
}
