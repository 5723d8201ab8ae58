enum Choice {
    /// Returns the value of a word; an error names all words, and the most similar one.
    static func value<Value>(
        _ word: String, of option: String, from words: [String], _ value: (String) -> Value?
    ) throws(Failure) -> Value {
        guard let value = value(word) else {
            let list = words.joined(separator: ", ")
            throw .wrongUsage(
                "\(option) takes one of \(list), not '\(word)'"
                    + Suggestion.text(for: word, among: words))
        }
        return value
    }
}
