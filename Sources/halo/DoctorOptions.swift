/// What `halo doctor` was asked to do.
struct DoctorOptions {
    var bus: String?
    var adapter: String?
    var isJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        while let argument = rest.popFirst() {
            switch argument {
            case "--bus": bus = try given.value(of: argument, &rest)
            case "--adapter": adapter = try given.value(of: argument, &rest)
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw .unknown(argument)
            }
        }
    }
}
