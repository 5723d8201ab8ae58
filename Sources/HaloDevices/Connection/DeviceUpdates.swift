internal import HaloProtocol
internal import HaloTransport

/// A sequence of a device's unsolicited reports, or of the states of its connection.
///
/// Each loop has a buffer of its own, and loses the oldest elements when it is slow. A loop begins
/// with the call of `makeAsyncIterator()`, and holds the device until its iterator is dropped.
///
/// All sequences of this module end alike:
/// - `next()` returns `nil` when its task is cancelled, as `AsyncStream` does. A call that returns
///   one value throws ``DeviceError/Kind/cancelled`` instead.
/// - `next()` returns `nil` after the app has disconnected.
/// - `next()` throws once when the device is lost for good; after that it returns `nil`.
public struct DeviceUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Waits for the next element. A loop in another module would run generic code: this closure is
    /// made where the element's type is known.
    typealias Fetch = nonisolated(nonsending) @Sendable () async throws(DeviceError) -> Element?

    private let begin: @Sendable () -> Fetch

    /// Creates a sequence whose iterators each begin a loop.
    @inline(__always)
    init<Client: DeviceClient>(_ begin: @escaping @Sendable () -> Loop<Client, Element>) {
        self.begin = {
            let loop = begin()
            return { () async throws(DeviceError) in try await loop.next() }
        }
    }

    /// Creates a sequence that transforms a loop's elements, and leaves out those that become
    /// `nil`.
    @inline(__always)
    init<Client: DeviceClient, Source: Sendable>(
        _ begin: @escaping @Sendable () -> Loop<Client, Source>,
        compactMap transform: @escaping @Sendable (Source) -> Element?
    ) {
        self.begin = {
            let loop = begin()
            return { () async throws(DeviceError) in
                while let source = try await loop.next() {
                    if let element = transform(source) { return element }
                }
                return nil
            }
        }
    }

    /// Begins a loop at once, so that no element is lost before the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: begin()) }

    /// The iterator of one loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let fetch: Fetch

        /// Waits for the next element; `nil` at the end, and when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Element? {
            try await fetch()
        }
    }
}

@available(*, unavailable)
extension DeviceUpdates.AsyncIterator: Sendable {}

/// The ways in which the transport's time counts a waiting task.
enum WaitKind: Sendable {
    /// The element is certain to come.
    case waits
    /// The element may never come.
    case listens

    var beginning: WaitChange { self == .waits ? .begins : .listeningBegins }
    var end: WaitChange { self == .waits ? .ends : .listeningEnds }
}

/// One loop over the elements of a connection; it ends when it is dropped.
final class Loop<Client: DeviceClient, Element: Sendable>: Sendable {
    typealias State = DeviceConnection<Client>.State
    /// Calls a function with the consumers to which the loop belongs.
    typealias Access =
        @Sendable ((inout Consumers<Element>, inout ConnectionTurn) -> Void, inout State) -> Void

    let connection: DeviceConnection<Client>
    /// The number of the loop among the consumers.
    let number: UInt64
    private let handle: any AnyObject & Sendable
    private let kind: WaitKind
    private let access: Access
    private let resume: (@Sendable (UInt64, inout State) -> Void)?
    private let end: @Sendable (UInt64, inout State) -> Void

    /// Begins a loop.
    ///
    /// - Parameters:
    ///   - handle: An object held as long as the loop, so that the device stays connected.
    ///   - begin: Called once the loop is one of the consumers.
    ///   - resume: Called each time that the loop is about to wait. A loop with this function
    ///     begins with its first element, and ends with its first `nil`.
    ///   - end: Called when the loop is left, before it is removed.
    init(
        _ connection: DeviceConnection<Client>, holding handle: any AnyObject & Sendable,
        _ kind: WaitKind, access: @escaping Access,
        begin: (UInt64, inout State) -> Void = { _, _ in },
        resume: (@Sendable (UInt64, inout State) -> Void)? = nil,
        end: @escaping @Sendable (UInt64, inout State) -> Void = { _, _ in }
    ) {
        self.connection = connection
        self.handle = handle
        self.kind = kind
        self.access = access
        self.resume = resume
        self.end = end
        number = connection.read { $0.turn.newNumber() }
        connection.update { state in
            access({ [number] consumers, _ in consumers.add(number) }, &state)
            begin(number, &state)
            finishIfClosed(&state)
            connection.tell(&state) { _, _ in }
        }
    }

