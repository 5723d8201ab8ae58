import HaloProtocol

/// Why a file is not a capture: because it cannot be read, or because of what stands in it.
public struct CaptureFileError: Error, Hashable, Sendable {
    /// The file.
    public let path: String
    /// Why the file cannot be read; nothing if it can.
    public let file: FileError?
    /// What is wrong in it, with line and column; nothing if it could not be read.
    public let capture: CaptureError?

    /// A file that cannot be read.
    public init(_ file: FileError) {
        path = file.path
        self.file = file
        capture = nil
    }

    /// A file with something wrong in it.
    public init(_ capture: CaptureError, in path: String) {
        self.path = path
        file = nil
        self.capture = capture
    }
}

extension CaptureFileError: CustomStringConvertible {
    /// One sentence, with the file before it, and line and column where they are known; safe for
    /// a terminal.
    public var description: String {
        if let file { return "\(file)" }
        let words = capture.map { ":\($0)" } ?? ""
        return "\(PrintableText.quoted(path.utf8))\(words)"
    }
}
