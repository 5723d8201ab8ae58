import HaloCapture
import HaloProtocol

/// What `halo decode` was asked to do.
struct DecodeOptions {
    var kind: PacketKind?
    var direction: Direction?
    var isJSON = false
    var wantsHelp = false
    var inputs: [Input] = []

    /// What is to be explained.
    enum Input {
        /// Bytes in hexadecimal.
        case hex(String)
        /// A capture, or a file of traffic that one can be made of.
        case file(String)
    }

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var words: [String] = []
        var files: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--as":
                let name = try given.value(of: argument, &rest)
                guard let kind = PacketKind(name: name) else {
                    throw UsageError(reason: "'\(name)' is no kind of packet")
                }
                self.kind = kind
            case "--direction":
                switch try given.value(of: argument, &rest) {
                case "to": direction = .toDevice
                case "from": direction = .fromDevice
                case let other:
                    throw UsageError(reason: "a direction is 'to' or 'from', not '\(other)'")
                }
            case "--file": files.append(try rest.value(of: argument))
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--":
                words += rest
                rest = []
            case _ where argument.hasPrefix("--"):
                throw .unknown(argument)
            default: words.append(argument)
            }
        }
        let areBytes =
            words.count > 1
            && words.allSatisfy { $0.utf8.count <= 2 || $0.utf8.count == 4 && $0.hasPrefix("0x") }
        inputs = areBytes ? [.hex(words.joined(separator: " "))] : words.map(Self.input)
        inputs += files.map { .file($0) }
        let hasFile = inputs.contains { if case .file = $0 { true } else { false } }
        if hasFile, kind != nil || direction != nil {
            throw UsageError(
                reason: "--as and --direction are for hexadecimal; a file says that itself")
        }
    }

    /// What can be read as bytes is bytes, also if there is a file of that name; what is a file,
    /// or looks like the name of one, is a file.
    private static func input(_ word: String) -> Input {
        if let bytes = try? HexText.parse(word), !bytes.isEmpty { return .hex(word) }
        if (try? FileInput(word)) != nil { return .file(word) }
        return word.contains("/") || word.contains(".") ? .file(word) : .hex(word)
    }
}
