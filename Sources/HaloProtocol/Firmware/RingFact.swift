/// A statement about a ring, with what it rests on.
public struct RingFact<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What is so; nothing where nobody knows.
    public let value: Value?
    /// How well that is known, in words.
    public let basis: FieldName

    /// Says that something is so, and what that rests on.
    public init(_ value: Value, _ basis: FieldName) {
        self.value = value
        self.basis = basis
    }

    private init(unknown basis: FieldName) {
        value = nil
        self.basis = basis
    }

    /// Nobody knows, and why.
    public static func unknown(_ basis: FieldName) -> RingFact {
        RingFact(unknown: basis)
    }
}
