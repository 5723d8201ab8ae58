/// The meaning of a ring's reply. A refusal is an answer, not an error.
@frozen
public enum Answer<Value> {
    case value(Value)
    /// The ring does not support the request, or refuses it.
    case refused
    /// The ring has stored no data for the request.
    case noData

    /// The value, or `nil` for a refusal and for no data.
    @inlinable
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Returns the answer with a transformed value.
    @inlinable
    public func map<Other, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Answer<Other> {
        switch self {
        case .value(let value): .value(try transform(value))
        case .refused: .refused
        case .noData: .noData
        }
    }
}

extension Answer: Equatable where Value: Equatable {}

extension Answer: Hashable where Value: Hashable {}

extension Answer: Sendable where Value: Sendable {}
