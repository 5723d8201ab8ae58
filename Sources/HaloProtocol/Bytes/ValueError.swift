/// A value was given that no packet can carry.
public struct ValueError: Error, Hashable, Sendable {
    /// Which value.
    public let field: FieldName
    /// What it may be.
    public let allowed: ClosedRange<Int64>
    /// What was given.
    public let found: Int64

    /// Says that `field` may be `allowed` and was `found`.
    public init(_ field: FieldName, allowed: ClosedRange<Int64>, found: Int64) {
        self.field = field
        self.allowed = allowed
        self.found = found
    }
}

extension ValueError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "\(field) must be \(allowed.lowerBound) to \(allowed.upperBound), not \(found)."
    }
}
