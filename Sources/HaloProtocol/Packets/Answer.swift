/// The meaning of a ring's reply. A refusal is an answer, not an error.
@frozen
public enum Answer<Value> {
    /// The ring replied with a value.
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

/// The direction of a packet.
public enum Direction: Hashable, Sendable, CaseIterable {
    /// From an app to a device.
    case toDevice
    /// From a device to an app.
    case fromDevice
}

/// The evidence for a fact about rings.
public enum Evidence: Hashable, Sendable, CaseIterable {
    /// Traffic of real rings, with a valid checksum.
    case captured
    /// Two or more independent implementations that agree, without a capture.
    case severalSources
    /// Notes on the vendor's app only.
    case vendor
    /// One unverified source.
    case oneSource
}

extension Evidence: CustomStringConvertible {
    /// The evidence in words.
    public var description: String {
        switch self {
        case .captured: "captures"
        case .severalSources: "several sources"
        case .vendor: "vendor notes"
        case .oneSource: "one source"
        }
    }
}
