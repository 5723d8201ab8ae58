import HaloCapture
import HaloProtocol

/// An option of a verb without the type of its value: what the parser, the help text, the
/// completions and the manual page need.
struct OptionFacts: Sendable {
    /// The kind of value that an option takes.
    enum Value: Sendable {
        /// No value: the option is given or not.
        case none
        /// A text, with the word that stands for it in the help text.
        case text(String)
        /// A file.
        case file
        /// One of some words, with the word that stands for them in the help text.
        case choice(String, [String])
        /// A text that may be left out, and otherwise stands behind `=`.
        case optional(String)
    }

    /// The name without `--`.
    let name: String
    /// The letter of the short form, `-q`.
    let letter: Character?
    let value: Value
    /// `true` if the option may be given several times.
    let isRepeatable: Bool
    /// The sentence of the help text.
    let help: String

    /// The option as it is typed: `--name`.
    var word: String { "--\(name)" }

    /// The option with the word for its value: `--seed N`.
    var form: String {
        switch value {
        case .none: word
        case .text(let place), .choice(let place, _): "\(word) \(place)"
        case .file: "\(word) FILE"
        case .optional(let place): "\(word)[=\(place)]"
        }
    }
}

/// An option of a verb.
protocol VerbOption: Sendable {
    var facts: OptionFacts { get }
}

/// An option without a value.
struct Flag: VerbOption {
    let facts: OptionFacts

    init(_ name: String, letter: Character? = nil, _ help: String) {
        facts = OptionFacts(
            name: name, letter: letter, value: .none, isRepeatable: false, help: help)
    }
}

/// An option with a value.
struct Option<Value: Sendable>: VerbOption {
    let facts: OptionFacts
    /// Returns the value of an argument. The argument is empty if the value was left out.
    let parse: @Sendable (Argument) throws(ArgumentError) -> Value

    init(
        _ name: String, letter: Character? = nil, _ value: OptionFacts.Value, _ help: String,
        isRepeatable: Bool = false,
        parse: @escaping @Sendable (Argument) throws(ArgumentError) -> Value
    ) {
        facts = OptionFacts(
            name: name, letter: letter, value: value, isRepeatable: isRepeatable, help: help)
        self.parse = parse
    }
}

extension Option<String> {
    /// An option that takes any text.
    static func text(
        _ name: String, letter: Character? = nil, _ place: String, _ help: String
    ) -> Option {
        Option(name, letter: letter, .text(place), help) { $0.text }
    }
}

extension Option<FilePath> {
    /// An option that takes a file.
    static func file(
        _ name: String, letter: Character? = nil, _ help: String, isRepeatable: Bool = false
    ) -> Option {
        Option(name, letter: letter, .file, help, isRepeatable: isRepeatable) { $0.path }
    }
}

extension Option<Int> {
    /// An option that takes a whole number within limits.
    static func number(
        _ name: String, _ place: String, in limits: ClosedRange<Int>, _ help: String
    ) -> Option {
        Option(name, .text(place), help) { (argument) throws(ArgumentError) in
            guard let number = Int(argument.text), limits ~= number else {
                let (least, most) = (limits.lowerBound, limits.upperBound)
                let range = most == .max ? "from \(least) on" : "from \(least) to \(most)"
                throw .wrongUsage(
                    "--\(name) takes a whole number \(range), not '\(argument.text)'")
            }
            return number
        }
    }
}

extension Option<UInt64> {
    /// An option that takes the seed of random numbers.
    static func seed(_ help: String) -> Option {
        Option("seed", .text("N"), help) { (argument) throws(ArgumentError) in
            try value(argument.text, of: "--seed")
        }
    }

    /// Returns the seed that a text is, for an option or a part of one.
    static func value(_ text: String, of option: String) throws(ArgumentError) -> UInt64 {
        guard let seed = UInt64(text) else {
            throw .wrongUsage("\(option) takes a whole number from 0 to 2⁶⁴−1, not '\(text)'")
        }
        return seed
    }
}

extension Option<Duration> {
    private static var longestSeconds: Int { 24 * 60 * 60 }

    /// An option that takes a time: a number with the unit h, m or s behind it.
    static func duration(_ name: String, _ help: String) -> Option {
        Option(name, .text("TIME"), help) { (argument) throws(ArgumentError) in
            let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600]
            let text = argument.text
            guard let unit = text.last.flatMap({ units[$0] }), text.first != "+",
                let number = Int(text.dropLast()), number > 0, number <= longestSeconds / unit
            else {
                throw .wrongUsage(
                    "--\(name) takes a time like 90s, 10m or 2h, at most 24h, not '\(text)'")
            }
            return .seconds(number * unit)
        }
    }
}

extension Option {
    /// An option that takes one of some words.
    static func choice(
        _ name: String, letter: Character? = nil, _ place: String, from words: [String],
        _ help: String, isRepeatable: Bool = false,
        _ value: @escaping @Sendable (String) -> Value?
    ) -> Option {
        Option(
            name, letter: letter, .choice(place, words), help, isRepeatable: isRepeatable
        ) { (argument) throws(ArgumentError) in
            try Choice.value(argument.text, of: "--\(name)", from: words, value)
        }
    }
}

/// A word out of a list.
enum Choice {
    /// Returns the value of a word; an error names all words, and the most similar one.
    static func value<Value>(
        _ word: String, of option: String, from words: [String], _ value: (String) -> Value?
    ) throws(ArgumentError) -> Value {
        guard let value = value(word) else {
            let list = words.joined(separator: ", ")
            throw .wrongUsage(
                "\(option) takes one of \(list), not '\(word)'"
                    + Suggestion.text(for: word, among: words))
        }
        return value
    }
}

/// The most similar word of a list, for a word that was misspelt.
enum Suggestion {
    /// The longest word that is compared.
    private static let lengthLimit = 64

    /// A question that names the word, or nothing if none is similar.
    static func text(for word: String, among words: [String]) -> String {
        closest(to: word, among: words).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The word that takes the fewest edits, if those are at most a third of its letters.
    static func closest(to word: String, among words: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars.prefix(lengthLimit))
        var best: (word: String, edits: Int)?
        for candidate in words {
            let edits = distance(letters, Array(candidate.lowercased().unicodeScalars))
            if edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        guard let best, best.edits <= max(letters.count, 3) / 3 else { return nil }
        return best.word
    }

    /// The number of letters to insert, remove, replace, or swap with their neighbour.
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var (older, old) = ([Int](), Array(0...other.count))
        for (row, letter) in one.enumerated() {
            var new = [row + 1]
            for (column, letterThere) in other.enumerated() {
                let replaced = old[column] + (letter == letterThere ? 0 : 1)
                var edits = min(replaced, old[column + 1] + 1, new[column] + 1)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == letterThere {
                    edits = min(edits, older[column - 1] + 1)
                }
                new.append(edits)
            }
            (older, old) = (old, new)
        }
        return old[other.count]
    }
}
