/// The options of the command line.
struct Options {
    var scratch = ""
    var seed: UInt64 = 1
    var count = 40
    var targets = TargetUnderTest.all
    var workers = 2
    /// A text that the path or the key of a mutant must contain.
    var only: String?
    /// The lowest score over all, in percent.
    var overall = 0
    /// The lowest score of each target, in percent.
    var each = 0
    /// Lists the mutants that would be planted, and stops.
    var listsOnly = false
    /// Keeps mutants that were found before as found, and tests only the others.
    var asksSurvivorsOnly = false
    /// Prints each mutant as it ends, also found ones.
    var isVerbose = false

    static let help = """
        usage: Tests/Tools/Mutants/run [options]
          --seed N           draws the sample: the same seed, the same faults (default 1)
          --count N          faults in each target (default 40)
          --target NAME      only this target; can be repeated
          --only TEXT        only faults whose file or words contain TEXT
          --workers N        faults that are tried at once (default 2)
          --overall PERCENT  fails if fewer are found in all
          --each PERCENT     fails if fewer are found in one of the targets
          --list             lists the faults, and tries none
          --survivors        tries only what was not found before, while tests are written
          --verbose          names the test that found each
        targets: \(TargetUnderTest.all.map(\.name).joined(separator: " "))
        """

    /// Parses the command line; throws a message if that fails.
    init(_ arguments: [String]) throws(Refusal) {
        var rest = arguments[...]
        var chosen: [TargetUnderTest] = []
        while let option = rest.popFirst() {
            switch option {
            case "--help": throw Refusal(Self.help)
            case "--list": listsOnly = true
            case "--verbose": isVerbose = true
            case "--survivors": asksSurvivorsOnly = true
            case "--scratch": scratch = try Self.value(of: option, &rest)
            case "--only": only = try Self.value(of: option, &rest)
            case "--seed": seed = UInt64(try Self.number(of: option, &rest))
            case "--count": count = try Self.number(of: option, &rest)
            case "--workers": workers = max(1, try Self.number(of: option, &rest))
            case "--overall": overall = try Self.number(of: option, &rest)
            case "--each": each = try Self.number(of: option, &rest)
            case "--target":
                let name = try Self.value(of: option, &rest)
                guard let target = TargetUnderTest.all.first(where: { $0.name == name }) else {
                    throw Refusal("There is no target \(name).\n\(Self.help)")
                }
                chosen.append(target)
            default: throw Refusal("There is no option \(option).\n\(Self.help)")
            }
        }
        if !chosen.isEmpty { targets = chosen }
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(Refusal) -> String {
        guard let value = rest.popFirst() else { throw Refusal("\(option) needs a value.") }
        return value
    }

    private static func number(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(Refusal) -> Int {
        let text = try value(of: option, &rest)
        guard let number = Int(text), number >= 0 else {
            throw Refusal("\(option) takes a whole number from 0; got '\(text)'.")
        }
        return number
    }
}

/// An error that ends the tool, with the message for its user.
struct Refusal: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
