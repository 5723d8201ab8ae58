/// The arguments were not understood.
struct UsageError: Error {
    let reason: String

    /// There is no such option.
    static func unknown(_ option: String) -> UsageError {
        UsageError(reason: "there is no option '\(option)'")
    }

    /// The one file that was named; to name none, or several, is an error.
    static func onlyFile(_ words: [String]) throws(UsageError) -> String {
        guard let word = words.first, word != "" else {
            throw UsageError(reason: "a file is missing")
        }
        guard words.count == 1 else { throw UsageError(reason: "one file at a time") }
        return word
    }
}

/// Arguments that are not read yet.
extension ArraySlice<String> {
    /// What stands behind an option.
    mutating func value(of option: String) throws(UsageError) -> String {
        guard let value = popFirst() else {
            throw UsageError(reason: "\(option) needs a value")
        }
        return value
    }

    /// The number that stands behind an option: 0, or more.
    mutating func number<Number: FixedWidthInteger>(
        of option: String
    ) throws(UsageError) -> Number {
        let text = try value(of: option)
        guard let number = Number(text), number >= 0 else {
            throw UsageError(reason: "\(option) needs a number, and '\(text)' is none")
        }
        return number
    }
}
