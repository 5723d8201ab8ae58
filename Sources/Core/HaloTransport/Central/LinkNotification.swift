public import HaloProtocol

/// A notification or an indication of a device.
public struct LinkNotification: Hashable, Sendable {
    /// The value of the characteristic.
    public let value: [UInt8]
    /// The arrival on the transport's timeline.
    public let moment: Moment
    /// The number of values that were dropped before this one because the buffer was full.
    public internal(set) var lostBefore: Int

    package init(value: [UInt8], moment: Moment, lostBefore: Int = 0) {
        self.value = value
        self.moment = moment
        self.lostBefore = lostBefore
    }
}
