enum Choice {
    /// Returns the value of a word; an error names all words, and the most similar one.
    ///
    /// - Parameter others: Words that are taken as well, and are not named but where they are the
    ///   most similar ones.
    static func value<Value>(
        _ word: String, of option: String, from words: [String], or others: [String] = [],
        _ value: (String) -> Value?
    ) throws(Failure) -> Value {
        guard let value = value(word) else {
            throw .wrongUsage("\(option) takes \(refusal(of: word, among: words, or: others))")
        }
        return value
    }

    /// What is taken in place of a word that is none of these: `one of a, b, not 'c'`.
    static func refusal(
        of word: String, among words: [String], or others: [String] = []
    ) -> String {
        "one of \(words.joined(separator: ", ")), not '\(word)'"
            + Suggestion.text(for: word, among: words + others)
    }
}
