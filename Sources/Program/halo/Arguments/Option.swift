import HaloCapture

struct Option<Value: Sendable>: VerbOption {
    let facts: OptionFacts
    /// Returns the value of an argument. The argument is empty if the value was left out.
    let parse: @Sendable (Argument) throws(Failure) -> Value

    init(
        _ name: String, letter: Character? = nil, _ value: OptionFacts.Value, _ help: String,
        isRepeatable: Bool = false,
        parse: @escaping @Sendable (Argument) throws(Failure) -> Value
    ) {
        facts = OptionFacts(
            name: name, letter: letter, value: value, isRepeatable: isRepeatable, help: help)
        self.parse = parse
    }
}

extension Option<String> {
    static func text(_ name: String, _ place: String, _ help: String) -> Option {
        Option(name, .text(place), help) { $0.text }
    }
}

extension Option<FilePath> {
    static func file(
        _ name: String, letter: Character? = nil, place: String = "FILE", _ help: String,
        isRepeatable: Bool = false
    ) -> Option {
        Option(name, letter: letter, .file(place), help, isRepeatable: isRepeatable) {
            (argument) throws(Failure) in
            guard argument != "" else { throw .wrongUsage("--\(name) takes a file, not ''") }
            return argument.path
        }
    }
}

extension Option<Int> {
    static func number(
        _ name: String, _ place: String, in limits: ClosedRange<Int>, _ help: String
    ) -> Option {
        Option(name, .text(place), help) { (argument) throws(Failure) in
            try value(argument.text, of: "--\(name)", in: limits)
        }
    }

    static func value(
        _ text: String, of option: String, in limits: ClosedRange<Int>
    ) throws(Failure) -> Int {
        guard let number = Int(text), limits ~= number else {
            let (least, most) = (limits.lowerBound, limits.upperBound)
            let range = most == .max ? "from \(least) on" : "from \(least) to \(most)"
            throw .wrongUsage("\(option) takes a whole number \(range), not '\(text)'")
        }
        return number
    }
}

extension Option<UInt64> {
    static func seed(_ help: String) -> Option {
        Option("seed", .text("N"), help) { (argument) throws(Failure) in
            try value(argument.text, of: "--seed")
        }
    }

    static func value(_ text: String, of option: String) throws(Failure) -> UInt64 {
        guard let seed = UInt64(text) else {
            throw .wrongUsage("\(option) takes a whole number from 0 to 2⁶⁴−1, not '\(text)'")
        }
        return seed
    }
}

extension Option<Duration> {
    static func duration(_ name: String, _ help: String) -> Option {
        Option(name, .text("TIME"), help) { (argument) throws(Failure) in
            let text = argument.text
            guard let duration = TimeNotation.duration(text), duration > .zero else {
                throw .wrongUsage(
                    "--\(name) takes a time like \(TimeNotation.words), not '\(text)'")
            }
            return duration
        }
    }
}

extension Option {
    static func choice(
        _ name: String, _ place: String, from words: [String], _ help: String,
        isRepeatable: Bool = false, _ value: @escaping @Sendable (String) -> Value?
    ) -> Option {
        Option(name, .choice(place, words), help, isRepeatable: isRepeatable) {
            (argument) throws(Failure) in
            try Choice.value(argument.text, of: "--\(name)", from: words, value)
        }
    }
}
