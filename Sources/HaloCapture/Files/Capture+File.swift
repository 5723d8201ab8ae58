import HaloProtocol

extension Capture {
    /// Reads a capture from a file.
    ///
    /// A recording, which begins with its version, may have been cut off within its last line when
    /// its program was killed. Then that line is left out. ``CaptureReader`` returns the number of
    /// bytes left out, and keeps the lines before an error.
    public init(contentsOf path: String) throws(CaptureFileError) {
        var reader = CaptureReader()
        try reader.read(contentsOf: path)
        do throws(CaptureError) {
            self = try reader.finishCutOff().capture
        } catch {
            throw CaptureFileError(error, in: path)
        }
    }

    /// Writes the capture to a file, which appears under its name once it is complete.
    public func write(to path: String) throws(FileError) {
        var file = try FileOutput(path)
        var writer = CaptureWriter()
        for line in lines {
            writer.put(line)
            if writer.pendingCount >= FileInput.pieceLength { try writer.drain(into: &file) }
        }
        try writer.drain(into: &file)
        try file.commit()
    }
}

extension CaptureReader {
    /// Reads the bytes of a file. The caller must then finish the reader.
    public mutating func read(contentsOf path: String) throws(CaptureFileError) {
        do throws(FileReadingError<CaptureError>) {
            try FileInput.readPieces(of: path) { (bytes) throws(CaptureError) in
                try read(bytes)
            }
        } catch {
            switch error {
            case .file(let error): throw CaptureFileError(error)
            case .content(let error): throw CaptureFileError(error, in: path)
            }
        }
    }
}

extension CaptureWriter {
    /// Writes the pending text to a file.
    public mutating func drain(into file: inout FileOutput) throws(FileError) {
        try drainBytes { (bytes) throws(FileError) in try file.write(bytes) }
    }
}

/// An error of a capture file: the file cannot be read, or its text is not a capture.
public struct CaptureFileError: Error, Hashable, Sendable {
    /// The path of the file; escaped if it is no UTF-8.
    public var path: String { location.text }
    /// The error of a file that cannot be read, otherwise `nil`.
    public let file: FileError?
    /// The error in the text of the file; `nil` if the file cannot be read.
    public let capture: CaptureError?

    /// The path of the file, as the system has it.
    private let location: FilePath

    /// Creates the error of a file that cannot be read.
    package init(_ file: FileError) {
        location = file.location
        self.file = file
        capture = nil
    }

    /// Creates the error of a file whose text is not a capture.
    package init(_ capture: CaptureError, in path: String) {
        self.init(capture, in: FilePath(path))
    }

    /// Creates the error of a file whose text is not a capture.
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
