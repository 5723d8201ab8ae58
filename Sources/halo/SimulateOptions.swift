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
            case "--seed": seed = try Self.number(argument, &rest)
            case "--sweep":
                let count: Int = try Self.number(argument, &rest)
                guard count > 0 else { throw UsageError(reason: "a sweep has at least one run") }
                sweep = count
            case "--only-faults": onlyFaults = try Self.faults(&rest)
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(reason: "there is no option '\(argument)'")
            }
        }
        if sweep != nil, onlyFaults != nil {
            throw UsageError(reason: "--only-faults is for one run, --sweep for many")
        }
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(reason: "\(option) needs a value")
        }
        return value
    }

    private static func number<Number: FixedWidthInteger>(
        _ option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> Number {
        let text = try value(of: option, &rest)
        guard let number = Number(text), number >= 0 else {
            throw UsageError(reason: "\(option) needs a number, and '\(text)' is none")
        }
        return number
    }

    private static func faults(
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> Set<Int> {
        let text = try value(of: "--only-faults", &rest)
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
