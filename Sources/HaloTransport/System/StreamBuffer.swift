/// What waits between whoever tells something and whoever listens: at most so many elements.
///
/// When it is full, the oldest is dropped, and the one behind it says how many were.
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

    /// Gives an element to whoever listens, or keeps it.
    func push(_ element: Element) {
        if let waiter = state.withLock({ put(element, into: &$0) }) { resume(waiter, element) }
    }

    /// Gives elements that came together to whoever listens, or keeps them, in order.
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

    /// Keeps an element, if nobody gets it now.
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

    /// Ends what is told: with an error, or without. What is kept already can still be taken.
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

    /// Waits for the next element; nothing means that no more will come.
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

/// Calls a function when nobody holds it any more.
final class ReleaseToken: Sendable {
    private let release: @Sendable () -> Void

    /// What is to be done in the end.
    init(_ release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}