    deinit {
        connection.update { leave(&$0) { $0.remove($1) } }
    }

    /// Waits for the next element; `nil` at the end, and when the task is cancelled.
    nonisolated(nonsending) func next() async throws(DeviceError) -> Element? {
        do throws(DeviceError) {
            let element = try await fetch()
            if element == nil, resume != nil { close() }
            return element
        } catch {
            if resume != nil { close() }
            throw error
        }
    }

    /// Makes `next()` throw an error after a duration. Returns the number by which the timer is
    /// dropped.
    func limit(to duration: Duration, _ error: DeviceError) -> UInt64 {
        connection.update { state in
            let timer = state.turn.newNumber()
            connection.schedule(timer, at: state.turn.now + duration, &state) {
                [access, number] _, state in
                access({ $0.finish(.failure(error), of: number, &$1) }, &state)
            }
            return timer
        }
    }

    /// Ends the loop: there are no further elements.
    private func close() {
        connection.update { state in
            leave(&state) { _, _ in }
            access({ [number] in $0.finish(.success(()), of: number, &$1) }, &state)
        }
    }

    private func leave(
        _ state: inout State, _ body: (inout Consumers<Element>, UInt64) -> Void
    ) {
        end(number, &state)
        access({ consumers, _ in body(&consumers, number) }, &state)
        connection.tell(&state) { _, _ in }
    }

    private nonisolated(nonsending) func fetch() async throws(DeviceError) -> Element? {
        if Task.isCancelled { return nil }
        let available = connection.read { popFirst(&$0) }
        if let available { return try available.get() }
        return try await connection.wait(kind, cancelled: .success(nil)) { waiter, finish, state in
            finishIfClosed(&state)
            resume?(number, &state)
            if let available = popFirst(&state) {
                _ = finish(available, &state.turn)
            } else {
                access({ [number] consumers, _ in consumers.wait(number, waiter, finish) }, &state)
            }
        } forget: { waiter, state in
            access({ [number] consumers, _ in consumers.leave(number, waiter) }, &state)
        }
    }

    /// Ends a loop that begins after the connection was closed, with the same error as requests.
    private func finishIfClosed(_ state: inout State) {
        guard case .closed(let error, _) = state.phase else { return }
        access({ [number] in $0.finish(.failure(error), of: number, &$1) }, &state)
    }

    private func popFirst(_ state: inout State) -> Result<Element?, DeviceError>? {
        var available: Result<Element?, DeviceError>?
        access({ [number] consumers, _ in available = consumers.popFirst(number) }, &state)
        return available
    }
}

/// The buffers of all loops over the same elements, in the order in which the loops have begun;
/// under the connection's lock.
///
/// A full buffer drops its oldest element: the latest report of a device is worth most. With a
/// `gap`, the dropped elements are replaced by one element made of their number.
struct Consumers<Element: Sendable>: Sendable {
    typealias Finish = ConnectionTurn.Finish<Element?>

    private struct Consumer: Sendable {
        let number: UInt64
        var buffer: BoundedBuffer<Element>
        var end: Result<Void, DeviceError>?
        /// The tasks that wait for an element; the one that has waited longest is first.
        var waiters: [(number: UInt64, finish: Finish)] = []
    }

    private let limit: Int
    private let gap: (@Sendable (Int) -> Element)?
    private var consumers: [Consumer] = []

