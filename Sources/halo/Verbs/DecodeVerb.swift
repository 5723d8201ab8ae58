import HaloCapture
import HaloProtocol
import HaloTraffic

/// `halo decode`: explains bytes and captures.
struct DecodeVerb: Verb {
    /// A packet or a file to explain.
    private enum Input {
        /// Bytes in hexadecimal.
        case hex(String)
        /// The path of a capture, or of a file of traffic.
        case file(FilePath)
    }

    private var kind: PacketKind?
    private var direction: Direction?
    private var isJSON = false
    private var inputs: [Input] = []
    private let options: ImportOptions

    static let name = "decode"
    static let summary = "explains packets and captures, byte by byte"

    static let synopsis = """
        halo decode [--as KIND] [--direction to|from] [--json] [HEX …]
               halo decode [--json] FILE …
                           \(ImportArguments.synopsis)
        """

    static let details = """
        Explains packets in hexadecimal. Each argument is a packet. Without arguments, each line
        of standard input is one. Bytes may stand apart (03 40 …, 03:40:…) or together. Arguments
        of one byte each are one packet.

        Explains every packet of a capture, with its time, direction and connection. Packets that
        came in pieces are joined. A file in another format of Bluetooth traffic is imported on
        the way, as 'halo import' does.
        \(InputFile.help)

          --as KIND         the kind of packet; detected if left out. One of:
                            \(PacketKind.all.map(\.name).joined(separator: " "))
          --direction WAY   'to' the device or 'from' it; guessed if left out
          --file FILE       a file whose name could be hexadecimal
          \(ImportArguments.details(withoutDevice: "all devices"))
          --json            one JSON object a line. A packet has: input, status (decoded, refused,
                            unknown), kind, packet, fields, reencoded, error. A packet of a file
                            has before these: file, line, microseconds, link, channel, direction,
                            action, reply (the long reply that it completes). An event has: file,
                            line, microseconds, link, event

        Exit status: 0 if every packet was decoded; 1 if a packet could not be decoded or read; 2
        for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var files: [FilePath] = []
        var importing = ImportArguments(device: .all)
        while let option = try arguments.next() {
            switch option {
            case "--as":
                let names = PacketKind.all.map(\.name)
                kind = try arguments.value(of: option, from: names, PacketKind.init(name:))
            case "--direction":
                direction = try arguments.value(of: option, from: ["to", "from"]) {
                    ["to": .toDevice, "from": .fromDevice][$0]
                }
            case "--file": files.append(try arguments.repeatedFile(of: option))
            case "--json": isJSON = true
            case _ where try importing.read(option, &arguments): break
            default: throw .unknown(option)
            }
        }
        options = importing.options
        let words = arguments.words + (arguments.command ?? [])
        let areBytes =
            words.count > 1
            && words.allSatisfy { word in
                let count = word.bytes.count
                return word != "-" && (count <= 2 || count == 4 && word.text.hasPrefix("0x"))
            }
        inputs =
            areBytes
            ? [.hex(words.map(\.text).joined(separator: " "))] : words.map(Self.input)
        inputs += files.map { .file($0) }
        let hasFile = inputs.contains { if case .file = $0 { true } else { false } }
        if hasFile, kind != nil || direction != nil {
            throw .wrongUsage("--as and --direction are for hexadecimal; a file has both in it")
        }
        if !hasFile, options != ImportArguments(device: .all).options {
            throw .wrongUsage("--device, --map, --role, --format and --entry are for files")
        }
    }

    /// Hexadecimal is bytes, also if there is a file of that name. The name of a file, and what
    /// looks like one, is a file.
    private static func input(_ word: Argument) -> Input {
        let (text, path) = (word.text, word.path)
        if let bytes = try? HexText.parse(text), !bytes.isEmpty { return .hex(text) }
        let isFile = path.isStandard || path.isFile || text.contains("/") || text.contains(".")
        return isFile ? .file(path) : .hex(text)
    }

    func run(_ console: inout Console) -> ExitStatus {
        var printer = ExplanationPrinter(isJSON: isJSON)
        var isDecoded = true
        for input in inputs {
            switch input {
            case .hex(let text): printer.print(text, explain(text), to: &console)
            case .file(let path): isDecoded = decode(path, &console) && isDecoded
            }
        }
        if inputs.isEmpty { explainLines(printer: &printer, &console) }
        isDecoded = isDecoded && !printer.foundFault && !console.inputFailed
        return isDecoded ? .success : .foundFault
    }

    private func explainLines(printer: inout ExplanationPrinter, _ console: inout Console) {
        console.announceInput("hexadecimal, a packet a line")
        while let line = console.readLine() {
            switch line {
            case .text(let bytes):
                let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
                let text = String(decoding: line, as: UTF8.self)
                printer.print(text, explain(text), to: &console)
            case .tooLong:
                let reason = "the line is longer than \(Console.lineLimit) bytes"
                printer.print("", .failure(UnreadableInput(reason: reason)), to: &console)
            }
        }
    }

    private func explain(_ text: String) -> Result<Explanation, UnreadableInput> {
        do throws(HexTextError) {
            let bytes = try HexText.parse(text)
            guard !bytes.isEmpty || kind != nil else {
                return .failure(UnreadableInput(reason: "there are no bytes"))
            }
            return .success(Explanation(of: bytes, as: kind, direction: direction))
        } catch {
            return .failure(UnreadableInput(reason: error.description))
        }
    }

    /// Explains a file; returns `false` if something in it could not be decoded.
    private func decode(_ path: FilePath, _ console: inout Console) -> Bool {
        var decoder = CaptureDecoder(path, isJSON: isJSON)
        var conversation = ConversationFile(InputFile(path, entry: options.entry), options)
        let end = conversation.read("decoding", &console) { line, console in
            decoder.decode(line, &console)
        }
        decoder.finish(&console)
        if let problem = end.problem { decoder.report(problem, &console) }
        if let remark = end.remark(on: path) { console.report(remark) }
        return !decoder.foundFault
    }
}
