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
        return try Self.anyValue(of: option, &rest)
    }

    /// Hands over the value of an option that may be given often.
    static func anyValue(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(reason: "\(option) needs a value")
        }
        return value
    }
}
