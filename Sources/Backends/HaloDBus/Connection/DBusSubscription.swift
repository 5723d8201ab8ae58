#if os(Linux)
internal import HaloTransport

extension DBusConnection {
    /// Subscribes to signals, until the subscription is released.
    ///
    /// Replies to later calls come after the bus knows the rule: no signal is missed in between.
    /// `ready` is called once when the bus has added the rule, or refused it; after a refusal no
    /// signals come.
    ///
    /// With `values`, repeated values of a property of type `ay` are delivered there, and not as
    /// signals, at much lower cost. Values and signals keep their order.
    package func subscribe(
        _ rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        ready: (@Sendable (DBusError?) -> Void)? = nil,
        values: (@Sendable (DBusPropertyValues) -> Void)? = nil,
        receive: @escaping @Sendable (DBusSignal) -> Void
    ) throws(DBusError) -> DBusSubscription {
        let deadline = SystemSocket.now() &+ timeout.microseconds
        let id = try hub.update { state throws(DBusError) -> UInt32 in
            let id = try state.session.subscribe(rule, until: deadline)
            state.subscribers[id] = DBusHub.Subscriber(
                receive: receive, values: values, ready: ready)
            return id
        }
        return DBusSubscription(hub, id)
    }

    /// Subscribes to signals, and waits until the bus knows the rule.
    package nonisolated(nonsending) func subscription(
        _ rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        receive: @escaping @Sendable (DBusSignal) -> Void
    ) async throws(DBusError) -> DBusSubscription {
        let promise: Promise<Void, DBusError> = promise()
        let subscription = try subscribe(
            rule, timeout: timeout,
            ready: { promise.resolve($0.map { .failure($0) } ?? .success(())) }, receive: receive)
        try await promise.value()
        return subscription
    }
}

/// A subscription to signals; it ends when it is released.
package final class DBusSubscription: Sendable {
    private let hub: DBusHub
    private let id: UInt32

    init(_ hub: DBusHub, _ id: UInt32) {
        self.hub = hub
        self.id = id
    }

    deinit { hub.loop.later { [hub, id] in Self.end(id, hub) } }

    package func cancel() { hub.loop.run { Self.end(id, hub) } }

    private static func end(_ id: UInt32, _ hub: DBusHub) {
        let subscriber = hub.update { state in
            state.session.unsubscribe(id)
            return state.subscribers.removeValue(forKey: id)
        }
        if let ready = subscriber?.ready { hub.loop.later { ready(DBusError(.cancelled)) } }
    }
}
#endif
