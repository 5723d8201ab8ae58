import HaloProtocol

extension Capture {
    /// Reads a capture from a file.
    ///
    /// A recording, whose first line is its version, may have been cut off within its last line,
    /// as the end of a program cuts it off: then that line is left out. ``CaptureReader`` says
    /// how much that was, and keeps what stands before an error.
    public init(contentsOf path: String) throws(CaptureFileError) {
        var reader = CaptureReader()
        try reader.read(contentsOf: path)
        do throws(CaptureError) {
            self = try reader.finishCutOff().capture
        } catch {
            throw CaptureFileError(error, in: path)
        }
    }

    /// Writes the capture to a file, which appears under its name when it is whole.
    public func write(to path: String) throws(FileError) {
        var file = try FileOutput(path)
        var writer = CaptureWriter()
        for line in lines {
            writer.put(line)
            if writer.pendingCount >= FileInput.pieceLength { try writer.take(into: &file) }
        }
        try writer.take(into: &file)
        try file.commit()
    }
}

extension CaptureReader {
    /// Takes in the bytes of a file; whether they may have been cut off is for who finishes.
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
    /// Writes what nobody took yet to a file.
    public mutating func take(into file: inout FileOutput) throws(FileError) {
        try takeBytes { (bytes) throws(FileError) in try file.write(bytes) }
    }
}

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
