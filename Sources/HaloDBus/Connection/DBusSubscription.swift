#if os(Linux)
internal import Synchronization

extension DBusConnection {
    /// Returns the signals that match a rule, as an asynchronous sequence.
    ///
    /// The subscription begins at once: replies to later calls come after the bus knows the rule,
    /// so no signal is missed between a call and the loop. It ends when the sequence and its
    /// iterators are released.
    ///
    /// - `next()` returns `nil` when its task is cancelled.
    /// - It throws the error of the connection's end, or of the bus's refusal of the rule.
    /// - The buffer holds `bufferLimit` signals. One more ends the sequence: after the buffered
    ///   signals it throws ``DBusError/Kind/limitExceeded``, so that no signal is lost unnoticed.
    public func signals(
        matching rule: DBusMatchRule, bufferLimit: Int = DBusSequence<DBusSignal>.defaultLimit
    ) -> DBusSequence<DBusSignal> {
        DBusSequence(self, rule, bufferLimit) { $0 }
    }

    /// Subscribes to signals, until the subscription is released.
    ///
    /// Replies to later calls come after the bus knows the rule: no signal is missed in between.
    /// `ready` is called once when the bus has added the rule, or refused it; after a refusal no
    /// signals come.
    public func subscribe(
        _ rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        ready: (@Sendable (DBusError?) -> Void)? = nil,
        receive: @escaping @Sendable (DBusSignal) -> Void
    ) throws(DBusError) -> DBusSubscription {
        try subscribe(rule, timeout, .each(receive), ready: ready)
    }

    /// Subscribes to signals; consecutive ones are delivered in one call.
    ///
    /// With `values`, repeated values of a property of type `ay` are delivered there, and not as
    /// signals, at much lower cost. Values and signals keep their order.
    package func subscribe(
        batching rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        ready: (@Sendable (DBusError?) -> Void)? = nil,
        values: (@Sendable (DBusPropertyValues) -> Void)? = nil,
        receive: @escaping @Sendable ([DBusSignal]) -> Void
    ) throws(DBusError) -> DBusSubscription {
        try subscribe(rule, timeout, .batch(receive, values: values), ready: ready)
    }

    /// Subscribes to signals, and waits until the bus knows the rule.
    package nonisolated(nonsending) func subscription(
        _ rule: DBusMatchRule, timeout: Duration = defaultTimeout,
        receive: @escaping @Sendable (DBusSignal) -> Void
    ) async throws(DBusError) -> DBusSubscription {
        let promise = DBusPromise<Void>()
        let subscription = try subscribe(
            rule, timeout: timeout,
            ready: { promise.resolve($0.map { .failure($0) } ?? .success(())) }, receive: receive)
        try await promise.value()
        return subscription
    }

    fileprivate func subscribe(
        _ rule: DBusMatchRule, _ timeout: Duration, _ receiver: DBusHub.Subscriber.Receiver,
        ready: (@Sendable (DBusError?) -> Void)?, ended: (@Sendable (DBusError) -> Void)? = nil
    ) throws(DBusError) -> DBusSubscription {
        let deadline = SystemSocket.now() &+ timeout.microseconds
        let id = try hub.update { state throws(DBusError) -> UInt32 in
            let id = try state.session.subscribe(rule, until: deadline)
            state.subscribers[id] = DBusHub.Subscriber(
                receiver: receiver, ready: ready, ended: ended)
            return id
        }
        return DBusSubscription(hub, id)
    }
}

/// A subscription to signals; it ends when it is released.
public final class DBusSubscription: Sendable {
    private let hub: DBusHub
    private let id: UInt32

    init(_ hub: DBusHub, _ id: UInt32) {
        self.hub = hub
        self.id = id
    }

    deinit { cancel() }

    /// Ends the subscription. Does not wait for a handler that is running on the connection's
    /// thread.
    public func cancel() {
        // Released outside of the lock: its captures may call back.
        let subscriber = hub.update { state in
            state.session.unsubscribe(id)
            let subscriber = state.subscribers.removeValue(forKey: id)
            if let ready = subscriber?.ready {
                state.work.append { ready(DBusError(.cancelled)) }
            }
            return subscriber
        }
        withExtendedLifetime(subscriber) {}
    }
}

