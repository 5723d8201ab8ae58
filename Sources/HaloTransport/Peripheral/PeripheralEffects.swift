public import HaloProtocol

/// What a device does about one event, in order.
public struct PeripheralEffects: Sendable {
    /// What was put down so far.
    public private(set) var all: [PeripheralEffect] = []

    /// Starts with nothing.
    public init() {}

    /// Puts down an effect.
    public mutating func append(_ effect: PeripheralEffect) {
        all.append(effect)
    }

    /// Forgets what was put down, and keeps the room for it.
    public mutating func removeAll() {
        all.removeAll(keepingCapacity: true)
    }

    /// Answers a read.
    public mutating func respond(_ value: [UInt8], to token: ResponseToken) {
        append(.value(value, token))
    }

    /// Answers a read with what a value has from a place on; a place behind its end is refused.
    public mutating func respond(_ value: [UInt8], from offset: Int, to token: ResponseToken) {
        guard 0...value.count ~= offset else { return refuse(.invalidOffset, token) }
        append(.value(Array(value[offset...]), token))
    }

    /// Answers a write with yes; nothing to do if it wanted no answer.
    public mutating func accept(_ token: ResponseToken?) {
        if let token { append(.done(token)) }
    }

    /// Answers with no; nothing to do if no answer was wanted.
    public mutating func refuse(_ error: ATTError, _ token: ResponseToken?) {
        if let token { append(.refuse(error, token)) }
    }

    /// Sends a value unasked.
    public mutating func notify(_ attribute: AttributeID, _ value: [UInt8]) {
        append(.notify(attribute, value))
    }

    /// Asks to be woken; nothing means never.
    public mutating func wake(at moment: Moment?) {
        append(.wake(moment))
    }
}
