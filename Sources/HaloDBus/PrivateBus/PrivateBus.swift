#if os(Linux)
/// A bus of one's own, in this program: for tests, and for programs that are to meet a service
/// without the system's bus.
///
/// It speaks the protocol as any bus does: programs in other languages connect to a socket that
/// it listens at, connections of this program come over socket pairs. It knows names and their
/// queues, rules, monitors and descriptors; it starts no programs and forbids nothing. A client
/// that does not take what is sent to it holds nobody up: 127 MiB are kept for it, as on the
/// system's bus; then calls to it are refused with `LimitsExceeded`, and it misses the rest. The
/// bus ends when nobody holds it.
public final class PrivateBus: Sendable {
    private let hub: BusHub

    /// A bus without clients.
    public convenience init() throws(DBusError) {
        try self.init(mostKept: BusHub.usuallyKept)
    }

    /// A bus that keeps so many bytes for a client that does not take them.
    init(mostKept: Int) throws(DBusError) {
        hub = try BusHub(mostKept: mostKept)
        try hub.start()
    }

    deinit { close() }

    /// What the bus calls itself: 32 hexadecimal digits.
    public var id: String { hub.id }

    /// A connection to the bus.
    public nonisolated(nonsending) func connect() async throws(DBusError) -> DBusConnection {
        let connection = try DBusConnection(owning: try socket())
        try await connection.ready()
        return connection
    }

    /// A socket whose other end the bus holds.
    public func socket() throws(DBusError) -> DBusDescriptor {
        let pair = try SystemSocket.pair()
        guard hub.add(pair.0) else {
            SystemSocket.close(pair.0)
            SystemSocket.close(pair.1)
            throw DBusError(.disconnected, details: "the bus is closed")
        }
        return DBusDescriptor(owning: pair.1)
    }

    /// Whose programs may connect.
    public enum Access: Hashable, Sendable {
        /// Those of the user that this program runs as, and root's.
        case user
        /// Everybody's on this computer, and in containers that share the file.
        case everyone
    }

    /// Lets programs connect: at a file, which is removed in the end, or at a name that is none,
    /// by default one that nobody else has. Gives the address that they need.
    public func listen(
        at place: DBusAddress.Socket? = nil, for access: Access = .user
    ) throws(DBusError) -> DBusAddress {
        let place = place ?? .abstract("halo-dbus-\(hub.id)-\(SystemSocket.now())")
        guard let place = place.resolved(SystemSocket.environment) else {
            throw DBusError(.unreachable, details: "no usable place")
        }
        let socket = try SystemSocket.listen(at: place, forEveryone: access == .everyone)
        guard hub.addListener(BusListener(socket: socket, access: access), place) else {
            SystemSocket.close(socket)
            throw DBusError(.disconnected, details: "the bus is closed")
        }
        let address = DBusAddress(place)
        return DBusAddress(
            address.transport, address.values.merging(["guid": hub.id]) { $1 })
    }

    /// Cuts off everybody who is there now, as if the bus had been started again.
    public func disconnectAll() { hub.disconnectAll() }

    /// Ends the bus.
    public func close() { hub.close() }
}
#endif
