import HaloCapture
import HaloProtocol
import HaloTraffic

struct DecodeVerb: Verb {
    private enum Input {
        case hex(String)
        case file(FilePath)
    }

    private let kind: PacketKind?
    private let direction: Direction?
    private var inputs: [Input] = []
    private let options: ImportOptions

    private static let kindOption = Option<PacketKind>.choice(
        "as", "KIND", from: PacketKind.all.map(\.name),
        """
        the kind of packet; detected by default. One of: \
        \(PacketKind.all.map(\.name).joined(separator: " "))
        """, PacketKind.init(name:))
    private static let directionOption = Option<Direction>.choice(
        "direction", "WAY", from: ["to", "from"],
        "'to' the device or 'from' it; guessed by default"
    ) { ["to": .toDevice, "from": .fromDevice][$0] }
    private static let fileOption = Option.file(
        "file", "a file whose name could be hexadecimal; can be repeated", isRepeatable: true)
    private static let importing = ImportArguments(withoutDevice: "all devices")

    static let syntax = VerbSyntax(
        "decode", "explains packets and captures, byte by byte", forms: ["[HEX …]", "FILE …"],
        takesFiles: true, options: [kindOption, directionOption, fileOption] + importing.all,
        json: """
            one JSON object a line. A packet has: type, input, status (decoded, refused, unknown), \
            kind, packet, fields, reencoded, error. A packet of a file also has: file, line, \
            microseconds, link, channel, direction, action, reply (the long reply that it \
            completes). An event has: type, file, line, microseconds, link, event
            """,
        difference: "a packet could not be decoded",
        examples: [
            "halo decode 03 40 00 00 00 00 00 00 00 00 00 00 00 00 00 43",
            "halo decode btsnoop_hci.log",
        ],
        """
        Explains packets in hexadecimal. Each argument is a packet. Without arguments, each line
        of standard input is one; empty ones, and those that begin with #, are skipped. Bytes can
        be separate (03 40 …, 03:40:…) or not. Arguments
        of one byte each form one packet.

        Explains every packet of a capture, with its time, direction and connection. Packets that
        came in pieces are joined. A file in another format of Bluetooth traffic is imported
        first, as 'halo import' does. \(ImportArguments.fileHelp)

        'halo sync --decode-again' decodes the replies that were kept with the values of a ring.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        kind = try arguments.value(of: Self.kindOption)
        direction = try arguments.value(of: Self.directionOption)
        let files = try arguments.values(of: Self.fileOption)
        options = try Self.importing.options(arguments, device: .all)
        var plain = ImportOptions()
        plain.device = .all
        let words = arguments.allWords
        let areBytes =
            words.count > 1
            && words.allSatisfy { word in
                let count = word.bytes.count
                return word != "-" && (count <= 2 || count == 4 && word.text.hasPrefix("0x"))
            }
        inputs =
            areBytes
            ? [.hex(words.map(\.unescapedText).joined(separator: " "))] : words.map(Self.input)
        inputs += files.map { .file($0) }
        let hasFile = inputs.contains { if case .file = $0 { true } else { false } }
        if hasFile, kind != nil || direction != nil {
            throw .wrongUsage("--as and --direction are for hexadecimal; a file contains both")
        }
        if !hasFile, options != plain {
            throw .wrongUsage("--device, --map, --role, --format and --entry are for files")
        }
    }

    /// Hexadecimal is bytes, also if there is a file of that name. The name of a file, and what
    /// looks like one, is a file.
    private static func input(_ word: Argument) -> Input {
        let (text, path) = (word.unescapedText, word.path)
        if let bytes = try? HexText.parse(text), !bytes.isEmpty { return .hex(text) }
        let isFile = path.isStandard || path.isFile || text.contains("/") || text.contains(".")
        return isFile ? .file(path) : .hex(text)
    }

    func run(_ console: inout Console) -> ExitStatus {
        var printer = ExplanationPrinter()
        var status = ExitStatus.success
        for input in inputs {
            switch input {
            case .hex(let text): printer.print(text, explain(word: text), to: &console)
            case .file(let path): status = max(status, decode(path, &console))
            }
        }
        if inputs.isEmpty { explainLines(printer: &printer, &console) }
        if printer.foundFault { status = max(status, .difference) }
        return console.inputFailed ? .unusable : status
    }

    private func explainLines(printer: inout ExplanationPrinter, _ console: inout Console) {
        console.announceInput("hexadecimal, one packet per line")
        var isFirst = true
        while let line = console.readLine() {
            defer { isFirst = false }
            switch line {
            case .text(var line):
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                // A byte order mark.
                if isFirst, line.starts(with: "\u{FEFF}".utf8) { line.removeFirst(3) }
                let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                // An empty value of a characteristic has no bytes.
                if first == nil && kind == nil || first == UInt8(ascii: "#") { continue }
                printer.print(line, to: &console) { explain($0) }
            case .tooLong:
                let reason = "the line is longer than \(Console.lineLimit) bytes"
                printer.print("", .unreadable(reason), to: &console)
            }
        }
    }

    /// Explains an argument. One that begins with no hexadecimal digit may have been meant as a
    /// file.
    private func explain(word: String) -> InputMeaning {
        if let first = word.utf8.first, HexText.value(ofDigit: first) == nil {
            return .unreadable("this is neither hexadecimal nor a file.")
        }
        return explain(word.utf8)
    }

    private func explain(_ text: some Sequence<UInt8>) -> InputMeaning {
        do throws(HexTextError) {
            let bytes = try HexText.parse(utf8: text)
            guard !bytes.isEmpty || kind != nil else {
                return .unreadable("there are no bytes")
            }
            return .explained(Explanation(of: bytes, as: kind, direction: direction))
        } catch {
            return .unreadable(error.description)
        }
    }

    private func decode(_ path: FilePath, _ console: inout Console) -> ExitStatus {
        let printer = CapturePrinter(path: path)
        var explainer = CaptureExplainer()
        var conversation = ConversationFile(InputFile(path, options))
        let end = conversation.read("decoding", printsLines: true, &console) { line, console in
            explainer.read(line)
            printer.print(&explainer, to: &console)
        }
        explainer.finish()
        printer.print(&explainer, to: &console)
        if let remark = end.remark(on: path) { console.remark(remark) }
        guard let problem = end.problem else {
            return explainer.foundFault ? .difference : .success
        }
        return console.report(
            Failure(
                problem.status, problem.message, advice: problem.advice,
                ["file": path.text]))
    }
}
