public import HaloCapture

/// The reason why a capture cannot be exported.
public struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error as one sentence.
    public let description: String
    /// The reason why the file cannot be written; `nil` if the error is of the capture.
    public let file: FileError?

    static let tooManyAttributes = ExportError(
        "a device has more characteristics than a connection has handles.")
    static let tooManyLinks = ExportError(
        "there are more than \(CaptureExporter.maximumLinkCount) names of connections.")

    private init(_ description: String) {
        self.description = description
        file = nil
    }

    package init(_ file: FileError) {
        description = "\(file)"
        self.file = file
    }
}
