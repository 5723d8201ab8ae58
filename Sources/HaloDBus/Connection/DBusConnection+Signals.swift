#if os(Linux)
internal import Synchronization

extension DBusConnection {
    /// Hears the signals that a rule means, for as long as the subscription is held.
    ///
    /// What is asked for after this is answered after the bus knows the rule: nothing is missed
    /// in between. `ready` is called once when the bus has said so, or refused; after a refusal no
    /// signals come.
    public func subscribe(
        _ rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        ready: (@Sendable (DBusError?) -> Void)? = nil,
        receive: @escaping @Sendable (DBusSignal) -> Void
    ) throws(DBusError) -> DBusSubscription {
        try subscribe(rule, timeout, ready, .each(receive))
    }

    /// Hears the signals that a rule means, as ``subscribe(_:timeout:ready:receive:)`` does; those
    /// that have come at once, with nothing else between them, are told at once.
    ///
    /// With `values`, bytes that one property has again and again are told there, and not as the
    /// signals that they came in: that costs much less. The order of all is kept.
    public func subscribe(
        batching rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        ready: (@Sendable (DBusError?) -> Void)? = nil,
        values: (@Sendable (DBusPropertyValues) -> Void)? = nil,
        receive: @escaping @Sendable ([DBusSignal]) -> Void
    ) throws(DBusError) -> DBusSubscription {
        try subscribe(rule, timeout, ready, .all(receive, values: values))
    }

    private func subscribe(
        _ rule: DBusMatchRule, _ timeout: Duration, _ ready: (@Sendable (DBusError?) -> Void)?,
        _ receiver: DBusHub.Subscriber.Receiver
    ) throws(DBusError) -> DBusSubscription {
        let deadline = SystemSocket.now() &+ timeout.microseconds
        let id = try hub.update { state throws(DBusError) -> UInt32 in
            let id = try state.session.subscribe(rule, until: deadline)
            state.subscribers[id] = DBusHub.Subscriber(receiver: receiver, ready: ready)
            return id
        }
        return DBusSubscription(hub, id)
    }

    /// Hears the signals that a rule means, and waits until the bus knows the rule.
    public nonisolated(nonsending) func subscription(
        _ rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        receive: @escaping @Sendable (DBusSignal) -> Void
    ) async throws(DBusError) -> DBusSubscription {
        let answer = DBusAnswer<Void>()
        let subscription = try subscribe(
            rule, timeout: timeout,
            ready: { answer.resolve($0.map { .failure($0) } ?? .success(())) }, receive: receive)
        try await answer.value()
        return subscription
    }
}

/// Signals that somebody wants to hear; nobody does when it is not held any more.
public final class DBusSubscription: Sendable {
    private let hub: DBusHub
    private let id: UInt32

    init(_ hub: DBusHub, _ id: UInt32) {
        self.hub = hub
        self.id = id
    }

    deinit { cancel() }

    /// Ends the subscription. A signal that is being told at this moment on the connection's
    /// thread may still be.
    public func cancel() {
        // Let go outside of the lock: what it holds may call back.
        let subscriber = hub.update { state in
            state.session.unsubscribe(id)
            // Where there is no thread any more, nobody is left to be told.
            let subscriber = state.subscribers.removeValue(forKey: id)
            if let ready = subscriber?.ready {
                state.work.append { ready(DBusError(.cancelled)) }
            }
            return subscriber
        }
        withExtendedLifetime(subscriber) {}
    }
}
#endif
