/// An option of a verb without the type of its value: what the parser, the help text, the
/// completions and the manual page need.
struct OptionFacts: Sendable {
    enum Value: Sendable {
        case none
        /// A text, with the word that stands for it in the help text.
        case text(String)
        case file(String)
        /// One of some words, with the word that stands for them in the help text.
        case choice(String, [String])
        /// A text that may be left out, and otherwise stands after `=`; with what it can begin
        /// with: words, and names before another `=`.
        case optional(String, beginnings: [String])
    }

    /// The name without `--`.
    let name: String
    let letter: Character?
    let value: Value
    let isRepeatable: Bool
    let help: String

    var word: String { "--\(name)" }

    /// The option with the word for its value: `--seed N`.
    var form: String {
        switch value {
        case .none: word
        case .text(let place), .file(let place), .choice(let place, _): "\(word) \(place)"
        case .optional(let place, _): "\(word)[=\(place)]"
        }
    }
}
