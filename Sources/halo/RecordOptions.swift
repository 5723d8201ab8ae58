import HaloProtocol

/// What `halo record` was asked to do.
struct RecordOptions {
    var source: (any RecordSource)?
    var duration: Duration = .seconds(60)
    var output: String?
    var isReplacing = false
    var isJSON = false
    var wantsHelp = false

    /// Where there can be something to record. A backend for real devices is one more.
    static let sources: [any RecordSource.Type] = [VirtualSource.self]

    /// A day.
    private static let longest = 24 * 60 * 60

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var seed: UInt64 = 3
        var chosen: [(type: any RecordSource.Type, value: String)] = []
        while let argument = rest.popFirst() {
            if let type = Self.sources.first(where: { $0.option == argument }) {
                chosen.append((type, try rest.value(of: argument)))
                continue
            }
            switch argument {
            case "--seed":
                let text = try given.value(of: argument, &rest)
                guard let number = UInt64(text) else {
                    throw UsageError(reason: "--seed needs a number, and '\(text)' is none")
                }
                seed = number
            case "--for": duration = try Self.duration(try given.value(of: argument, &rest))
            case "--out": output = try given.value(of: argument, &rest)
            case "--replace": isReplacing = true
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw .unknown(argument)
            }
        }
        if wantsHelp { return }
        guard let first = chosen.first, chosen.count == 1 else {
            throw UsageError(reason: "say what to record, and one thing only: \(Self.choices)")
        }
        source = try first.type.init(first.value, seed: seed)
        if output == nil { throw UsageError(reason: "--out FILE says where to record it") }
    }

    /// What there is to record.
    static var choices: String {
        sources.map { "\($0.option) \($0.values.joined(separator: "|"))" }
            .joined(separator: ", ")
    }

    /// A number with h, m or s behind it.
    private static func duration(_ text: String) throws(UsageError) -> Duration {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600]
        guard let unit = text.last.flatMap({ units[$0] }), text.first != "+",
            let number = Int(text.dropLast()), number > 0, number <= longest / unit
        else {
            throw UsageError(
                reason: "--for needs a time like 90s, 10m or 2h, at most 24h, not '\(text)'")
        }
        return .seconds(number * unit)
    }
}
