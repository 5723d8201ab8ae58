import HaloCapture
import HaloProtocol
import HaloTraffic

/// `halo export`: writes a capture as a file for Wireshark and `btmon`.
struct ExportVerb: Verb {
    private let input: String
    private let output: String
    private let format: ExportFormat
    private var isJSON = false

    static let name = "export"
    static let summary = "writes a capture as a file for Wireshark and btmon"

    static let synopsis = "halo export FILE --as FORMAT --out FILE [--json]"

    private static let formats = ExportFormat.allCases.map(\.rawValue)

    static let details = """
        Writes a capture as the file that the app's host would have recorded: connections,
        discovery of services, and every value. Handles, and other details that a capture does not
        have, are made up as a host does it.

          --as FORMAT   one of: \(formats.joined(separator: " "))
                        Wireshark reads all of them, btmon reads btsnoop
          --out FILE    the file to write; it appears when it is whole
          --json        one JSON object: input, output, format, lines, bytes, omitted, error

        Exit status: 0 if the file was written; 1 if nothing could be written, or the capture has
        an error, in which case the lines before it are written; 2 for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var output: String?
        var format: ExportFormat?
        while let option = try arguments.next() {
            switch option {
            case "--as":
                format = try arguments.value(
                    of: option, from: Self.formats, ExportFormat.init(rawValue:))
            case "--out": output = try arguments.value(of: option)
            case "--json": isJSON = true
            default: throw .unknown(option)
            }
        }
        input = try arguments.file()
        guard let output else { throw .wrongUsage("--out FILE is missing") }
        try ArgumentReader.check(output, differsFrom: input)
        guard let format else { throw .wrongUsage("--as FORMAT is missing") }
        (self.output, self.format) = (output, format)
    }

    func run(_ console: inout Console) -> ExitStatus {
        var export = FileExport(format)
        export.run(from: input, to: output, &console)
        report(export, &console)
        return export.problem == nil ? .success : .foundFault
    }

    private func report(_ export: FileExport, _ console: inout Console) {
        if isJSON {
            console.write(
                .object([
                    ("input", .string(input)),
                    ("output", export.isWritten ? .string(output) : .null),
                    ("format", .string(format.rawValue)), ("lines", .number(export.lineCount)),
                    ("bytes", .number(export.byteCount)),
                    ("omitted", .number(export.omissionCount)), ("error", .text(export.problem)),
                ]))
            return
        }
        if let problem = export.problem { console.report(problem) }
        guard export.isWritten else { return }
        console.write(
            "\(export.lineCount) lines of the capture, \(export.byteCount) bytes in "
                + "\(output.printable)\n")
        if export.omissionCount > 0 {
            console.write(
                "\(export.omissionCount) of the lines were left out: they acknowledge, refuse or "
                    + "confirm a request that is not in the capture\n")
        }
    }
}

/// An export of a capture, which is read twice: first to find out its connections and
/// characteristics, then to write them.
private struct FileExport {
    private(set) var lineCount = 0
    private(set) var byteCount = 0
    /// The number of lines that cannot be written in the format.
    private(set) var omissionCount = 0
    private(set) var isWritten = false
    /// The error, as one sentence with its position.
    private(set) var problem: String?

    private var exporter: CaptureExporter

    private static let pieceLength = 1 << 18

    init(_ format: ExportFormat) {
        exporter = CaptureExporter(format)
    }

    /// Reads the capture and writes the file. The lines before an error are exported, too.
    mutating func run(from input: String, to output: String, _ console: inout Console) {
        let capture = InputFile(path: input)
        var lineNumber = 0
        do {
            let first = try capture.readCapture("reading", &console) {
                (line, _) throws(ExportError) in
                lineNumber = line.number
                try exporter.foresee(line)
            }
            guard first.byteCount > 0 || first.problem == nil else {
                problem = first.problem
                return
            }
            var file = try FileOutput(output)
            problem = try capture.readCapture("writing", &console) { (line, _) throws in
                lineNumber = line.number
                try exporter.put(line)
                lineCount = line.number
                if exporter.pendingCount >= Self.pieceLength { try write(to: &file) }
            }.problem
            try exporter.finish()
            try write(to: &file)
            try file.commit()
            isWritten = true
            omissionCount = exporter.omissionCount
        } catch let error as ExportError {
            problem = "\(capture.name):\(lineNumber): \(error)"
        } catch {
            problem = "\(error)"
        }
    }

    private mutating func write(to file: inout FileOutput) throws(FileError) {
        try file.write(exporter.drain())
        byteCount = file.length
    }
}
