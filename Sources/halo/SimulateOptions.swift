/// What `halo simulate` was asked to do.
struct SimulateOptions {
    var seed: UInt64 = 1
    var sweep: Int?
    var onlyFaults: Set<Int>?
    var isJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--seed": seed = try rest.number(of: argument)
            case "--sweep":
                let count: Int = try rest.number(of: argument)
                guard count > 0 else { throw UsageError(reason: "a sweep has at least one run") }
                sweep = count
            case "--only-faults": onlyFaults = try Self.faults(&rest)
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw .unknown(argument)
            }
        }
        if sweep != nil, onlyFaults != nil {
            throw UsageError(reason: "--only-faults is for one run, --sweep for many")
        }
    }

    private static func faults(
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> Set<Int> {
        let text = try rest.value(of: "--only-faults")
        if text == "none" { return [] }
        var faults: Set<Int> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let index = Int(word), index >= 0 else {
                throw UsageError(reason: "'\(text)' is no list of faults like 3,17")
            }
            faults.insert(index)
        }
        return faults
    }
}
