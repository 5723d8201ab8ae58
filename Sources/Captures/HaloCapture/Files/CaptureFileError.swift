/// An error of a capture file: the file cannot be read, or its text is not a capture.
public struct CaptureFileError: Error, Hashable, Sendable {
    /// The path of the file; escaped if it is not UTF-8.
    public var path: String { location.text }
    /// The error of a file that cannot be read, otherwise `nil`.
    public let file: FileError?
    /// The error in the text of the file; `nil` if the file cannot be read.
    public let capture: CaptureError?

    private let location: FilePath

    package init(_ file: FileError) {
        location = file.location
        self.file = file
        capture = nil
    }

    package init(_ capture: CaptureError, in path: FilePath) {
        location = path
        file = nil
        self.capture = capture
    }
}

extension CaptureFileError: CustomStringConvertible {
    /// One sentence, preceded by the file and, if known, by line and column; safe for a terminal.
    public var description: String {
        if let file { return "\(file)" }
        let words = capture.map { ":\($0)" } ?? ""
        return "\(location.quoted)\(words)"
    }
}
