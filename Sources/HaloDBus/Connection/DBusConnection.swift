#if os(Linux)
internal import Synchronization

/// A connection to a bus: calls methods, receives signals, and exports objects.
///
/// Handlers and completions are called on the connection's one thread, in the order of the events:
/// replies, signals, requests. They must not block. All members may be used from any thread, also
/// from handlers. The connection is closed when it is released.
///
/// ```swift
/// import HaloDBus
///
/// let connection = try await DBusConnection.system()
/// let path = try DBusObjectPath("/org/bluez/hci0")
/// let adapter = connection.proxy(
///     destination: "org.bluez", path: path, interface: "org.bluez.Adapter1")
/// print(try await adapter.get("Powered", as: Bool.self))
/// try await adapter.call("StartDiscovery")
/// for try await signal in connection.signals(matching: DBusMatchRule(sender: "org.bluez")) {
///     print(signal.path, signal.member)
/// }
/// ```
public final class DBusConnection: Sendable {
    /// The default timeout of a call.
    public static let defaultTimeout: Duration = .seconds(25)
    let hub: DBusHub

    /// Creates a connection over a socket that is connected to a bus. Calls may be made at once;
    /// they are sent after the authentication.
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

    /// Connects to the first address that can be reached.
    public static nonisolated(nonsending) func connect(
        to addresses: [DBusAddress], timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        let connection = try open(addresses, timeout: timeout)
        try await connection.ready()
        return connection
    }

    /// Starts to connect to the first address that can be reached, without waiting.
    ///
    /// The connection can be used at once: calls, subscriptions, names and objects are sent after
    /// the authentication, in order. If no address can be reached before the timeout, or no bus
    /// accepts the client, the connection ends as it would if the bus died (``onEnd(_:)``).
    public static func open(
        _ addresses: [DBusAddress], timeout: Duration = defaultTimeout
    ) throws(DBusError) -> DBusConnection {
        try DBusConnection(addresses, timeout: timeout)
    }

    /// Connects to the system bus (``DBusAddress/systemBus()``).
    public static nonisolated(nonsending) func system(
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        try await connect(to: try DBusAddress.systemBus(), timeout: timeout)
    }

    /// Connects to the session bus of the user (``DBusAddress/sessionBus()``).
    public static nonisolated(nonsending) func session(
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        try await connect(to: try DBusAddress.sessionBus(), timeout: timeout)
    }

    /// Waits until the bus has accepted the client.
    public nonisolated(nonsending) func ready() async throws(DBusError) {
        let promise = DBusPromise<Void>()
        let result = hub.update { state -> Result<Void, DBusError>? in
            if let error = state.session.endError { return .failure(error) }
            if state.session.uniqueName != nil { return .success(()) }
            state.onReady.append { error in
                promise.resolve(error.map { .failure($0) } ?? .success(()))
            }
            return nil
        }
        if let result { promise.resolve(result) }
        try await promise.value()
    }

    /// The name that the bus assigned, such as `:1.5`; `nil` until then.
    public var uniqueName: String? { hub.state.withLock { $0.session.uniqueName } }

    /// The identifier of the bus, 32 hexadecimal digits; `nil` before the authentication.
    public var busID: String? { hub.state.withLock { $0.session.busID } }

    /// `true` if the bus passes file descriptors.
    public var passesDescriptors: Bool { hub.state.withLock { $0.session.passesDescriptors } }

    /// The reason for the end of the connection; `nil` before it.
    public var endError: DBusError? { hub.state.withLock { $0.session.endError } }

    /// Calls a handler once, after all others, when the connection has ended. If it has ended
    /// already, the handler is called at once.
    public func onEnd(_ handler: @escaping @Sendable (DBusError) -> Void) {
        let error = hub.update { state -> DBusError? in
            if !state.isFinished { state.onEnd.append(handler) }
            return state.isFinished ? state.session.endError : nil
        }
        if let error { handler(error) }
    }

