/// The words for the values of a code: the names of its cases, `averageSpeed` as `average speed`.
public struct FieldLabels<Code: FieldCode>: Sendable {
    #if !hasFeature(Embedded)
    /// The words by the number of the value.
    private let words: [String]
    #endif

    /// Creates the words for all cases; some can have others than their names.
    public init(_ others: KeyValuePairs<Code, FieldName> = [:]) {
        #if !hasFeature(Embedded)
        var words: [String] = []
        func set(_ word: String, for code: Code) {
            while words.count <= Int(code.rawValue) { words.append("\(words.count)") }
            words[Int(code.rawValue)] = word
        }
        for code in Code.allCases {
            let word = String(describing: code).reduce(into: "") {
                $0 += $1.isUppercase ? " " + $1.lowercased() : String($1)
            }
            set(word, for: code)
        }
        for (code, other) in others { set(other.description, for: code) }
        self.words = words
        #endif
    }

    #if !hasFeature(Embedded)
    /// Returns the words for a value; its number, if `allCases` leaves it out.
    subscript(code: Code) -> String {
        let number = Int(code.rawValue)
        return number < words.count ? words[number] : "\(number)"
    }
    #endif
}
