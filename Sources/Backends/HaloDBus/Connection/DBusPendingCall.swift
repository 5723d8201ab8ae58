#if os(Linux)

/// A call that waits for its reply.
package struct DBusPendingCall: Sendable {
    private let hub: DBusHub
    private let serial: UInt32?

    init(_ hub: DBusHub, _ serial: UInt32?) {
        self.hub = hub
        self.serial = serial
    }

    /// Cancels the call: the completion receives ``DBusError/Kind/cancelled``, unless it has been
    /// called before.
    package func cancel() {
        guard let serial else { return }
        hub.update { $0.session.cancel(serial) }
    }
}
#endif
