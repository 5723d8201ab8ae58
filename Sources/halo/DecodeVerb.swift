import HaloProtocol

/// `halo decode`: what bytes say.
enum DecodeVerb: Verb {
    static let name = "decode"
    static let summary = "says what packets mean, byte by byte"

    static var usage: String {
        """
        usage: halo decode [--as KIND] [--direction to|from] [--json] [HEX …]

        Explains packets given in hexadecimal: each argument is one, or, without arguments, each
        line of standard input. Bytes may be apart (03 40 …, 03:40:…) or together. Arguments of
        one byte each are taken for one packet.

          --as KIND         what the bytes are; without it, that is found out. One of:
                            \(PacketKind.all.map(\.name).joined(separator: " "))
          --direction WAY   'to' the device or 'from' it; without it, that is guessed
          --json            one JSON object a line: input, status (decoded, refused, unknown),
                            kind, packet, fields, reencoded, error

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
                usage: halo decode [--as KIND] [--direction to|from] [--json] [HEX …]
                'halo help decode' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        var printer = ExplanationPrinter(isJSON: options.isJSON)
        for packet in options.packets {
            printer.print(packet, explain(packet, options), to: &console)
        }
        if options.packets.isEmpty {
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
        return printer.foundFault || console.inputFailed ? .foundFault : .success
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
