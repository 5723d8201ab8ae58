/// The words for the values of a code: the names of its cases, `averageSpeed` as `average speed`.
public struct FieldLabels<Code: FieldCode>: Sendable {
    #if !hasFeature(Embedded)
    private let others: KeyValuePairs<Code, FieldName>
    #endif

    /// Creates the words for all cases; some can have others than their names.
    public init(_ others: KeyValuePairs<Code, FieldName> = [:]) {
        #if !hasFeature(Embedded)
        self.others = others
        #endif
    }

    #if !hasFeature(Embedded)
    /// Returns the words for a value; its number, if `allCases` leaves it out.
    subscript(code: Code) -> String {
        if let other = others.first(where: { $0.key == code }) { return other.value.description }
        guard Code.allCases.contains(code) else { return "\(code.rawValue)" }
        return String(describing: code).reduce(into: "") {
            $0 += $1.isUppercase ? " " + $1.lowercased() : String($1)
        }
    }
    #endif
}