/// Signals, or values made of them, as an asynchronous sequence; see
/// ``DBusConnection/signals(matching:bufferLimit:)`` for its end and its overflow.
///
/// Several iterators share the elements: each element goes to one of them.
public struct DBusSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The error that the iterator throws.
    public typealias Failure = DBusError

    /// The default maximum of buffered elements.
    public static var defaultLimit: Int { 1024 }

    private let buffer: DBusBuffer<Element>
    /// The connection, held because it would end if it were released.
    private let connection: DBusConnection
    private let subscription: DBusSubscription?

    /// Subscribes; `transform` turns a signal into an element, or into `nil` to drop it.
    init(
        _ connection: DBusConnection, _ rule: DBusMatchRule, _ limit: Int,
        _ transform: @escaping @Sendable (DBusSignal) -> Element?
    ) {
        let buffer = DBusBuffer<Element>(limit: limit)
        self.buffer = buffer
        self.connection = connection
        do throws(DBusError) {
            subscription = try connection.subscribe(
                rule, DBusConnection.defaultTimeout,
                .each { signal in
                    if let element = transform(signal) { buffer.append(element) }
                },
                ready: { error in
                    if let error { buffer.finish(error) }
                }, ended: { buffer.finish($0) })
        } catch {
            subscription = nil
            buffer.finish(error)
        }
    }

    /// Starts to iterate.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// The iterator of ``DBusSequence``.
    public struct Iterator: AsyncIteratorProtocol {
        /// The error that ``next()`` throws.
        public typealias Failure = DBusError

        fileprivate let sequence: DBusSequence

        /// Returns the next element; `nil` when the task is cancelled, and after the error that
        /// ended the sequence.
        public nonisolated(nonsending) mutating func next() async throws(DBusError) -> Element? {
            try await sequence.buffer.next()
        }

        /// Returns the next element, as ``next()`` returns it.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(DBusError) -> Element? { try await sequence.buffer.next() }
    }
}

/// The bounded buffer of a sequence.
final class DBusBuffer<Element: Sendable>: Sendable {
    private typealias Continuation = UnsafeContinuation<Result<Element?, DBusError>, Never>

    private enum State: Sendable {
        /// Elements without waiters, or waiters without elements.
        case open(DBusQueue<Element>, waiters: [(id: UInt64, continuation: Continuation)])
        /// The remaining elements, then the error; `nil` once it has been thrown.
        case ended(DBusQueue<Element>, DBusError?)
    }

    private let limit: Int
    private let state = Mutex(State.open(DBusQueue(), waiters: []))
    private let lastID = Atomic<UInt64>(0)

    init(limit: Int) {
        self.limit = Swift.max(1, limit)
    }

    /// Passes an element to a waiter, or buffers it; ends the sequence if the buffer is full.
    func append(_ element: Element) {
        let waiter = state.withLock { state -> Continuation? in
            guard case .open(var elements, var waiters) = state else { return nil }
            if !waiters.isEmpty {
                let waiter = waiters.removeFirst().continuation
                state = .open(elements, waiters: waiters)
                return waiter
            }
            guard elements.count < limit else {
                let details = "a sequence's buffer of \(limit) signals"
                state = .ended(elements, DBusError(.limitExceeded, details: details))
                return nil
            }
            // Makes the queue's reference unique, so that appending copies nothing.
            state = .ended(DBusQueue(), nil)
            elements.append(element)
            state = .open(elements, waiters: [])
            return nil
        }
        waiter?.resume(returning: .success(element))
    }

    /// Ends the sequence after the buffered elements.
    func finish(_ error: DBusError) {
        let waiters = state.withLock { state -> [Continuation] in
            guard case .open(let elements, let waiters) = state else { return [] }
            state = .ended(elements, waiters.isEmpty ? error : nil)
            return waiters.map(\.continuation)
        }
        waiters.first?.resume(returning: .failure(error))
        for waiter in waiters.dropFirst() { waiter.resume(returning: .success(nil)) }
    }

    nonisolated(nonsending) func next() async throws(DBusError) -> Element? {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: Continuation) in
                let ready = state.withLock { Self.next(&$0, id, continuation) }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel(id)
        }.get()
    }

    /// Returns the next element or the end; `nil` if the continuation has become a waiter.
    private static func next(
        _ state: inout State, _ id: UInt64, _ continuation: Continuation
    ) -> Result<Element?, DBusError>? {
        // Cancellation marks the task first, and then looks for the waiter.
        if Task.isCancelled { return .success(nil) }
        switch state {
        case .open(var elements, var waiters):
            state = .ended(DBusQueue(), nil)
            let element = elements.popFirst()
            if element == nil { waiters.append((id, continuation)) }
            state = .open(elements, waiters: waiters)
            return element.map { .success($0) }
        case .ended(var elements, let error):
            state = .ended(DBusQueue(), nil)
            if let element = elements.popFirst() {
                state = .ended(elements, error)
                return .success(element)
            }
            return error.map { .failure($0) } ?? .success(nil)
        }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { state -> Continuation? in
            guard case .open(let elements, var waiters) = state,
                let index = waiters.firstIndex(where: { $0.id == id })
            else { return nil }
            let waiter = waiters.remove(at: index).continuation
            state = .open(elements, waiters: waiters)
            return waiter
        }
        waiter?.resume(returning: .success(nil))
    }
}
#endif
