public import HaloProtocol

/// The effects of one event, in order.
public struct PeripheralEffects: Sendable {
    /// The effects so far.
    public private(set) var all: [PeripheralEffect] = []

    /// Creates an empty list of effects.
    public init() {}

    /// Appends an effect.
    public mutating func append(_ effect: PeripheralEffect) {
        all.append(effect)
    }

    /// Removes all effects, and keeps the capacity.
    public mutating func removeAll() {
        all.removeAll(keepingCapacity: true)
    }

    /// Responds to a read.
    public mutating func respond(_ value: [UInt8], to token: ResponseToken) {
        append(.value(value, token))
    }

    /// Responds to a read with a value, beginning at an offset; refuses an offset beyond its end.
    public mutating func respond(_ value: [UInt8], from offset: Int, to token: ResponseToken) {
        guard 0...value.count ~= offset else { return refuse(.invalidOffset, token) }
        append(.value(Array(value[offset...]), token))
    }

    /// Confirms a write, if the central expects a response.
    public mutating func accept(_ token: ResponseToken?) {
        if let token { append(.done(token)) }
    }

    /// Refuses a read, or a write that expects a response.
    public mutating func refuse(_ error: ATTError, _ token: ResponseToken?) {
        if let token { append(.refuse(error, token)) }
    }

    /// Sends a notification.
    public mutating func notify(_ attribute: AttributeID, _ value: [UInt8]) {
        append(.notify(attribute, value))
    }

    /// Requests ``PeripheralEvent/woken`` at a moment; `nil` for never.
    public mutating func wake(at moment: Moment?) {
        append(.wake(moment))
    }
}
