import HaloCapture
import HaloProtocol

/// `halo decode`: what bytes say.
enum DecodeVerb: Verb {
    static let name = "decode"
    static let summary = "says what packets and captures mean, byte by byte"

    static var usage: String {
        """
        usage: halo decode [--as KIND] [--direction to|from] [--json] [HEX …]
               halo decode [--json] FILE …

        Explains packets given in hexadecimal: each argument is one, or, without arguments, each
        line of standard input. Bytes may be apart (03 40 …, 03:40:…) or together. Arguments of
        one byte each are taken for one packet.

        Explains every packet of a capture, with its time, its direction and its connection; what
        a device cut into pieces is joined. A file in another format of Bluetooth traffic is
        imported on the way, as 'halo import' does.

          --as KIND         what the bytes are; without it, that is found out. One of:
                            \(PacketKind.all.map(\.name).joined(separator: " "))
          --direction WAY   'to' the device or 'from' it; without it, that is guessed
          --file FILE       a file whose name could be hexadecimal
          --json            one JSON object a line: input, status (decoded, refused, unknown),
                            kind, packet, fields, reencoded, error; for packets of a file before
                            that file, line, microseconds, link, channel, direction, and reply
                            where it completes a long one; for what else happened on a connection
                            event in place of all from channel on

        Exit status: 0 if every packet was decoded, 1 if any was not or could not be read, 2 for
        wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) -> ExitStatus {
        let options: DecodeOptions
        do throws(UsageError) {
            options = try DecodeOptions(arguments)
        } catch {
            console.complain(
                """
                halo decode: \(console.safe(error.reason))
                usage: halo decode [--as KIND] [--direction to|from] [--json] [HEX … | FILE …]
                'halo help decode' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        var printer = ExplanationPrinter(isJSON: options.isJSON)
        var isFine = true
        for input in options.inputs {
            switch input {
            case .hex(let text): printer.print(text, explain(text, options), to: &console)
            case .file(let path):
                isFine = decode(path, isJSON: options.isJSON, &console) && isFine
            }
        }
        if options.inputs.isEmpty {
            console.sayThatInputIsAwaited("hexadecimal, a packet a line")
            while let line = console.readLine() {
                switch line {
                case .text(let bytes):
                    let text = String(decoding: bytes, as: UTF8.self).withoutLineEnd
                    printer.print(text, explain(text, options), to: &console)
                case .tooLong:
                    printer.print(
                        "", .failure(.init("the line is longer than \(Console.lineLimit) bytes")),
                        to: &console)
                }
            }
        }
        isFine = isFine && !printer.foundFault && !console.inputFailed
        return isFine ? .success : .foundFault
    }

    /// Explains a file; answers whether everything in it was decoded.
    private static func decode(_ path: String, isJSON: Bool, _ console: inout Console) -> Bool {
        var decoder = CaptureDecoder(path, isJSON: isJSON)
        let end = ConversationFile(path, for: "decoding").read(&console) { line, console in
            decoder.take(line, &console)
        }
        decoder.finish(&console)
        if let problem = end.problem { decoder.complain(problem, &console) }
        if let remark = end.remark(on: path) { console.complain("halo decode: \(remark)") }
        return !decoder.foundFault
    }

    private static func explain(
        _ text: String, _ options: DecodeOptions
    ) -> Result<Explanation, UnreadableInput> {
        do throws(HexTextError) {
            let bytes = try HexText.parse(text)
            guard !bytes.isEmpty || options.kind != nil else {
                return .failure(.init("there are no bytes"))
            }
            return .success(
                Explanation(of: bytes, as: options.kind, direction: options.direction))
        } catch {
            return .failure(.init(error.description))
        }
    }
}

/// An input that is not even bytes.
struct UnreadableInput: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension String {
    /// The text without a carriage return at its end.
    fileprivate var withoutLineEnd: String {
        unicodeScalars.last == "\r"
            ? String(String.UnicodeScalarView(unicodeScalars.dropLast())) : self
    }
}
