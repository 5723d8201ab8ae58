public import HaloProtocol

/// The values that a device sends of one characteristic, in their order.
///
/// It holds a share of the subscription on the device, and gives it back when it and its
/// iterators are dropped; the last one switches the device's sending off. It also keeps the link
/// open. When more values wait than its buffer holds, the oldest are dropped, and the next one
/// says in ``LinkNotification/lostBefore`` how many.
///
/// What arrived before the end is given out first. Then it ends quietly if the app has closed
/// the link, and otherwise throws ``BLEError/Kind/disconnected`` with the link's reason. When the
/// device's services have changed, it throws ``BLEError/Kind/noSuchAttribute``: discover, and
/// subscribe again. When the waiting task is cancelled, it throws ``BLEError/Kind/cancelled``,
/// and another task may go on from there.
public typealias Notifications = TransportUpdates<LinkNotification>

/// A value that a device has sent by itself.
public struct LinkNotification: Hashable, Sendable {
    /// The value.
    public let value: [UInt8]
    /// When it arrived, on the transport's timeline.
    public let moment: Moment
    /// How many values before it were dropped, because they were not taken in time.
    public internal(set) var lostBefore: Int

    /// A value that arrived.
    public init(value: [UInt8], moment: Moment, lostBefore: Int = 0) {
        self.value = value
        self.moment = moment
        self.lostBefore = lostBefore
    }
}

/// Everything that happens on a link, over all characteristics, in the one order in which it did.
///
/// It has the values of every subscription of the link; it makes none itself. When more events
/// wait than its buffer holds, the oldest are dropped, and the next one says in
/// ``ReceivedEvent/lostBefore`` how many.
///
/// The last element is always ``LinkEvent/disconnected(_:)`` with the link's reason; then it ends
/// quietly. It throws only ``BLEError/Kind/cancelled``, when the waiting task is. It keeps the
/// link open as long as it or an iterator of it is held.
public typealias LinkEvents = TransportUpdates<ReceivedEvent>

/// Something that has happened on a link, and when.
public struct ReceivedEvent: Hashable, Sendable {
    /// What has happened.
    public let event: LinkEvent
    /// When it happened, on the transport's timeline.
    public let moment: Moment
    /// How many events before it were dropped, because they were not taken in time.
    public internal(set) var lostBefore: Int

    /// An event that was received.
    public init(_ event: LinkEvent, moment: Moment, lostBefore: Int = 0) {
        self.event = event
        self.moment = moment
        self.lostBefore = lostBefore
    }
}
