/// A bounded buffer between a source of elements and the tasks that wait for them, in a loop.
///
/// When the buffer is full, the oldest element is dropped and counted.
package final class BoundedBuffer<Element: Sendable, Failure: Error>: @unchecked Sendable {
    package struct Entry: Sendable {
        package var element: Element
        /// The number of elements dropped before it.
        package var lostBefore = 0
    }

    private typealias Waiter = Promise<Entry?, Failure>

    private let capacity: Int
    private let time: any TransportTime
    let loop: TransportLoop
    private let kind: WaitKind
    private let gap: (@Sendable (Int) -> Element)?
    private let failsOnce: Bool
    @exclusivity(unchecked) private var entries = Queue<Entry>()
    @exclusivity(unchecked) private var waiters = Queue<Waiter>()
    @exclusivity(unchecked) private var end: Waiter.Outcome?

    /// - Parameters:
    ///   - capacity: The maximum number of elements, at least one.
    ///   - gap: Makes an element of the number of dropped ones, which comes in their place.
    ///   - failsOnce: `true` if only one task gets the error at the end, and the others `nil`.
    package init(
        capacity: Int, on time: any TransportTime, _ kind: WaitKind = .listens,
        gap: (@Sendable (Int) -> Element)? = nil, failsOnce: Bool = false
    ) {
        self.capacity = max(1, capacity)
        self.time = time
        loop = time.loop
        self.kind = kind
        self.gap = gap
        self.failsOnce = failsOnce
    }

    /// `true` once the buffer has ended; elements may be left.
    package var hasEnded: Bool { loop.peek { end != nil } }

    package func push(_ element: Element) {
        loop.run {
            guard end == nil else { return }
            if let waiter = waiters.popFirst() {
                waiter.resolve(.success(Entry(element: element)))
                return
            }
            entries.append(Entry(element: element))
            if entries.count > capacity, let dropped = entries.popFirst() {
                entries.updateFirst { $0.lostBefore += dropped.lostBefore + 1 }
            }
        }
    }

    /// Ends the buffer, with an error or without; buffered elements can still be received.
    package func end(_ error: Failure? = nil) {
        loop.run {
            guard end == nil else { return }
            end = error.map { .failure($0) } ?? .success(nil)
            for waiter in waiters.removeAll() {
                if let end = receive() { waiter.resolve(end) }
            }
        }
    }

    /// Waits for the next element; `nil` after the end, and when the task is cancelled.
    ///
    /// - Parameter beginning: Called in a turn before the task begins to wait; it may push or end.
    package nonisolated(nonsending) func next(
        _ beginning: () -> Void = {}
    ) async throws(Failure) -> Entry? {
        if let ready = loop.peek({ receive() }) { return try ready.get() }
        let waiter = Waiter(kind, cancelled: .success(nil), on: time)
        return try await waiter.value {
            beginning()
            guard !waiter.isResolved else { return nil }
            if let ready = receive() {
                waiter.resolve(ready)
                return nil
            }
            waiters.append(waiter)
            return BLECancellable { _ = self.waiters.removeFirst { $0 === waiter } }
        }
    }

    private func receive() -> Waiter.Outcome? {
        guard let first = entries.first else {
            defer { if failsOnce, end != nil { end = .success(nil) } }
            return end
        }
        if let gap, first.lostBefore > 0 {
            entries.updateFirst { $0.lostBefore = 0 }
            return .success(Entry(element: gap(first.lostBefore)))
        }
        return entries.popFirst().map { .success($0) }
    }
}
