import HaloCapture
import HaloTraffic

struct ExportVerb: Verb {
    private let input: InputFile
    private let output: FilePath
    private let format: ExportFormat

    private static let formatOption = Option<ExportFormat>.choice(
        "as", "FORMAT", from: ExportFormat.allCases.map(\.rawValue),
        """
        one of: \(ExportFormat.allCases.map(\.rawValue).joined(separator: " ")); by default, the \
        file's extension. Wireshark reads all of them, btmon reads btsnoop
        """, ExportFormat.init(rawValue:))
    private static let outputOption = FileArguments.output(
        """
        the file to write; it appears once it is complete. With -, standard output, and the \
        report goes to standard error
        """)
    private static let importing = ImportArguments(withoutDevice: "all devices")

    static let syntax = VerbSyntax(
        "export", "writes a capture as a file for Wireshark and btmon", forms: ["FILE"],
        takesFiles: true,
        options: [formatOption, outputOption, CommonOptions.force] + importing.all,
        json: """
            one JSON object: type (export), input, output (null if nothing was written), written \
            (its path, bytes and connections), format, lines, bytes, omitted
            """,
        difference: "the capture has an error (the lines before it are written)",
        examples: [
            "halo export ring.halo --as pcapng --out ring.pcapng",
            "halo export ring.halo --as btsnoop --out btsnoop_hci.log",
        ],
        """
        Writes a capture as the file that the app's host would have recorded: connections,
        discovery of services, and every value. Handles, and other details that a capture does not
        have, are made up as a host would. Traffic in another format is imported first, as
        'halo import' does. \(ImportArguments.fileHelp)
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        let path = try FileArguments.input(arguments)
        guard let output = try arguments.value(of: Self.outputOption) else {
            throw .wrongUsage("--out FILE is missing; its extension can give the format")
        }
        try FileArguments.check(output, differsFrom: path)
        let named = ExportFormat.allCases.first { output.text.hasSuffix(".\($0.rawValue)") }
        guard let format = try arguments.value(of: Self.formatOption) ?? named else {
            let formats = TextLayout.alternatives(ExportFormat.allCases.map(\.rawValue))
            throw .wrongUsage("--as FORMAT is missing: \(formats)")
        }
        self.output = output
        self.format = format
        input = InputFile(path, try Self.importing.options(arguments, device: .all))
    }

    func run(_ console: inout Console) throws(Failure) -> ExitStatus {
        try OutputFile.prepare(output, &console)
        var export = FileExport(exporter: CaptureExporter(format))
        export.run(from: input, to: output, &console)
        report(export, &console)
        if let problem = export.problem { throw problem }
        return .success
    }

    private func report(_ export: FileExport, _ console: inout Console) {
        if let kept = export.kept, !output.isStandard, output.isFile { console.remark(kept) }
        if console.isJSON { return console.write(type: "export", members(export)) }
        guard let written = export.written else { return }
        console.write(
            "\(TextLayout.count(export.lineCount, "line")) of the capture, "
                + "\(TextLayout.count(written.byteCount, "byte")) in "
                + "\(output.text.printable)\n")
        if export.omissionCount > 0 {
            console.write(
                "\(TextLayout.count(export.omissionCount, "line")) left out: replies to requests "
                    + "that are not in the capture\n")
        }
    }

    private func members(_ export: FileExport) -> JSONObject {
        [
            "input": input.path.text, "output": export.written?.path.text,
            "written": export.written?.members, "format": format.rawValue,
            "lines": export.lineCount, "bytes": export.written?.byteCount ?? 0,
            "omitted": export.omissionCount,
        ]
    }
}

/// Reads a conversation twice: for its connections and characteristics, and to write them.
private struct FileExport {
    var exporter: CaptureExporter
    var lineCount = 0
    /// The number of lines that cannot be written in the format.
    var omissionCount: Int { exporter.omissionCount }
    /// The file, unless nothing was written.
    var written: WrittenFile?
    /// A sentence on an existing file that is not replaced; `nil` once the file is written, or if
    /// the problem says so.
    var kept: String?
    /// The error, with its position.
    var problem: Failure?

    private static let pieceLength = 1 << 18

    /// Reads the conversation and writes the file. The lines before an error are exported, too.
    mutating func run(
        from input: InputFile, to output: FilePath, _ console: inout Console
    ) {
        var conversation = ConversationFile(input)
        var counts = LineCounts()
        var lineNumber = 0
        kept = "\(output.quoted) stays as it was"
        do {
            let first = try conversation.read("reading", &console) {
                (line, _) throws(ExportError) in
                lineNumber = line.number
                try exporter.prepare(for: line)
            }
            guard !first.isUnreadable else {
                kept = output.keptSentence
                problem = first.problem
                return
            }
            var file = try OutputFile(output, &console)
            let end = try conversation.read("writing", &console) { (line, _) throws in
                lineNumber = line.number
                try exporter.write(line)
                lineCount = line.number
                counts.add(line.line)
                if exporter.pendingCount >= Self.pieceLength { try file.write(exporter.drain()) }
            }
            if let remark = end.remark(on: input.path) { console.remark(remark) }
            problem = end.problem
            try exporter.finish()
            try file.write(exporter.drain())
            written = try file.commit(
                packetCount: counts.packetCount, connectionCount: counts.connectionCount)
            kept = nil
            if written == nil { problem = Failure(.unusable, output.keptSentence) }
        } catch let error as ExportError {
            problem = Failure(.unusable, "\(input.name):\(lineNumber): \(error)")
        } catch {
            problem = error as? Failure
        }
    }
}
