/// The most similar word of a list, for a word that was misspelt.
enum Suggestion {
    private static let lengthLimit = 64

    /// A question that names the word, or nothing if none is similar.
    static func text(for word: String, among words: [String]) -> String {
        closest(to: word, among: words).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The word that takes the fewest edits, if those are at most a third of its letters.
    static func closest(to word: String, among words: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars.prefix(lengthLimit))
        let candidates = words.map { word in
            (word: word, edits: distance(letters, Array(word.lowercased().unicodeScalars)))
        }
        let best = candidates.min { $0.edits < $1.edits }
        return best.flatMap { $0.edits <= max(letters.count / 3, 1) ? $0.word : nil }
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
