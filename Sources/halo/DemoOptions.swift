import HaloSimulator

/// What `halo demo` was asked to do.
struct DemoOptions {
    var seed: UInt64 = 3
    var days = 7
    var profile = RingProfile.r10
    var isJSON = false
    var wantsHelp = false

    /// The kinds of ring that can be asked for, by what one types.
    static let profiles: [(name: String, profile: RingProfile)] = [
        ("r02", .r02), ("r03", .r03), ("r10", .r10), ("r12", .r12), ("h59", .h59),
    ]
    /// How many days can be asked for.
    static let dayLimits = 1...30

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--seed": seed = try rest.number(of: argument)
            case "--days":
                let text = try rest.value(of: argument)
                guard let number = Int(text), Self.dayLimits ~= number else {
                    let limits = "\(Self.dayLimits.lowerBound) to \(Self.dayLimits.upperBound)"
                    throw UsageError(reason: "--days needs a number from \(limits), not '\(text)'")
                }
                days = number
            case "--profile":
                let text = try rest.value(of: argument)
                guard let known = Self.profiles.first(where: { $0.name == text.lowercased() })
                else {
                    let names = Self.profiles.map(\.name).joined(separator: ", ")
                    throw UsageError(reason: "there is no profile '\(text)', only \(names)")
                }
                profile = known.profile
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw .unknown(argument)
            }
        }
    }
}
