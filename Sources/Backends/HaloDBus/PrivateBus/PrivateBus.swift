#if os(Linux)
package import HaloTransport

/// A message bus in this process, for a fake of a daemon.
///
/// Clients in any language connect to a Unix socket; connections of this process use socket pairs.
/// The bus implements names with their queues, match rules, monitors and descriptors. It starts no
/// programs, and forbids nothing. The bus ends when it is released.
///
/// Clients that send to one receiver take turns of 64 KiB, so that one that sends much does not
/// delay the others. A client that does not read delays no other: 127 MiB are buffered for it, as
/// on the system's bus; then it is disconnected. Calls and signals to its name fill at most half of
/// that, those of one sender an eighth: beyond that, calls fail with `LimitsExceeded`, and such
/// signals are lost.
/// All incomplete messages together have at most 256 MiB, and all that clients have asked for and
/// not read 254 MiB: beyond that, the client with the most bytes is disconnected, of the process
/// with the most.
public final class PrivateBus: Sendable {
    private let hub: BusHub

    package convenience init() throws(DBusError) { try self.init(limits: Limits()) }

    init(limits: Limits) throws(DBusError) {
        hub = try BusHub(limits: limits)
        try hub.start()
    }

    struct Limits: Sendable {
        /// The maximum number of bytes that are buffered for a client: `max_outgoing_bytes` of
        /// dbus-daemon on the system bus.
        var bufferBytes = 127 << 20
        /// The maximum number of bytes of all incomplete messages: two of the longest ones.
        var incompleteBytes = 256 << 20
        /// The maximum number of bytes that all clients have asked for and not read: two buffers.
        var unreadBytes = 254 << 20
    }

    package struct Expulsion: Hashable, Sendable {
        package enum Reason: Hashable, Sendable, CustomStringConvertible {
            case doesNotRead
            /// Incomplete messages have too many bytes, and its one the most.
            case incompleteMessage
            case malformed(DBusWireError)

            package var description: String {
                switch self {
                case .doesNotRead: "it does not read its messages"
                case .incompleteMessage: "it keeps a message incomplete that is too long"
                case .malformed(let error): "it sent a malformed message: \(error)"
                }
            }
        }

        package let client: String
        /// The number of its process; `nil` if the system does not report it.
        package let process: UInt32?
        package let reason: Reason
    }

    /// Sets the function that is called when the bus disconnects a client. It must return at once.
    package func onExpulsion(_ handler: @escaping @Sendable (Expulsion) -> Void) {
        hub.onExpulsion(handler)
    }

    deinit { close() }

    /// The identifier of the bus, 32 hexadecimal digits.
    package var id: String { hub.id }

    package nonisolated(nonsending) func connect(
        in loop: TransportLoop = TransportLoop()
    ) async throws(DBusError) -> DBusConnection {
        let connection = try DBusConnection(owning: try socket(), in: loop)
        try await connection.ready()
        return connection
    }

    package func socket() throws(DBusError) -> DBusDescriptor {
        let pair = try SystemSocket.pair()
        guard hub.send(.client(pair.0)) else {
            SystemSocket.close(pair.0)
            SystemSocket.close(pair.1)
            throw DBusError(.disconnected, details: "the bus is closed")
        }
        return DBusDescriptor(owning: pair.1)
    }

    package enum Access: Hashable, Sendable {
        /// The user of this process, and root.
        case user
        /// Every user of this computer, and of containers that share the file.
        case everyone
    }

    /// Listens at a file or an abstract name, by default at a unique name; returns the address for
    /// clients. The file is removed when the bus ends.
    package func listen(
        at place: DBusAddress.Socket? = nil, for access: Access = .user
    ) throws(DBusError) -> DBusAddress {
        let place = place ?? .abstract("halo-dbus-\(hub.id)-\(hub.nextNumber())")
        let socket = try SystemSocket.listen(at: place, forEveryone: access == .everyone)
        let listener = BusHub.Listener(socket: socket, access: access)
        guard hub.send(.listener(listener), file: place.path) else {
            if let path = place.path { SystemSocket.remove(path) }
            SystemSocket.close(socket)
            throw DBusError(.disconnected, details: "the bus is closed")
        }
        return DBusAddress(place, busID: hub.id)
    }

    /// Disconnects all clients, as a restart of the bus does.
    package func disconnectAll() { hub.send(.disconnectAll) }

    package func close() { hub.send(.close) }
}
#endif
