extension Capture {
    /// Reads a capture from a file.
    ///
    /// A recording, which begins with its version, may have been cut off within its last line when
    /// its program was killed. Then that line is left out. ``CaptureReader`` returns the number of
    /// bytes left out, and keeps the lines before an error.
    public init(contentsOf path: String) throws(CaptureFileError) {
        var reader = CaptureReader()
        try reader.read(contentsOf: path)
        let location = FilePath(path)
        self = try mapError({ CaptureFileError($0, in: location) }) { () throws(CaptureError) in
            try reader.finishCutOff().capture
        }
    }

    /// Writes the capture to a file, which appears under its name once it is complete.
    public func write(to path: String) throws(FileError) {
        var file = try FileOutput(path)
        try file.write(text.utf8)
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
            case .content(let error): throw CaptureFileError(error, in: FilePath(path))
            }
        }
    }
}
