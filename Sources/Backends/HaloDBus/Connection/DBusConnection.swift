#if os(Linux)
package import HaloTransport

/// A connection to a bus: calls methods, receives signals, and exports objects.
///
/// Handlers and completions are called in turns of the connection's loop, in the order of the
/// events: replies, signals, requests. They must not block. All members may be used from any
/// thread, also from handlers. The connection is closed when it is released.
package final class DBusConnection: Sendable {
    package static let defaultTimeout: Duration = .seconds(25)
    let hub: DBusHub

    /// Creates a connection over a socket to a bus; calls are sent after the authentication.
    package init(
        owning socket: consuming DBusDescriptor, in loop: TransportLoop = TransportLoop(),
        timeout: Duration = defaultTimeout
    ) throws(DBusError) {
        try SystemSocket.stopWaiting(socket.number)
        hub = try DBusHub(in: loop, timeout: timeout)
        let number = socket.release()
        hub.update { $0.socket = number }
        try hub.start()
    }

    /// Starts to connect to the first address that can be reached, without waiting.
    ///
    /// The connection can be used at once: calls, subscriptions, names and objects are sent after
    /// the authentication, in order. If no address can be reached before the timeout, or no bus
    /// accepts the client, the connection ends as it would if the bus died (``onEnd(_:)``).
    package init(
        opening addresses: [DBusAddress], in loop: TransportLoop = TransportLoop(),
        timeout: Duration = defaultTimeout
    ) throws(DBusError) {
        guard !addresses.isEmpty else {
            throw DBusError(.unreachable, details: DBusWireError(.empty, at: 0).description)
        }
        hub = try DBusHub(in: loop, timeout: timeout)
        try hub.start(addresses)
    }

    deinit { hub.loop.later { [hub] in Self.close(hub) } }

    /// Connects to the first address that can be reached.
    package static nonisolated(nonsending) func connect(
        to addresses: [DBusAddress], in loop: TransportLoop = TransportLoop(),
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusConnection {
        let connection = try DBusConnection(opening: addresses, in: loop, timeout: timeout)
        try await connection.ready()
        return connection
    }

    package var loop: TransportLoop { hub.loop }

    /// Creates a promise, for which a task waits in real time.
    func promise<Value>() -> Promise<Value, DBusError> {
        Promise(cancelled: .failure(DBusError(.cancelled)), on: SystemTime(in: loop))
    }

    /// Waits until the bus has accepted the client.
    package nonisolated(nonsending) func ready() async throws(DBusError) {
        let promise: Promise<Void, DBusError> = promise()
        try await promise.value {
            let result = hub.update { state -> Result<Void, DBusError>? in
                if let error = state.session.endError { return .failure(error) }
                if state.session.uniqueName != nil { return .success(()) }
                state.onReady.append { error in
                    promise.resolve(error.map { .failure($0) } ?? .success(()))
                }
                return nil
            }
            if let result { promise.resolve(result) }
            return nil
        }
    }

    /// The name that the bus assigned, such as `:1.5`; `nil` until then.
    package var uniqueName: String? { hub.read { $0.session.uniqueName } }

    /// The identifier of the bus, 32 hexadecimal digits; `nil` before the authentication.
    package var busID: String? { hub.read { $0.session.busID } }

    package var endError: DBusError? { hub.read { $0.session.endError } }

    /// Calls a handler once, after all others, when the connection has ended. If it has ended
    /// already, the handler is called at the end of the turn.
    package func onEnd(_ handler: @escaping @Sendable (DBusError) -> Void) {
        let error = hub.update { state -> DBusError? in
            if state.hasEnded { return state.session.endError }
            state.onEnd.append(handler)
            return nil
        }
        if let error { hub.loop.later { handler(error) } }
    }

    /// Ends the connection: pending calls fail with ``DBusError/Kind/disconnected``. Messages that
    /// were sent before are still written, as far as the socket accepts them. Does not wait.
    package func close() { Self.close(hub) }

    private static func close(_ hub: DBusHub) {
        hub.update { state in
            state.write()
            state.session.end(DBusError(.disconnected, details: "it was closed here"))
        }
    }

    // MARK: Calls

    /// Calls a method. The completion is called once, in a later part of the turn or in a later
    /// turn, with the reply or an error: ``DBusError/Kind/cancelled`` if the call was cancelled.
    @discardableResult
    package func call(
        _ call: DBusCall, timeout: Duration = defaultTimeout,
        completion: @escaping @Sendable (Result<DBusReply, DBusError>) -> Void
    ) -> BLECancellable {
        let deadline = SystemSocket.now() &+ timeout.microseconds
        do throws(DBusError) {
            let serial = try hub.update { state throws(DBusError) -> UInt32 in
                let serial = try state.session.call(call, until: deadline)
                state.completions[serial] = completion
                return serial
            }
            return BLECancellable { [hub] in hub.update { $0.session.cancel(serial) } }
        } catch {
            hub.loop.later { completion(.failure(error)) }
            return BLECancellable {}
        }
    }

    /// Calls a method, and waits for the reply. Cancelling the task throws
    /// ``DBusError/Kind/cancelled``.
    package nonisolated(nonsending) func call(
        _ call: DBusCall, timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusReply {
        let promise: Promise<DBusReply, DBusError> = promise()
        return try await promise.value {
            self.call(call, timeout: timeout, completion: promise.completion)
        }
    }

    package func emit(_ signal: DBusSignal) throws(DBusError) {
        try hub.update { state throws(DBusError) in try state.session.emit(signal) }
    }

    // MARK: Names

    package struct NameOptions: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let allowsReplacement = NameOptions(rawValue: 1)
        package static let replacesOwner = NameOptions(rawValue: 2)
        package static let doesNotQueue = NameOptions(rawValue: 4)
    }

    package enum NameRequest: UInt32, Hashable, Sendable {
        case owner = 1
        case queued = 2
        case taken = 3
        case alreadyOwner = 4
    }

    @discardableResult
    package nonisolated(nonsending) func requestName(
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

    /// Returns the unique name of a name's owner; `nil` without an owner.
    package nonisolated(nonsending) func owner(
        of name: String, timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> String? {
        do throws(DBusError) {
            let reply = try await call(
                .bus(DBusMessageBus.getNameOwner, .string(name)), timeout: timeout)
            guard let owner = try reply.first().string else {
                throw DBusError(.unexpectedReply, details: DBusMessageBus.getNameOwner)
            }
            return owner
        } catch {
            guard error.name == DBusErrorName.nameHasNoOwner else { throw error }
            return nil
        }
    }

    /// Coalesces dense signals: each is delayed by at most the limit, and costs much
    /// less. Off by default.
    ///
    /// An event after a pause of that length is delivered at once. Nothing is delayed while a call
    /// waits for its reply or right after it, or on a connection that exports objects.
    package func coalesce(within limit: Duration) {
        hub.update { $0.coalescing.limit = limit.microseconds }
    }

    /// Exports an object at a free path.
    ///
    /// Reads of properties are answered from the stored values; the handler is called for method
    /// calls and property writes. Object managers at paths above signal the new object.
    package func export(
        _ object: DBusObject, at path: DBusObjectPath,
        handler: @escaping @Sendable (DBusRequest) -> Void = { _ in }
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.export(object, at: path)
            state.objects[path] = handler
        }
    }

    /// Removes an exported object; `false` if there was none.
    @discardableResult
    package func unexport(_ path: DBusObjectPath) -> Bool {
        let object = hub.update { state in
            state.session.unexport(path)
            return state.objects.removeValue(forKey: path)
        }
        return object != nil
    }

    /// Stops receiving while more than a number of bytes is unsent, so that the reply to one caller
    /// does not come after too many to others.
    package func waitWhileUnsent(_ byteCount: Int) {
        hub.update { $0.session.limits.bytesWhileReceiving = byteCount }
    }

    package func setErrorStyle(_ style: DBusErrorStyle) {
        hub.update { $0.session.objects.errorStyle = style }
    }

    /// Sets values of an exported object's properties, or removes them by `nil`. One
    /// `PropertiesChanged` signals all of them, unless `emitsChange` is `false`.
    package func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        emitsChange: Bool = true
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.set(values, of: interface, at: path, emitsChange: emitsChange)
        }
    }

    /// Adds an interface, whose requests go to the object's handler; object managers signal it.
    package func add(
        _ interface: DBusInterface, values: [String: DBusValue] = [:], to path: DBusObjectPath
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.add(interface, values, to: path)
        }
    }

    /// Removes an interface from an exported object; object managers above signal it. Returns
    /// `false` if there was none.
    @discardableResult
    package func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        try hub.update { state throws(DBusError) in
            try state.session.remove(interface, from: path)
        }
    }
}

extension DBusAddress {
    package static let systemBusVariable = "DBUS_SYSTEM_BUS_ADDRESS"

    /// Returns the addresses of the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else
    /// `/var/run/dbus/system_bus_socket`.
    package static func systemBus() throws(DBusError) -> [DBusAddress] {
        guard let text = SystemSocket.environment(systemBusVariable), !text.isEmpty else {
            return [DBusAddress(.path("/var/run/dbus/system_bus_socket"))]
        }
        do throws(DBusWireError) {
            return try list(text)
        } catch {
            throw DBusError(.invalidAddress, details: "\(systemBusVariable): \(error)")
        }
    }
}
#endif
