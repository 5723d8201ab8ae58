#if os(Linux)
internal import Synchronization

/// A message bus in this process: for tests, and for programs that need a service without the
/// system's bus.
///
/// Clients in any language connect to a Unix socket; connections of this process use socket pairs.
/// The bus implements names with their queues, match rules, monitors and descriptors. It starts no
/// programs, and forbids nothing. The bus ends when it is released.
///
/// A slow client does not delay others: 127 MiB are buffered for it, as on the system's bus. Beyond
/// that, calls to it fail with `LimitsExceeded`, and it loses other messages.
public final class PrivateBus: Sendable {
    private let hub: BusHub

    /// Creates a bus without clients.
    public convenience init() throws(DBusError) {
        try self.init(bufferLimit: BusHub.defaultBufferLimit)
    }

    /// Creates a bus with another maximum of bytes that are buffered for a client.
    init(bufferLimit: Int) throws(DBusError) {
        hub = try BusHub(bufferLimit: bufferLimit)
        try hub.start()
    }

    deinit { close() }

    /// The identifier of the bus, 32 hexadecimal digits.
    public var id: String { hub.id }

    /// Connects to the bus.
    public nonisolated(nonsending) func connect() async throws(DBusError) -> DBusConnection {
        let connection = try DBusConnection(owning: try socket())
        try await connection.ready()
        return connection
    }

    /// Creates a socket that is connected to the bus.
    public func socket() throws(DBusError) -> DBusDescriptor {
        let pair = try SystemSocket.pair()
        guard hub.add(pair.0) else {
            SystemSocket.close(pair.0)
            SystemSocket.close(pair.1)
            throw DBusError(.disconnected, details: "the bus is closed")
        }
        return DBusDescriptor(owning: pair.1)
    }

    /// The users whose programs may connect.
    public enum Access: Hashable, Sendable {
        /// The user of this process, and root.
        case user
        /// Every user of this computer, and of containers that share the file.
        case everyone
    }

    /// Listens at a file or an abstract name, by default at a unique name; returns the address for
    /// clients. The file is removed when the bus ends.
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

    /// Disconnects all clients, as a restart of the bus does.
    public func disconnectAll() { hub.disconnectAll() }

    /// Ends the bus.
    public func close() { hub.close() }
}

/// A listening socket.
struct BusListener: Sendable {
    let socket: Int32
    let access: PrivateBus.Access

    /// `true` if a user may connect. `nil` means that the system does not report the user.
    func admits(_ user: UInt32?) -> Bool {
        switch access {
        case .user: user == SystemSocket.userID || user == 0
        case .everyone: true
        }
    }
}

/// The state that the private bus shares with its thread.
final class BusHub: Sendable {
    struct State: Sendable {
        var arriving: [Int32] = []
        var listeners: [BusListener] = []
        /// Files to remove when the bus ends.
        var files: [String] = []
        var mustDisconnectAll = false
        /// Clients that arrived before ``disconnectAll()``.
        var disconnecting: [Int32] = []
        var isClosed = false
    }

    let id: String
    /// The maximum number of bytes that are buffered for a client.
    let bufferLimit: Int
    let wakeReader: Int32
    private let state = Mutex(State())
    private let wakeWriter: Int32

    /// `max_outgoing_bytes` of dbus-daemon on the system bus.
    static let defaultBufferLimit = 127 << 20

    init(bufferLimit: Int = BusHub.defaultBufferLimit) throws(DBusError) {
        self.bufferLimit = bufferLimit
        var random = SystemRandomNumberGenerator()
        let bytes: [UInt8] = (0..<16).map { _ in random.next() }
        id = AuthenticationLine.hexadecimal(bytes)
        let pair = try SystemSocket.pair()
        (wakeReader, wakeWriter) = (pair.0, pair.1)
    }

    deinit {
        SystemSocket.close(wakeReader)
        SystemSocket.close(wakeWriter)
    }

    func start() throws(DBusError) {
        let hasStarted = SystemThread.start { [self] in
            var loop = BusLoop(self)
            loop.run()
        }
        guard hasStarted else {
            throw DBusError(.limitExceeded, details: "no thread can be started")
        }
    }

    func add(_ socket: Int32) -> Bool {
        change { state in
            guard !state.isClosed else { return false }
            state.arriving.append(socket)
            return true
        }
    }

    func addListener(_ listener: BusListener, _ place: DBusAddress.Socket) -> Bool {
        change { state in
            guard !state.isClosed else { return false }
            state.listeners.append(listener)
            if case .path(let path) = place { state.files.append(path) }
            return true
        }
    }

    /// Disconnects the clients that have arrived so far; later ones stay connected.
    func disconnectAll() {
        change { state in
            state.mustDisconnectAll = true
            state.disconnecting += state.arriving
            state.arriving = []
        }
    }

    /// Ends the bus. Files are removed before this returns, as the process may end right after it.
    func close() {
        let files = change { state in
            state.isClosed = true
            defer { state.files = [] }
            return state.files
        }
        for file in files { SystemSocket.remove(file) }
    }

    /// Returns the pending work.
    func drain() -> State {
        state.withLock { state in
            let drained = state
            state.arriving = []
            state.disconnecting = []
            state.mustDisconnectAll = false
            return drained
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let value = state.withLock { change(&$0) }
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(wakeWriter, $0, []) }
        return value
    }
}
#endif
