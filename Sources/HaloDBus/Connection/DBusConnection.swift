#if os(Linux)
internal import Synchronization

/// A connection to a bus: asks others, hears signals, and exports objects.
///
/// It has one thread, on which everything is called that is given to it, in the order in which
/// things happened: answers, signals, requests. What is called there is not to wait. Everything
/// may be used from any thread, also from what is called. It is closed when nobody holds it.
public final class DBusConnection: Sendable {
    /// How long others have to answer, unless it is said otherwise.
    public static let defaultTimeout: Duration = .seconds(25)
    let hub: DBusHub

    /// A connection over a socket that is connected to a bus already. It begins at once: what is
    /// asked for before the bus has let us in is sent after that.
    public convenience init(
        owning socket: consuming DBusDescriptor, timeout: Duration = defaultTimeout
    ) throws(DBusError) {
        try self.init(owning: socket, limits: DBusSession.Limits(), timeout: timeout)
    }

    init(
        owning socket: consuming DBusDescriptor, limits: DBusSession.Limits,
        timeout: Duration = defaultTimeout
    ) throws(DBusError) {
        try SystemSocket.stopWaiting(socket.number)
        hub = try DBusHub(nil, limits: limits, timeout: timeout)
        let number = socket.release()
        hub.state.withLock { $0.socket = number }
        try hub.start()
    }

    private init(_ addresses: [DBusAddress], timeout: Duration) throws(DBusError) {
        guard !addresses.isEmpty else {
            throw DBusError(.unreachable, details: DBusAddressError(.empty, at: 0).description)
        }
        hub = try DBusHub(nil, timeout: timeout)
        try hub.start(addresses)
    }

    deinit { close() }

    /// Connects to the first of these that can be reached.
    public static nonisolated(nonsending) func connect(
        to addresses: [DBusAddress], timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        let connection = try open(addresses, timeout: timeout)
        try await connection.ready()
        return connection
    }

    /// Begins to connect to the first of these that can be reached, and waits for nothing.
    ///
    /// It can be used at once: calls, subscriptions, names and objects wait until the bus has let
    /// us in, and go out in their order. If none can be reached in time, or none lets us in, the
    /// connection ends as it would if the bus died: ``onEnd(_:)`` tells why.
    public static func open(
        _ addresses: [DBusAddress], timeout: Duration = defaultTimeout
    ) throws(DBusError) -> DBusConnection {
        try DBusConnection(addresses, timeout: timeout)
    }

    /// Connects to the bus of the system: where `DBUS_SYSTEM_BUS_ADDRESS` says, or else at the
    /// usual place.
    public static nonisolated(nonsending) func system(
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        try await connect(to: try DBusAddress.systemBus(), timeout: timeout)
    }

    /// Connects to the bus of the person who is logged in: where `DBUS_SESSION_BUS_ADDRESS`
    /// says, or else in the folder that `XDG_RUNTIME_DIR` names.
    public static nonisolated(nonsending) func session(
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        try await connect(to: try DBusAddress.sessionBus(), timeout: timeout)
    }

    /// Waits until the bus has let us in.
    public nonisolated(nonsending) func ready() async throws(DBusError) {
        let answer = DBusAnswer<Void>()
        let result = hub.update { state -> Result<Void, DBusError>? in
            if let error = state.session.endError { return .failure(error) }
            if state.session.uniqueName != nil { return .success(()) }
            state.onReady.append { error in
                answer.resolve(error.map { .failure($0) } ?? .success(()))
            }
            return nil
        }
        if let result { answer.resolve(result) }
        try await answer.value()
    }

    /// The name that the bus gave us, when it has.
    public var uniqueName: String? { hub.state.withLock { $0.session.uniqueName } }

    /// What the bus calls itself: 32 hexadecimal digits.
    public var busID: String? { hub.state.withLock { $0.session.busID } }

    /// Whether file descriptors can travel.
    public var passesDescriptors: Bool { hub.state.withLock { $0.session.passesDescriptors } }

    /// Why the connection has ended, if it has.
    public var endError: DBusError? { hub.state.withLock { $0.session.endError } }

    /// Calls something once when the connection has ended, after everything else; at once if it
    /// has.
    public func onEnd(_ handler: @escaping @Sendable (DBusError) -> Void) {
        let error = hub.update { state -> DBusError? in
            if !state.isFinished { state.onEnd.append(handler) }
            return state.isFinished ? state.session.endError : nil
        }
        if let error { handler(error) }
    }

    /// Runs work on the connection's thread, after what is being called there. `false` if it has
    /// no thread any more, since it has ended: then the work is not run.
    package func perform(_ work: @escaping @Sendable () -> Void) -> Bool { hub.perform(work) }

    /// Calls `begin` before several things are called that came at once, and `end` after them:
    /// who passes them on to others can have them wait until all are there.
    public func aroundMuch(
        begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) {
        hub.update { state in
            if !state.isFinished { state.around = (begin, end) }
        }
    }

    /// Lets signals and packets that come densely come together before they are told: each waits
    /// for at most so long, and costs much less. What comes after a pause of that length is told
    /// at once, and so is everything while a call waits for its answer, and on a connection that
    /// exports objects, of which others may ask something. Usually nothing waits.
    public func gather(for limit: Duration) {
        hub.update { $0.gathering.limit = limit.microseconds }
    }

    /// Ends the connection: what waits for answers is told so. Nothing is waited for.
    public func close() {
        hub.update { $0.session.end(DBusError(.disconnected, details: "it was closed here")) }
    }
}
#endif
