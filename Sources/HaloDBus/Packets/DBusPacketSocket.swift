#if os(Linux)
/// A socket that keeps packets apart, as services hand them out for a fast way beside the bus: it
/// is owned here, and read by a connection's thread.
///
/// Rules:
/// - `receive` is called for the packets in order, and `ended` once after the last: when the other
///   side is gone and all that it sent has been told, when it is closed here, when nobody holds it
///   any more, or when the connection has ended. A packet of no bytes is a packet, unless
///   nothing but such packets is left before the end: the system does not tell them from it.
/// - Both are called on the connection's thread, as its signals are. What had come to the socket
///   before a message of the bus is told before it, if the other side was gone by then: whoever
///   hears from the bus that a device is away has heard all that it said.
/// - Where much comes, others get their turn: a few packets of each socket at a time.
/// - A descriptor of anything else is closed at once.
/// - Packets of more than 65,536 bytes are passed over. Descriptors that come with packets are
///   closed by the system.
/// - It is closed on every path, by the thread: right before `ended`.
public final class DBusPacketSocket: Sendable {
    /// How many packets wait at most until the other side takes them.
    public static let queueLength = DBusPacketWatch.queueLength

    private let hub: DBusHub
    private let watch: DBusPacketWatch

    /// Takes over a descriptor. If the connection has ended, `ended` is called at once.
    public convenience init(
        owning descriptor: consuming DBusDescriptor, on connection: DBusConnection,
        receive: @escaping @Sendable ([UInt8]) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.init(descriptor, connection, .each(receive), ended)
    }

    /// The same; packets that have come at once are told at once.
    public convenience init(
        batching descriptor: consuming DBusDescriptor, on connection: DBusConnection,
        receive: @escaping @Sendable ([[UInt8]]) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.init(descriptor, connection, .all(receive), ended)
    }

    private init(
        _ descriptor: consuming DBusDescriptor, _ connection: DBusConnection,
        _ receiver: DBusPacketWatch.Receiver, _ ended: @escaping @Sendable () -> Void
    ) {
        hub = connection.hub
        watch = DBusPacketWatch(descriptor.release(), receive: receiver, ended: ended)
        hub.add(watch)
    }

    deinit { close() }

    /// Sends a packet: at once, or when the other side has taken what was sent before.
    ///
    /// The completion is called on the connection's thread: with true when the system has taken
    /// the packet, with false if it never will, because it has ended, the packet is too long, or
    /// ``queueLength`` others wait. If the connection has ended, it is called at once.
    public func send(
        _ packet: [UInt8], completion: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        switch watch.send(packet, completion) {
        case .done(let isTaken):
            if !hub.perform({ completion(isTaken) }) { completion(isTaken) }
        case .waits: hub.update { $0.watchesOthers = true }
        }
    }

    /// Ends it: no packet is told after this, but what is being told at this moment on the
    /// connection's thread.
    public func close() {
        watch.close()
        hub.remove(watch)
    }
}
#endif
