/// A bounded buffer between what tells something and the tasks that listen.
///
/// When it is full, the oldest element is dropped, and the one behind it says how many were.
final class StreamBuffer<Element: Sendable>: Sendable {
    /// An element, and how many were dropped between it and the one before.
    struct Entry: Sendable {
        var element: Element
        var lostBefore: Int
    }

    private typealias Answer = Result<Entry?, BLEError>

    private struct Waiter {
        let number: UInt64
        let continuation: UnsafeContinuation<Answer, Never>
    }

    private struct State {
        var entries = FIFO<Entry>()
        var waiters = FIFO<Waiter>()
        var end: Answer?
        var lastNumber: UInt64 = 0
    }

    private let state = Locked(State())
    private let capacity: Int
    private let operation: BLEError.Operation
    private let time: any TransportTime
    private let gate: ResumeGate?

    /// A buffer of at least one element.
    init(capacity: Int, for operation: BLEError.Operation, on time: any TransportTime) {
        self.capacity = max(1, capacity)
        self.operation = operation
        self.time = time
        gate = (time as? GatedTime)?.gate
    }

    /// Gives an element to a task that listens, or keeps it.
    func push(_ element: Element) {
        if let waiter = state.withLock({ put(element, into: &$0) }) { resume(waiter, element) }
    }

    /// Gives elements that came together to tasks that listen, or keeps them, in order.
    func push(contentsOf elements: some Sequence<Element>) {
        let resumed = state.withLock { state in
            var resumed: [(Waiter, Element)] = []
            for element in elements {
                if let waiter = put(element, into: &state) { resumed.append((waiter, element)) }
            }
            return resumed
        }
        for (waiter, element) in resumed { resume(waiter, element) }
    }

    /// Keeps an element, if no task gets it now.
    private func put(_ element: Element, into state: inout State) -> Waiter? {
        guard state.end == nil else { return nil }
        if let waiter = state.waiters.popFirst() { return waiter }
        state.entries.append(Entry(element: element, lostBefore: 0))
        if state.entries.count > capacity, let dropped = state.entries.popFirst() {
            state.entries.updateFirst { $0.lostBefore += dropped.lostBefore + 1 }
        }
        return nil
    }

    private func resume(_ waiter: Waiter, _ element: Element) {
        time.waiting(.listeningEnds)
        let entry = Entry(element: element, lostBefore: 0)
        guard let gate else { return waiter.continuation.resume(returning: .success(entry)) }
        gate.resume { waiter.continuation.resume(returning: .success(entry)) }
    }

    /// Ends the buffer, with an error or without; what is kept already can still be taken.
    func end(_ error: BLEError? = nil) {
        let end: Answer = error.map { .failure($0) } ?? .success(nil)
        let waiters = state.withLock { state -> [Waiter] in
            guard state.end == nil else { return [] }
            state.end = end
            return state.waiters.removeAll()
        }
        for waiter in waiters {
            time.waiting(.listeningEnds)
            waiter.continuation.resume(returning: end)
        }
    }

    /// Waits for the next element; `nil` after the end.
    nonisolated(nonsending) func next() async throws(BLEError) -> Entry? {
        let (ready, number) = state.withLock { state in
            state.lastNumber &+= 1
            return (Self.take(from: &state), state.lastNumber)
        }
        if let ready { return try ready.get() }
        return try await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                wait(number, continuation)
            }
        } onCancel: {
            cancel(number)
        }.get()
    }

    private func wait(_ number: UInt64, _ continuation: UnsafeContinuation<Answer, Never>) {
        time.waiting(.actionBegins)
        time.waiting(.listeningBegins)
        let ready = state.withLock { state -> Answer? in
            if let ready = Self.take(from: &state) { return ready }
            if Task.isCancelled { return .failure(BLEError(.cancelled, operation)) }
            state.waiters.append(Waiter(number: number, continuation: continuation))
            return nil
        }
        if ready != nil { time.waiting(.listeningEnds) }
        time.waiting(.actionEnds)
        if let ready { continuation.resume(returning: ready) }
    }

    private func cancel(_ number: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.removeFirst { $0.number == number }
        }
        guard let waiter else { return }
        time.waiting(.listeningEnds)
        waiter.continuation.resume(returning: .failure(BLEError(.cancelled, operation)))
    }

    private static func take(from state: inout State) -> Answer? {
        if let entry = state.entries.popFirst() { return .success(entry) }
        return state.end
    }
}

/// Calls a function when it is no longer held.
final class ReleaseToken: Sendable {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}

/// What a transport tells, as a sequence for a loop: in order, and from the moment on at which the
/// sequence was made, until it and its iterators are dropped.
///
/// When more elements wait than its buffer holds, the oldest are dropped. When the waiting task is
/// cancelled, it throws ``BLEError/Kind/cancelled``, and another task may go on from there.
public struct TransportUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Waits for the next element. A loop in another module would run generic code: this is made
    /// where the element's type is known.
    private let fetch: nonisolated(nonsending) @Sendable () async throws(BLEError) -> Element?
    /// Ends what fills the buffer.
    private let token: ReleaseToken

    @inline(__always)
    init(
        _ buffer: StreamBuffer<Element>,
        markLost: @escaping @Sendable (inout Element, Int) -> Void = { _, _ in },
        atEnd release: @escaping @Sendable () -> Void
    ) {
        fetch = { () async throws(BLEError) in
            guard let entry = try await buffer.next() else { return nil }
            var element = entry.element
            if entry.lostBefore > 0 { markLost(&element, entry.lostBefore) }
            return element
        }
        token = ReleaseToken(release)
    }

    /// Goes through the elements as they come.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let updates: TransportUpdates

        /// Waits for the next element; `nil` after the end.
        public nonisolated(nonsending) mutating func next() async throws(BLEError) -> Element? {
            try await updates.fetch()
        }
    }

    /// Goes on where the last iterator has stopped: two of them share the elements.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }
}
