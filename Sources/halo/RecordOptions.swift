import HaloProtocol

/// What `halo record` was asked to do.
struct RecordOptions {
    var source: (any RecordSource)?
    var duration: Duration = .seconds(60)
    var output: String?
    var isReplacing = false
    var isJSON = false
    var wantsHelp = false

    /// A day.
    private static let longest = 24 * 60 * 60

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var seed: UInt64 = 3
        var (virtual, device, adapter, bus): (String?, String?, String?, String?)
        while let argument = rest.popFirst() {
            switch argument {
            case VirtualSource.option: virtual = try given.value(of: argument, &rest)
            case "--device": device = try given.value(of: argument, &rest)
            case "--adapter": adapter = try given.value(of: argument, &rest)
            case "--bus": bus = try given.value(of: argument, &rest)
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
        let isReal = device != nil || adapter != nil || bus != nil
        switch (virtual, isReal) {
        case (let kind?, false): source = try VirtualSource(kind, seed: seed)
        case (nil, true):
            #if os(Linux)
            source = try BlueZSource(device: device, adapter: adapter, bus: bus)
            #else
            throw UsageError(reason: "real devices are recorded on Linux only")
            #endif
        case (_?, true), (nil, false):
            throw UsageError(reason: "say what to record, and one thing only")
        }
        if output == nil { throw UsageError(reason: "--out FILE says where to record it") }
    }

    /// What there is to record.
    static var choices: String {
        "\(VirtualSource.option) \(VirtualSource.values.joined(separator: "|"))"
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
