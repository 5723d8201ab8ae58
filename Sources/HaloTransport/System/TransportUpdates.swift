package import HaloProtocol

/// A sequence of elements of a transport, from its creation until it and its iterators are dropped.
///
/// Elements are buffered: when the buffer is full, the oldest one is dropped, and the next one
/// counts the dropped ones. A sequence ends (`next()` returns `nil`) when its task is cancelled; a
/// call that returns one value throws ``BLEError/Kind/cancelled``. Another task may continue with
/// the same sequence.
public struct TransportUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Waits for the next element. A loop in another module would run generic code: this closure is
    /// created in code that knows the element's type.
    private let fetch: nonisolated(nonsending) @Sendable () async throws(BLEError) -> Element?
    /// Ends the source of the elements.
    private let source: CancelOnRelease

    @inline(__always)
    init(
        _ buffer: BoundedBuffer<Element>,
        markLost: @escaping @Sendable (inout Element, Int) -> Void = { _, _ in },
        from source: Cancellable
    ) {
        fetch = { () async throws(BLEError) in
            guard let entry = try await buffer.next() else { return nil }
            var element = entry.element
            if entry.lostBefore > 0 { markLost(&element, entry.lostBefore) }
            return element
        }
        self.source = CancelOnRelease(source)
    }

    /// An iterator over the elements as they come.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let updates: TransportUpdates

        /// Waits for the next element; `nil` after the end, and when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(BLEError) -> Element? {
            try await updates.fetch()
        }
    }

    /// Creates an iterator that continues where the last one stopped. Two iterators share the
    /// elements.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }
}

/// Cancels an activity when it is released.
private final class CancelOnRelease: Sendable {
    private let activity: Cancellable

    init(_ activity: Cancellable) { self.activity = activity }

    deinit { activity.cancel() }
}

/// A bounded buffer between a source of elements and the tasks that wait for them.
///
/// When the buffer is full, the oldest element is dropped and counted.
final class BoundedBuffer<Element: Sendable>: Sendable {
    /// An element, and the number of elements dropped before it.
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
        var entries = Queue<Entry>()
        var waiters = Queue<Waiter>()
        var end: Answer?
        var lastNumber: UInt64 = 0
    }

    private let state = Locked(State())
    private let capacity: Int
    private let time: any TransportTime
    private let coalescer: ResumeCoalescer?

    /// Creates a buffer for a number of elements, at least one.
    init(capacity: Int, on time: any TransportTime) {
        self.capacity = max(1, capacity)
        self.time = time
        coalescer = (time as? CoalescingTime)?.coalescer
    }

    /// Hands an element to a waiting task, or buffers it.
    func push(_ element: Element) {
        if let waiter = state.withLock({ put(element, into: &$0) }) { resume(waiter, element) }
    }

    /// Hands elements that have arrived together to waiting tasks, or buffers them, in order.
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

    /// Buffers an element, unless a task waits for it; returns that task.
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
        guard let coalescer else { return waiter.continuation.resume(returning: .success(entry)) }
        coalescer.resume { waiter.continuation.resume(returning: .success(entry)) }
    }

    /// Ends the buffer, with an error or without; buffered elements can still be received.
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

    /// Waits for the next element; `nil` after the end, and when the task is cancelled.
    nonisolated(nonsending) func next() async throws(BLEError) -> Entry? {
        let (ready, number) = state.withLock { state in
            state.lastNumber &+= 1
            return (Self.receive(from: &state), state.lastNumber)
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
            if let ready = Self.receive(from: &state) { return ready }
            if Task.isCancelled { return .success(nil) }
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
        waiter.continuation.resume(returning: .success(nil))
    }

    private static func receive(from state: inout State) -> Answer? {
        if let entry = state.entries.popFirst() { return .success(entry) }
        return state.end
    }
}

/// Coalesces the wakeups of waiting tasks while a backend reports several values.
///
/// A task that is resumed after the last value of a batch finds all values in its buffer. It is not
/// resumed for each value, which is most of the cost of a value.
package final class ResumeCoalescer: Sendable {
    private struct State {
        var batches = 0
        var held: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Creates a coalescer outside of a batch: tasks are resumed at once.
    package init() {}

    /// Begins a batch: tasks are resumed at its end. Batches nest.
    package func beginBatch() { state.withLock { $0.batches += 1 } }

    /// Ends a batch; resumes the tasks in order at the end of the outermost one.
    package func endBatch() {
        let held = state.withLock { state -> [@Sendable () -> Void] in
            state.batches -= 1
            guard state.batches <= 0 else { return [] }
            defer { state.held = [] }
            return state.held
        }
        for resume in held { resume() }
    }

    /// Resumes a task: now, or at the end of the batch.
    func resume(_ resume: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.batches > 0 { state.held.append(resume) }
            return state.batches > 0
        }
        if !isHeld { resume() }
    }
}

/// A time on which a coalescer resumes the tasks that wait for elements.
package struct CoalescingTime: TransportTime {
    private let base: any TransportTime
    let coalescer: ResumeCoalescer

    /// Creates a time with a coalescer.
    package init(_ base: any TransportTime, _ coalescer: ResumeCoalescer) {
        self.base = base
        self.coalescer = coalescer
    }

    package var clock: any Clock<Duration> { base.clock }

    package func now() -> Moment { base.now() }

    package func wallClock() -> WallClock { base.wallClock() }

    package func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Cancellable { base.schedule(at: moment, action) }

    package func waiting(_ change: WaitChange) { base.waiting(change) }
}