    /// Creates an empty list, whose buffers hold `limit` elements.
    init(limit: Int, gap: (@Sendable (Int) -> Element)? = nil) {
        self.limit = limit
        self.gap = gap
    }

    /// The number of consumers that have not ended.
    var count: Int { consumers.reduce(0) { $0 + ($1.end == nil ? 1 : 0) } }

    /// `true` until the consumer has ended.
    func isOpen(_ number: UInt64) -> Bool {
        index(number).map { consumers[$0].end == nil } ?? false
    }

    /// Adds a consumer with an empty buffer.
    mutating func add(_ number: UInt64) {
        consumers.append(Consumer(number: number, buffer: BoundedBuffer(limit: limit)))
    }

    /// Removes a consumer whose loop was left.
    mutating func remove(_ number: UInt64) { consumers.removeAll { $0.number == number } }

    /// Sends an element to every consumer, or to one of them.
    mutating func send(
        _ element: Element, to number: UInt64? = nil, _ turn: inout ConnectionTurn
    ) {
        for index in open(number) {
            var isDelivered = false
            while !isDelivered, !consumers[index].waiters.isEmpty {
                let waiter = consumers[index].waiters.removeFirst()
                isDelivered = waiter.finish(.success(element), &turn)
            }
            if !isDelivered { consumers[index].buffer.append(element) }
        }
    }

    /// Ends every consumer, or one of them. The elements in its buffer still come; the end, or the
    /// error once, comes after them.
    mutating func finish(
        _ end: Result<Void, DeviceError>, of number: UInt64? = nil, _ turn: inout ConnectionTurn
    ) {
        for index in open(number) {
            var end = end
            for waiter in consumers[index].waiters where waiter.finish(end.map { nil }, &turn) {
                end = .success(())
            }
            consumers[index].waiters = []
            consumers[index].end = end
        }
    }

    /// Removes the first element of a consumer, or its end; `nil` if there is neither.
    mutating func popFirst(_ number: UInt64) -> Result<Element?, DeviceError>? {
        guard let index = index(number) else { return .success(nil) }
        if let gap, let dropped = consumers[index].buffer.drainDropped() {
            return .success(gap(dropped))
        }
        if let element = consumers[index].buffer.popFirst() { return .success(element) }
        guard let end = consumers[index].end else { return nil }
        consumers[index].end = .success(())
        return end.map { nil }
    }

    /// Adds a task that waits for an element.
    mutating func wait(_ number: UInt64, _ waiter: UInt64, _ finish: @escaping Finish) {
        if let index = index(number) { consumers[index].waiters.append((waiter, finish)) }
    }

    /// Removes a task that no longer waits.
    mutating func leave(_ number: UInt64, _ waiter: UInt64) {
        if let index = index(number) {
            consumers[index].waiters.removeAll { $0.number == waiter }
        }
    }

    /// Returns the indices of all consumers that have not ended, or of the one with the number.
    private func open(_ number: UInt64?) -> [Int] {
        consumers.indices.filter { index in
            consumers[index].end == nil && (number.map { $0 == consumers[index].number } ?? true)
        }
    }

    private func index(_ number: UInt64) -> Int? {
        consumers.firstIndex { $0.number == number }
    }
}

/// A queue of the latest elements, with the number of dropped ones.
struct BoundedBuffer<Element: Sendable>: Sendable {
    /// The maximum number of elements, at least 1.
    let limit: Int
    private var elements = Queue<Element>()
    private var dropped = 0

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Appends an element, and drops the oldest one if there is no room.
    mutating func append(_ element: Element) {
        if elements.count >= limit, elements.popFirst() != nil { dropped &+= 1 }
        elements.append(element)
    }

    /// Removes the oldest element.
    mutating func popFirst() -> Element? { elements.popFirst() }

    /// Returns the number of elements dropped before the oldest one, and resets it; `nil` for 0.
    mutating func drainDropped() -> Int? {
        defer { dropped = 0 }
        return dropped > 0 ? dropped : nil
    }
}
