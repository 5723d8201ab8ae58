public import Foundation
public import HaloCapture
public import HaloTraffic

extension Capture {
    /// Reads a capture from a file.
    ///
    /// If a recording was cut off within its last line, that line is left out.
    public init(contentsOf url: URL) throws(CaptureFileError) {
        let path: String
        do throws(FileError) {
            path = try url.path(for: .open)
        } catch {
            throw CaptureFileError(error)
        }
        try self.init(contentsOf: path)
    }

    /// Writes the capture to a file, which appears under its name once it is complete.
    public func write(to url: URL) throws(FileError) {
        try write(to: url.path(for: .create))
    }

    /// Imports a conversation from a file of traffic of any `TrafficFormat`, also in gzip or in a
    /// ZIP archive.
    ///
    /// The whole file is held in memory; `CaptureImporter` reads large files in pieces.
    public init(
        importing url: URL, _ options: ImportOptions = ImportOptions()
    ) throws(FileReadingError<TrafficError>) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: url.path(for: .open)))
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .file(
                FileError(
                    .open, url.path(percentEncoded: false), reason: error.localizedDescription))
        }
        do throws(TrafficError) {
            try self.init(importing: bytes, options)
        } catch {
            throw .content(error)
        }
    }

    /// Writes the capture to a file for Wireshark or `btmon`, which appears once it is complete.
    public func export(as format: ExportFormat, to url: URL) throws(ExportError) {
        let path: String
        do throws(FileError) {
            path = try url.path(for: .create)
        } catch {
            throw ExportError(error)
        }
        try export(as: format, to: path)
    }
}

extension URL {
    /// Returns the path of a file; throws for a URL of another scheme.
    fileprivate func path(for operation: FileError.Operation) throws(FileError) -> String {
        guard isFileURL else {
            throw FileError(operation, absoluteString, reason: "it is not the URL of a file")
        }
        return path(percentEncoded: false)
    }
}
