/// What a ring says to a request: the ring's own "no" is an answer, not an error.
@frozen
public enum Answer<Value> {
    /// It answered.
    case value(Value)
    /// It does not support the request, or will not do it.
    case refused
    /// It has nothing stored that would answer.
    case noData

    /// The value, if there is one.
    @inlinable
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The same answer with another value.
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