    /// Ends the connection: pending calls fail with ``DBusError/Kind/disconnected``. Does not
    /// wait.
    public func close() {
        hub.update { $0.session.end(DBusError(.disconnected, details: "it was closed here")) }
    }

    // MARK: Calls

    /// Calls a method. The completion is called once, with the reply or an error. If the
    /// connection has ended, that happens before this returns.
    @discardableResult
    public func call(
        _ call: DBusCall, descriptors: DBusDescriptors? = nil,
        timeout: Duration = defaultTimeout,
        completion: @escaping @Sendable (Result<DBusReply, DBusError>) -> Void
    ) -> DBusPendingCall {
        do throws(DBusError) {
            return try begin(
                call, descriptors: descriptors, timeout: timeout, completion: completion)
        } catch {
            if !perform({ completion(.failure(error)) }) { completion(.failure(error)) }
            return DBusPendingCall(hub, nil)
        }
    }

    /// Calls a method. The completion is called once, always on the connection's thread; never if
    /// this throws.
    package func begin(
        _ call: DBusCall, descriptors: DBusDescriptors? = nil,
        timeout: Duration = defaultTimeout,
        completion: @escaping @Sendable (Result<DBusReply, DBusError>) -> Void
    ) throws(DBusError) -> DBusPendingCall {
        let deadline = SystemSocket.now() &+ timeout.microseconds
        let serial = try hub.update { state throws(DBusError) -> UInt32 in
            let serial = try state.session.call(call, descriptors, until: deadline)
            state.completions[serial] = completion
            return serial
        }
        return DBusPendingCall(hub, serial)
    }

