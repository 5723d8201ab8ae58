import HaloCapture
import HaloSimulator

/// What `halo replay` was asked to do.
struct ReplayArguments {
    var path = ""
    var profile: RingProfile?
    var isJSON = false
    var wantsHelp = false

    /// The rings that there are, as one names them here.
    static let models = RingProfile.all.map { $0.model.lowercased() }

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var paths: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--against": profile = try Self.profile(given.value(of: argument, &rest))
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--":
                paths += rest
                rest = []
            case _ where argument.hasPrefix("--"):
                throw .unknown(argument)
            default: paths.append(argument)
            }
        }
        guard !wantsHelp else { return }
        path = try UsageError.onlyFile(paths)
    }

    private static func profile(_ name: String) throws(UsageError) -> RingProfile {
        guard let place = models.firstIndex(of: name.lowercased()) else {
            throw UsageError(reason: "'\(name)' is none of \(models.joined(separator: ", "))")
        }
        return RingProfile.all[place]
    }
}
