import HaloCapture
import HaloProtocol
import HaloTraffic

/// Reads a capture twice, first for what is in it, and writes it in another format.
struct CaptureFileExport {
    /// How many lines were read.
    private(set) var lineCount = 0
    /// How many bytes were written.
    private(set) var byteCount = 0
    /// How many lines say nothing that can be written.
    private(set) var omissionCount = 0
    /// Whether there is a file now.
    private(set) var isWritten = false
    /// What went wrong, if anything did.
    private(set) var error: String?

    private var exporter: CaptureExporter

    private static let pieceLength = 1 << 18

    init(_ format: ExportFormat) {
        exporter = CaptureExporter(format)
    }

    /// Does it; what stands before an error in the capture is exported all the same.
    mutating func run(from input: String, to path: String) {
        var place = 0
        do {
            _ = try read(input) { (line) throws(ExportError) in
                place = line.number
                try exporter.foresee(line)
            }
            var file = try FileOutput(path)
            let fault = try read(input) { (line) throws(any Error) in
                place = line.number
                try exporter.put(line)
                lineCount = line.number
                if exporter.pendingCount >= Self.pieceLength { try write(to: &file) }
            }
            try exporter.finish()
            try write(to: &file)
            try file.commit()
            isWritten = true
            omissionCount = exporter.omissionCount
            error = fault.map { "\($0)" }
        } catch let error as ExportError {
            self.error = "\(PrintableText.quoted(input.utf8)):\(place): \(error)"
        } catch {
            self.error = "\(error)"
        }
    }

    private mutating func write(to file: inout FileOutput) throws(FileError) {
        try file.write(exporter.take())
        byteCount = file.length
    }

    /// Hands the lines of a file on, and answers with what is wrong in it.
    private func read(
        _ path: String, _ take: (TimedLine) throws -> Void
    ) throws -> CaptureFileError? {
        var file = try FileInput(path)
        var reader = CaptureLineReader()
        var isOpen = true
        while isOpen {
            do throws(FileReadingError<CaptureError>) {
                isOpen = try file.readPiece { (bytes) throws(CaptureError) in
                    try reader.read(bytes)
                }
                if !isOpen { try finish(&reader) }
            } catch {
                while let line = reader.next() { try take(line) }
                switch error {
                case .file(let error): return CaptureFileError(error)
                case .content(let error): return CaptureFileError(error, in: path)
                }
            }
            while let line = reader.next() { try take(line) }
        }
        return nil
    }

    private func finish(
        _ reader: inout CaptureLineReader
    ) throws(FileReadingError<CaptureError>) {
        do throws(CaptureError) {
            _ = try reader.finishCutOff()
        } catch {
            throw .content(error)
        }
    }
}
