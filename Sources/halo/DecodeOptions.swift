import HaloProtocol

/// The arguments were not understood.
struct UsageError: Error {
    let reason: String
}

/// What `halo decode` was asked to do.
struct DecodeOptions {
    var kind: PacketKind?
    var direction: Direction?
    var isJSON = false
    var wantsHelp = false
    var packets: [String] = []

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var words: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--as":
                let name = try Self.value(of: argument, &rest)
                guard let kind = PacketKind(name: name) else {
                    throw UsageError(reason: "'\(name)' is no kind of packet")
                }
                self.kind = kind
            case "--direction":
                switch try Self.value(of: argument, &rest) {
                case "to": direction = .toDevice
                case "from": direction = .fromDevice
                case let other:
                    throw UsageError(reason: "a direction is 'to' or 'from', not '\(other)'")
                }
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--":
                words += rest
                rest = []
            case _ where argument.hasPrefix("--"):
                throw UsageError(reason: "there is no option '\(argument)'")
            default: words.append(argument)
            }
        }
        let areBytes =
            words.count > 1
            && words.allSatisfy { $0.utf8.count <= 2 || $0.utf8.count == 4 && $0.hasPrefix("0x") }
        packets = areBytes ? [words.joined(separator: " ")] : words
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(reason: "\(option) needs a value")
        }
        return value
    }
}
