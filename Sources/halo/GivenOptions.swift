/// Which options were given: each of those that have one value only once.
struct GivenOptions {
    private var given: Set<String> = []

    /// Takes note of an option, and hands over its value.
    mutating func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard given.insert(option).inserted else {
            throw UsageError(reason: "\(option) is given twice")
        }
        return try rest.value(of: option)
    }
}
