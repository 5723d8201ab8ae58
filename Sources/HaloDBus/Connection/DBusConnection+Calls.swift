#if os(Linux)
internal import Synchronization

extension DBusConnection {
    /// Asks something. The completion is called once: with the answer, or an error. If the
    /// connection has ended, that happens before this returns.
    @discardableResult
    public func call(
        _ call: DBusCall, descriptors: DBusDescriptors? = nil,
        timeout: Duration = defaultTimeout,
        completion: @escaping @Sendable (Result<DBusReply, DBusError>) -> Void
    ) -> DBusCancellation {
        do throws(DBusError) {
            return try begin(
                call, descriptors: descriptors, timeout: timeout, completion: completion)
        } catch {
            if !perform({ completion(.failure(error)) }) { completion(.failure(error)) }
            return DBusCancellation(hub, nil)
        }
    }

    /// Asks something. The completion is called once, on the connection's thread and nowhere
    /// else; if this throws, because nothing more can be asked, it never is.
    package func begin(
        _ call: DBusCall, descriptors: DBusDescriptors? = nil,
        timeout: Duration = defaultTimeout,
        completion: @escaping @Sendable (Result<DBusReply, DBusError>) -> Void
    ) throws(DBusError) -> DBusCancellation {
        let deadline = SystemSocket.now() &+ timeout.microseconds
        let serial = try hub.update { state throws(DBusError) -> UInt32 in
            let serial = try state.session.call(call, descriptors, until: deadline)
            state.completions[serial] = completion
            return serial
        }
        return DBusCancellation(hub, serial)
    }

    /// Asks something, and waits for the answer.
    public nonisolated(nonsending) func call(
        _ call: DBusCall, descriptors: DBusDescriptors? = nil,
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusReply {
        let answer = DBusAnswer<DBusReply>()
        let cancellation = self.call(call, descriptors: descriptors, timeout: timeout) {
            answer.resolve($0)
        }
        return try await answer.value { cancellation.cancel() }
    }

    /// Reads a property.
    public nonisolated(nonsending) func property(
        _ name: String, of interface: String, at path: DBusObjectPath, on destination: String,
        timeout: Duration = defaultTimeout
    ) async throws(DBusError) -> DBusValue {
        let get = DBusCall(
            "Get", of: DBusInterface.properties.name, at: path, on: destination,
            [.string(interface), .string(name)])
        return try await call(get, timeout: timeout).first().unwrapped
    }

    /// Writes a property.
    public nonisolated(nonsending) func setProperty(
        _ name: String, of interface: String, at path: DBusObjectPath, on destination: String,
        to value: DBusValue, timeout: Duration = defaultTimeout
    ) async throws(DBusError) {
        let set = DBusCall(
            "Set", of: DBusInterface.properties.name, at: path, on: destination,
            [.string(interface), .string(name), .variant(value)])
        _ = try await call(set, timeout: timeout)
    }

    /// Says that something has happened, to everybody who wants to hear it or to one.
    public func emit(_ signal: DBusSignal, to destination: String? = nil) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.emit(signal, to: destination)
        }
    }
}

/// Lets go of a call that was made.
public struct DBusCancellation: Sendable {
    private let hub: DBusHub
    private let serial: UInt32?

    init(_ hub: DBusHub, _ serial: UInt32?) {
        self.hub = hub
        self.serial = serial
    }

    /// The answer is not wanted any more: the completion is told so, unless it was called.
    public func cancel() {
        guard let serial else { return }
        hub.update { $0.session.cancel(serial) }
    }
}
#endif
