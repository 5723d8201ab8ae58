public import HaloProtocol

/// A value that a device has sent by itself.
public struct LinkNotification: Hashable, Sendable {
    /// The value.
    public let value: [UInt8]
    /// When it arrived, on the transport's timeline.
    public let moment: Moment
    /// How many values that came before it had to be dropped, because nobody took them in time.
    public let lostBefore: Int

    /// A value that arrived.
    public init(value: [UInt8], moment: Moment, lostBefore: Int = 0) {
        self.value = value
        self.moment = moment
        self.lostBefore = lostBefore
    }
}