    /// Calls a method, and waits for the reply. Cancelling the task throws
    /// ``DBusError/Kind/cancelled``.
    public nonisolated(nonsending) func call(
        _ call: DBusCall, descriptors: DBusDescriptors? = nil,
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusReply {
        let promise = DBusPromise<DBusReply>()
        let pending = self.call(call, descriptors: descriptors, timeout: timeout) {
            promise.resolve($0)
        }
        return try await promise.value { pending.cancel() }
    }

    /// Emits a signal, to all subscribers or to one name.
    public func emit(_ signal: DBusSignal, to destination: String? = nil) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.emit(signal, to: destination)
        }
    }

    // MARK: Names

    /// Options of a request for a name.
    public struct NameOptions: OptionSet, Hashable, Sendable {
        /// The bits as they are encoded.
        public let rawValue: UInt32

        /// Creates options from bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Other connections may replace this one as the owner.
        public static let allowsReplacement = NameOptions(rawValue: 1)
        /// Replaces an owner that allows it.
        public static let replacesOwner = NameOptions(rawValue: 2)
        /// Does not wait in the queue of the name.
        public static let doesNotQueue = NameOptions(rawValue: 4)
    }

    /// The result of a request for a name.
    public enum NameRequest: UInt32, Hashable, Sendable {
        /// This connection has become the owner.
        case owner = 1
        /// This connection waits in the queue of the name.
        case queued = 2
        /// Another connection is the owner.
        case taken = 3
        /// This connection was the owner before.
        case alreadyOwner = 4
    }

    /// Requests a well-known name.
    @discardableResult
    public nonisolated(nonsending) func requestName(
        _ name: String, _ options: NameOptions = [], timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> NameRequest {
        let reply = try await call(
            .bus(DBusMessageBus.requestName, .string(name), .uint32(options.rawValue)),
            timeout: timeout)
        guard case .uint32(let number) = try reply.first(),
            let result = NameRequest(rawValue: number)
        else { throw DBusError(.unexpectedReply, details: DBusMessageBus.requestName) }
        return result
    }

    /// Releases a well-known name; `false` if this connection was not its owner.
    @discardableResult
    public nonisolated(nonsending) func releaseName(
        _ name: String, timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> Bool {
        let reply = try await call(
            .bus(DBusMessageBus.releaseName, .string(name)), timeout: timeout)
        return try reply.first() == .uint32(1)
    }

    /// Returns the unique name of a name's owner; `nil` without an owner.
    public nonisolated(nonsending) func owner(
        of name: String, timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> String? {
        do throws(DBusError) {
            return try await call(
                .bus(DBusMessageBus.getNameOwner, .string(name)), timeout: timeout
            ).first(as: String.self)
        } catch {
            guard error.name == DBusErrorName.nameHasNoOwner else { throw error }
            return nil
        }
    }

    /// Returns the names of all connections.
    public nonisolated(nonsending) func names(
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> [String] {
        try await call(.bus(DBusMessageBus.listNames), timeout: timeout)
            .first(as: [String].self)
    }

    // MARK: The thread

    /// Runs a function on the connection's thread; `false` if the thread has ended: then the
    /// function is not run.
    package func perform(_ work: @escaping @Sendable () -> Void) -> Bool { hub.perform(work) }

    /// Calls the handlers that are due at once within a function: in one turn of a loop.
    package func callHandlers(_ within: @escaping @Sendable (() -> Void) -> Void) {
        hub.update { state in
            if !state.isFinished { state.within = within }
        }
    }

    /// Coalesces dense signals: each is delayed by at most the limit, and costs much
    /// less. Off by default.
    ///
    /// An event after a pause of that length is delivered at once. Nothing is delayed while a call
    /// waits for its reply, or on a connection that exports objects.
    package func coalesce(within limit: Duration) {
        hub.update { $0.coalescing.limit = limit.microseconds }
    }
}

/// A call that waits for its reply.
public struct DBusPendingCall: Sendable {
    private let hub: DBusHub
    private let serial: UInt32?

    init(_ hub: DBusHub, _ serial: UInt32?) {
        self.hub = hub
        self.serial = serial
    }

    /// Cancels the call: the completion receives ``DBusError/Kind/cancelled``, unless it has been
    /// called before.
    public func cancel() {
        guard let serial else { return }
        hub.update { $0.session.cancel(serial) }
    }
}

extension DBusAddress {
    /// The environment variable with the address of the system bus.
    package static let systemBusVariable = "DBUS_SYSTEM_BUS_ADDRESS"

    /// Returns the addresses of the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else
    /// `/var/run/dbus/system_bus_socket`.
    public static func systemBus() throws(DBusError) -> [DBusAddress] {
        try list(in: systemBusVariable, default: .path("/var/run/dbus/system_bus_socket"))
    }

    /// Returns the addresses of the user's session bus: `DBUS_SESSION_BUS_ADDRESS`, or else the
    /// file `bus` in the folder that `XDG_RUNTIME_DIR` names.
    public static func sessionBus() throws(DBusError) -> [DBusAddress] {
        try list(in: "DBUS_SESSION_BUS_ADDRESS", default: .runtime)
    }

    private static func list(
        in variable: String, default socket: Socket
    ) throws(DBusError) -> [DBusAddress] {
        guard let text = SystemSocket.environment(variable), !text.isEmpty else {
            return [DBusAddress(socket)]
        }
        do throws(DBusAddressError) {
            return try list(text)
        } catch {
            throw DBusError(.unreachable, details: "\(variable): \(error)")
        }
    }
}

/// A result that one task waits for; the first resolution counts.
final class DBusPromise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, DBusError>?
        var continuation: UnsafeContinuation<Result<Value, DBusError>, Never>?
    }

    private let state = Mutex(State())

    func resolve(_ result: Result<Value, DBusError>) {
        let continuation = state.withLock { state in
            guard state.result == nil else {
                return UnsafeContinuation<Result<Value, DBusError>, Never>?.none
            }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: result)
    }

    /// Waits for the result; cancelling the task throws ``DBusError/Kind/cancelled``.
    nonisolated(nonsending) func value(
        onCancel cancel: @escaping @Sendable () -> Void = {}
    ) async throws(DBusError) -> Value {
        try await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let ready = state.withLock { state -> Result<Value, DBusError>? in
                    if state.result == nil { state.continuation = continuation }
                    return state.result
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            resolve(.failure(DBusError(.cancelled)))
            cancel()
        }.get()
    }
}
#endif
