import HaloCapture
import HaloProtocol
import HaloTraffic

/// `halo export`: writes a capture as a file for Wireshark and `btmon`.
struct ExportVerb: Verb {
    private let input: FilePath
    private let output: FilePath
    private let options: ImportOptions
    private let format: ExportFormat
    private var isJSON = false

    static let name = "export"
    static let summary = "writes a capture as a file for Wireshark and btmon"

    static let synopsis = """
        halo export FILE --as FORMAT --out FILE [--json]
                           \(ImportArguments.synopsis)
        """

    private static let formats = ExportFormat.allCases.map(\.rawValue)

    static let details = """
        Writes a capture as the file that the app's host would have recorded: connections,
        discovery of services, and every value. Handles, and other details that a capture does not
        have, are made up as a host does it. Traffic in another format is imported on the way, as
        'halo import' does.
        \(InputFile.help)

          --as FORMAT       one of: \(formats.joined(separator: " "))
                            Wireshark reads all of them, btmon reads btsnoop
          --out FILE        the file to write; it appears when it is whole. With -, it is standard
                            output, and the report goes to standard error
          \(ImportArguments.details(withoutDevice: "all devices"))
          --json            one JSON object: input, output (null if nothing was written), written
                            (its path, bytes and connections), format, lines, bytes, omitted, error

        Exit status: 0 if the file was written; 1 if nothing could be written, or the capture has
        an error, in which case the lines before it are written; 2 for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var output: FilePath?
        var importing = ImportArguments(device: .all)
        var format: ExportFormat?
        while let option = try arguments.next() {
            switch option {
            case "--as":
                format = try arguments.value(
                    of: option, from: Self.formats, ExportFormat.init(rawValue:))
            case "--out": output = try arguments.file(of: option)
            case "--json": isJSON = true
            case _ where try importing.read(option, &arguments): break
            default: throw .unknown(option)
            }
        }
        input = try arguments.file()
        guard let output else { throw .wrongUsage("--out FILE is missing") }
        try ArgumentReader.check(output, differsFrom: input)
        guard let format else { throw .wrongUsage("--as FORMAT is missing") }
        (self.output, self.format, options) = (output, format, importing.options)
    }

    func run(_ console: inout Console) -> ExitStatus {
        if output.isStandard { console.leaveOutputToFile() }
        var export = FileExport(format)
        let file = InputFile(input, entry: options.entry)
        export.run(from: ConversationFile(file, options), to: output, &console)
        if let remark = export.end.remark(on: input) { console.report(remark) }
        report(export, &console)
        return export.problem == nil ? .success : .foundFault
    }

    private func report(_ export: FileExport, _ console: inout Console) {
        if let problem = export.problem { console.report(problem) }
        if export.keepsOther || export.written == nil && !output.isStandard && output.isFile {
            console.report(output.keptSentence)
        }
        if isJSON { return console.write(json(export)) }
        guard let written = export.written else { return }
        console.write(
            "\(export.lineCount) lines of the capture, \(written.byteCount) bytes in "
                + "\(output.text.printable)\n")
        if export.omissionCount > 0 {
            console.write(
                "\(export.omissionCount) of the lines were left out: they acknowledge, refuse or "
                    + "confirm a request that is not in the capture\n")
        }
    }

    private func json(_ export: FileExport) -> JSONValue {
        .object([
            ("input", .string(input.text)), ("output", .text(export.written?.path.text)),
            ("written", export.written.map { .object($0.members) } ?? .null),
            ("format", .string(format.rawValue)), ("lines", .number(export.lineCount)),
            ("bytes", .number(export.byteCount)), ("omitted", .number(export.omissionCount)),
            ("error", .text(export.problem)),
        ])
    }
}

/// An export of a conversation, which is read twice: first to find out its connections and
/// characteristics, then to write them.
private struct FileExport {
    private(set) var lineCount = 0
    private(set) var byteCount = 0
    /// The number of lines that cannot be written in the format.
    private(set) var omissionCount = 0
    /// The file, unless nothing was written.
    private(set) var written: WrittenFile?
    /// `true` if there was nothing to replace an existing file with.
    private(set) var keepsOther = false
    /// The end of the second reading.
    private(set) var end = ConversationFile.End()
    /// The error, as one sentence with its position.
    private(set) var problem: String?

    private var exporter: CaptureExporter
    private var counts = LineCounts()

    private static let pieceLength = 1 << 18

    init(_ format: ExportFormat) {
        exporter = CaptureExporter(format)
    }

    /// Reads the conversation and writes the file. The lines before an error are exported, too.
    mutating func run(
        from conversation: ConversationFile, to output: FilePath, _ console: inout Console
    ) {
        var conversation = conversation
        var lineNumber = 0
        do {
            let first = try conversation.read("reading", &console) {
                (line, _) throws(ExportError) in
                lineNumber = line.number
                try exporter.foresee(line)
            }
            guard lineNumber > 0 || first.problem == nil else {
                problem = first.problem
                return
            }
            var file = try OutputFile(output, &console)
            end = try conversation.read("writing", &console) { (line, _) throws in
                lineNumber = line.number
                try exporter.put(line)
                lineCount = line.number
                counts.add(line.line)
                if exporter.pendingCount >= Self.pieceLength { try write(to: &file) }
            }
            problem = end.problem
            try exporter.finish()
            try write(to: &file)
            let result = try file.commit(
                packetCount: counts.packetCount, connectionCount: counts.connectionCount)
            switch result {
            case .written(let file): written = file
            case .keptOther: keepsOther = true
            }
            omissionCount = exporter.omissionCount
        } catch let error as ExportError {
            problem = "\(conversation.name):\(lineNumber): \(error)"
        } catch {
            problem = "\(error)"
        }
    }

    private mutating func write(to file: inout OutputFile) throws(FileError) {
        try file.write(exporter.drain())
        byteCount = file.length
    }
}
