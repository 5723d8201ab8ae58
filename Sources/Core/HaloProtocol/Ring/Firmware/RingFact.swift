/// A fact about a ring, with its evidence.
public struct RingFact<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value, or `nil` if it is unknown.
    public let value: Value?
    /// The evidence in words.
    public let basis: FieldName

    package init(_ value: Value?, _ basis: FieldName) {
        self.value = value
        self.basis = basis
    }

    package static func unknown(_ basis: FieldName) -> RingFact { RingFact(nil, basis) }
}
