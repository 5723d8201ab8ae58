/// The words for the values of a code: the names of its cases, `averageSpeed` as `average speed`.
public struct FieldLabels<Code: FieldCode>: Sendable {
    #if !hasFeature(Embedded)
    /// The words by the number of the value.
    let words: [String]
    #endif

    /// Creates the words for all cases; some can have others than their names.
    public init(_ others: KeyValuePairs<Code, FieldName> = [:]) {
        #if !hasFeature(Embedded)
        var words: [String] = []
        for code in Code.allCases {
            while words.count <= Int(code.rawValue) { words.append("") }
            words[Int(code.rawValue)] = String(describing: code).reduce(into: "") {
                $0 += $1.isUppercase ? " " + $1.lowercased() : String($1)
            }
        }
        for (code, other) in others { words[Int(code.rawValue)] = other.description }
        self.words = words
        #endif
    }
}
