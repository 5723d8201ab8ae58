internal import HaloProtocol
internal import HaloTransport

/// What waits to be fetched by the loop of a program: bounded, and it counts what it drops.
///
/// The oldest is dropped first: what a ring said last is worth most. ``send(_:)`` and
/// ``finish(_:)`` are called in order by one drainer; ``next()`` by whoever loops. Nothing is
/// called while the lock is held.
final class Mailbox<Element: Sendable>: Sendable {
    /// What is fetched: the next element, and how many before it were dropped.
    struct Delivery: Sendable {
        /// The element.
        let element: Element
        /// How many elements before it were dropped, because nobody fetched them.
        let dropped: Int
    }

    /// How whoever waits is counted by the transport's time.
    enum Patience: Sendable {
        /// An element will come.
        case waits
        /// An element may come, or not.
        case listens
    }

    typealias Waiter = CheckedContinuation<Result<Delivery?, DeviceError>, Never>

    private struct State {
        var buffer: BoundedBuffer<Element>
        var end: Result<Void, DeviceError>?
        var waiters: [(ticket: UInt64, waiter: Waiter)] = []
        var lastTicket: UInt64 = 0
        /// Calls that do not wait yet, and whether they are cancelled already.
        var entering: [(ticket: UInt64, isCancelled: Bool)] = []

        mutating func enter() -> UInt64 {
            lastTicket &+= 1
            entering.append((lastTicket, false))
            return lastTicket
        }

        /// Whether the call was cancelled on its way.
        mutating func leave(_ ticket: UInt64) -> Bool {
            guard let index = entering.firstIndex(where: { $0.ticket == ticket }) else {
                return false
            }
            return entering.remove(at: index).isCancelled
        }

        /// What can be said at once; nothing if it has to be waited for.
        mutating func available() -> Result<Delivery?, DeviceError>? {
            if let (element, dropped) = buffer.takeFirst() {
                return .success(Delivery(element: element, dropped: dropped))
            }
            guard let end else { return nil }
            self.end = .success(())
            return end.map { nil }
        }
    }

    private let patience: Patience
    private let time: any TransportTime
    private let state: Locked<State>

    /// An empty one of at most so many elements.
    init(limit: Int, _ patience: Patience, _ time: any TransportTime) {
        self.patience = patience
        self.time = time
        state = Locked(State(buffer: BoundedBuffer(limit: limit)))
    }

    /// Takes an element in, or hands it to who waits.
    func send(_ element: Element) {
        let waiter: (Waiter, Delivery)? = state.withLock { state in
            guard state.end == nil else { return nil }
            if !state.waiters.isEmpty {
                let waiter = state.waiters.removeFirst().waiter
                return (waiter, Delivery(element: element, dropped: 0))
            }
            state.buffer.append(element)
            return nil
        }
        if let (waiter, delivery) = waiter { resume(waiter, .success(delivery)) }
    }

    /// Nothing more comes; what waits can still be fetched, and then the end, or the error once.
    func finish(_ end: Result<Void, DeviceError>) {
        let waiters: [Waiter] = state.withLock { state in
            guard state.end == nil else { return [] }
            state.end = end
            defer { state.waiters.removeAll() }
            guard !state.waiters.isEmpty else { return [] }
            if case .failure = end { state.end = .success(()) }
            return state.waiters.map { $0.waiter }
        }
        for (index, waiter) in waiters.enumerated() {
            resume(waiter, index == 0 ? end.map { nil } : .success(nil))
        }
    }

    /// The next element; nothing at the end, and nothing if the task is cancelled.
    nonisolated(nonsending) func next() async throws(DeviceError) -> Delivery? {
        if Task.isCancelled { return nil }
        let (available, ticket) = state.withLock { state in
            let available = state.available()
            return (available, available == nil ? state.enter() : 0)
        }
        if let available { return try available.get() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                suspend(waiter, ticket)
            }
        } onCancel: {
            cancel(ticket)
        }
        return try result.get()
    }

    private func suspend(_ waiter: Waiter, _ ticket: UInt64) {
        time.waiting(.actionBegins)
        time.waiting(patience == .waits ? .begins : .listeningBegins)
        let result: Result<Delivery?, DeviceError>? = state.withLock { state in
            if state.leave(ticket) { return .success(nil) }
            if let available = state.available() { return available }
            state.waiters.append((ticket, waiter))
            return nil
        }
        if result != nil { time.waiting(patience == .waits ? .ends : .listeningEnds) }
        time.waiting(.actionEnds)
        if let result { waiter.resume(returning: result) }
    }

    private func cancel(_ ticket: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            if let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) {
                return state.waiters.remove(at: index).waiter
            }
            if let index = state.entering.firstIndex(where: { $0.ticket == ticket }) {
                state.entering[index].isCancelled = true
            }
            return nil
        }
        if let waiter { resume(waiter, .success(nil)) }
    }

    private func resume(_ waiter: Waiter, _ result: Result<Delivery?, DeviceError>) {
        time.waiting(patience == .waits ? .ends : .listeningEnds)
        waiter.resume(returning: result)
    }
}
