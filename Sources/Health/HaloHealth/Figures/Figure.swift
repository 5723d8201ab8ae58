/// The value of a figure, or the reason why there is none: what is missing is never zero.
public enum Figure<Value: Sendable>: Sendable {
    /// The value of a day or a night that is over.
    case value(Value)
    /// The value of a day or a night that was not over at the time of the read.
    case soFar(Value)
    /// No value, and the reason.
    case missing(MissingData)

    /// The value, final or so far; `nil` if it is missing.
    public var value: Value? {
        switch self {
        case .value(let value), .soFar(let value): value
        case .missing: nil
        }
    }

    /// The reason why there is no value; `nil` if there is one.
    public var missing: MissingData? {
        guard case .missing(let reason) = self else { return nil }
        return reason
    }

    /// Returns the figure with another value made of this one, as in
    /// `day.night.map(\.asleepMinutes)`.
    public func map<Other>(_ transform: (Value) -> Other) -> Figure<Other> {
        switch self {
        case .value(let value): .value(transform(value))
        case .soFar(let value): .soFar(transform(value))
        case .missing(let reason): .missing(reason)
        }
    }

    func flatMap<Other>(_ transform: (Value) -> Figure<Other>) -> Figure<Other> {
        switch self {
        case .value(let value), .soFar(let value): transform(value)
        case .missing(let reason): .missing(reason)
        }
    }
}

extension Figure: Equatable where Value: Equatable {}

extension Figure: Hashable where Value: Hashable {}

extension Figure: Encodable where Value: Encodable {}

extension Figure: Decodable where Value: Decodable {}

extension Figure: CustomStringConvertible {
    /// `8231`, `2061 so far`, or the reason in words.
    /// ``FigureDefinition/text(of:)-(Figure<Double>)`` has the unit as well.
    public var description: String {
        switch self {
        case .value(let value): Self.text(value)
        case .soFar(let value): "\(Self.text(value)) so far"
        case .missing(let reason): "\(reason)"
        }
    }

    private static func text(_ value: Value) -> String {
        (value as? Double).map { FigureNumber.text($0) } ?? "\(value)"
    }
}
