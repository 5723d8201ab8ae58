internal import HaloProtocol
internal import HaloTransport

/// What a device says unasked, or what becomes of its link: a sequence for a loop.
///
/// Each loop has its own buffer. It ends with the connection; a loop whose task is cancelled ends
/// too.
public struct DeviceUpdates<Element: Sendable>: AsyncSequence, Sendable {
    private let subscribe: @Sendable () -> any LoopBuffer<Element>
    private let gap: (@Sendable (Int) -> Element)?

    /// A sequence that makes a buffer for each loop; dropped elements become one in their place
    /// where a function makes it.
    init(
        gap: (@Sendable (Int) -> Element)? = nil,
        _ subscribe: @escaping @Sendable () -> any LoopBuffer<Element>
    ) {
        self.gap = gap
        self.subscribe = subscribe
    }

    /// Begins to listen at once, so that nothing is lost between this and the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: subscribe(), gap: gap)
    }

    /// Fetches what has come.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let buffer: any LoopBuffer<Element>
        let gap: (@Sendable (Int) -> Element)?
        var pending: Element?

        /// The next element; `nil` when nothing more can come, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Element? {
            if let pending {
                self.pending = nil
                return pending
            }
            guard let delivery = try await buffer.next() else { return nil }
            guard delivery.dropped > 0, let gap else { return delivery.element }
            pending = delivery.element
            return gap(delivery.dropped)
        }
    }
}

@available(*, unavailable)
extension DeviceUpdates.AsyncIterator: Sendable {}

/// How a task that waits is counted by the transport's time.
enum Patience: Sendable {
    /// Something will come.
    case waits
    /// Something may come, or not.
    case listens

    var beginning: WaitChange { self == .waits ? .begins : .listeningBegins }
    var end: WaitChange { self == .waits ? .ends : .listeningEnds }
}

/// What a loop fetches: the next element, and how many before it were dropped.
struct Delivery<Element: Sendable>: Sendable {
    let element: Element
    /// How many elements before it were dropped, because nothing fetched them.
    let dropped: Int
}

/// The buffer of one loop.
protocol LoopBuffer<Element>: AnyObject, Sendable {
    associatedtype Element: Sendable

    /// The next element; `nil` at the end, and `nil` if the task is cancelled.
    nonisolated(nonsending) func next() async throws(DeviceError) -> Delivery<Element>?
}

/// A loop over some elements of another one, and what they are made.
final class LoopOfSome<Source: LoopBuffer, Element: Sendable>: LoopBuffer {
    private let loop: Source
    private let make: @Sendable (Source.Element) -> Element?

    init(_ loop: Source, _ make: @escaping @Sendable (Source.Element) -> Element?) {
        self.loop = loop
        self.make = make
    }

    nonisolated(nonsending) func next() async throws(DeviceError) -> Delivery<Element>? {
        while let delivery = try await loop.next() {
            guard let element = make(delivery.element) else { continue }
            return Delivery(element: element, dropped: delivery.dropped)
        }
        return nil
    }
}

/// One loop over what a connection has to tell; it ends when it is dropped.
final class Loop<Client: DeviceClient, Element: Sendable>: LoopBuffer {
    typealias State = DeviceConnection<Client>.State
    /// Gives a function the consumers among which the loop is.
    typealias Access =
        @Sendable ((inout Consumers<Element>, inout ConnectionTurn) -> Void, inout State) -> Void

    let connection: DeviceConnection<Client>
    /// The number under which the loop is known.
    let number: UInt64
    private let handle: any AnyObject & Sendable
    private let patience: Patience
    private let access: Access
    private let resume: (@Sendable (UInt64, inout State) -> Void)?
    private let end: @Sendable (UInt64, inout State) -> Void

    /// Begins a loop.
    ///
    /// - Parameters:
    ///   - handle: What is held as long as the loop, so that the device stays connected.
    ///   - begin: Is called when the loop was added to the consumers.
    ///   - resume: Is called each time that the loop is about to wait. A loop that has it begins
    ///     with its first element, and is over when it has got none.
    ///   - end: Is called when the loop is left, before it is removed.
    init(
        _ connection: DeviceConnection<Client>, holding handle: any AnyObject & Sendable,
        _ patience: Patience, access: @escaping Access,
        begin: (UInt64, inout State) -> Void = { _, _ in },
        resume: (@Sendable (UInt64, inout State) -> Void)? = nil,
        end: @escaping @Sendable (UInt64, inout State) -> Void = { _, _ in }
    ) {
        self.connection = connection
        self.handle = handle
        self.patience = patience
        self.access = access
        self.resume = resume
        self.end = end
        number = connection.read { $0.turn.newNumber() }
        connection.update { state in
            access({ [number] consumers, _ in consumers.add(number) }, &state)
            begin(number, &state)
            endIfClosed(&state)
            connection.tell(&state) { _, _ in }
        }
    }

    deinit {
        connection.update { leave(&$0) { $0.remove($1) } }
    }

    nonisolated(nonsending) func next() async throws(DeviceError) -> Delivery<Element>? {
        do throws(DeviceError) {
            let delivery = try await fetch()
            if delivery == nil, resume != nil { close() }
            return delivery
        } catch {
            if resume != nil { close() }
            throw error
        }
    }

    /// Wants no more.
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

    private nonisolated(nonsending) func fetch() async throws(DeviceError) -> Delivery<Element>? {
        if Task.isCancelled { return nil }
        let available = connection.read { take(&$0) }
        if let available { return try available.get() }
        return try await connection.wait(patience, cancelled: .success(nil)) {
            ticket, finish, state in
            endIfClosed(&state)
            resume?(number, &state)
            if let available = take(&state) {
                _ = finish(available, &state.turn)
            } else {
                access({ [number] consumers, _ in consumers.wait(number, ticket, finish) }, &state)
            }
        } forget: { ticket, state in
            access({ [number] consumers, _ in consumers.leave(number, ticket) }, &state)
        }
    }

    /// A loop that begins when everything is over is told so.
    private func endIfClosed(_ state: inout State) {
        guard case .closed(let error, _) = state.phase else { return }
        access({ [number] in $0.finish(.failure(error), of: number, &$1) }, &state)
    }

    private func take(_ state: inout State) -> Result<Delivery<Element>?, DeviceError>? {
        var available: Result<Delivery<Element>?, DeviceError>?
        access({ [number] consumers, _ in available = consumers.take(number) }, &state)
        return available
    }
}

/// The buffers of loops over the same, in the order in which the loops have begun; under the
/// connection's lock.
///
/// The oldest element is dropped first: what a device said last is worth most.
struct Consumers<Element: Sendable>: Sendable {
    typealias Finish = ConnectionTurn.Finish<Delivery<Element>?>

    private struct Consumer: Sendable {
        let number: UInt64
        var buffer: BoundedBuffer<Element>
        var end: Result<Void, DeviceError>?
        /// Tasks that wait for an element, the longest first.
        var waiting: [(ticket: UInt64, finish: Finish)] = []
    }

    private let limit: Int
    private var consumers: [Consumer] = []

    /// None yet; each will hold so many elements.
    init(limit: Int) { self.limit = limit }

    /// How many have not ended.
    var count: Int { consumers.reduce(0) { $0 + ($1.end == nil ? 1 : 0) } }

    /// `true` until one has ended.
    func isOpen(_ number: UInt64) -> Bool {
        index(number).map { consumers[$0].end == nil } ?? false
    }

    /// Adds one that begins now.
    mutating func add(_ number: UInt64) {
        consumers.append(Consumer(number: number, buffer: BoundedBuffer(limit: limit)))
    }

    /// Removes one that was left.
    mutating func remove(_ number: UInt64) { consumers.removeAll { $0.number == number } }

    /// Hands an element to every consumer, or to one of them.
    mutating func send(
        _ element: Element, to number: UInt64? = nil, _ turn: inout ConnectionTurn
    ) {
        for index in open(number) {
            let delivery = Delivery(element: element, dropped: 0)
            var isTaken = false
            while !isTaken, !consumers[index].waiting.isEmpty {
                let waiter = consumers[index].waiting.removeFirst()
                isTaken = waiter.finish(.success(delivery), &turn)
            }
            if !isTaken { consumers[index].buffer.append(element) }
        }
    }

    /// Nothing more comes for every consumer, or for one of them: what is there can still be
    /// fetched, and then the end, or the error once.
    mutating func finish(
        _ end: Result<Void, DeviceError>, of number: UInt64? = nil, _ turn: inout ConnectionTurn
    ) {
        for index in open(number) {
            var end = end
            for waiter in consumers[index].waiting where waiter.finish(end.map { nil }, &turn) {
                end = .success(())
            }
            consumers[index].waiting = []
            consumers[index].end = end
        }
    }

    /// What one can fetch at once; `nil` if it has to be waited for.
    mutating func take(_ number: UInt64) -> Result<Delivery<Element>?, DeviceError>? {
        guard let index = index(number) else { return .success(nil) }
        if let (element, dropped) = consumers[index].buffer.takeFirst() {
            return .success(Delivery(element: element, dropped: dropped))
        }
        guard let end = consumers[index].end else { return nil }
        consumers[index].end = .success(())
        return end.map { nil }
    }

    /// A task waits for an element.
    mutating func wait(_ number: UInt64, _ ticket: UInt64, _ finish: @escaping Finish) {
        if let index = index(number) { consumers[index].waiting.append((ticket, finish)) }
    }

    /// It does no longer.
    mutating func leave(_ number: UInt64, _ ticket: UInt64) {
        if let index = index(number) {
            consumers[index].waiting.removeAll { $0.ticket == ticket }
        }
    }

    /// All that have not ended, or the one that is meant.
    private func open(_ number: UInt64?) -> [Int] {
        consumers.indices.filter { index in
            consumers[index].end == nil && (number.map { $0 == consumers[index].number } ?? true)
        }
    }

    private func index(_ number: UInt64) -> Int? {
        consumers.firstIndex { $0.number == number }
    }
}

/// The last so many elements, in order; it counts those that it dropped.
struct BoundedBuffer<Element: Sendable>: Sendable {
    /// At least one element is kept.
    let limit: Int
    private var elements = FIFO<Element>()
    private var dropped = 0

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Takes an element in; the oldest goes if there is no room.
    mutating func append(_ element: Element) {
        if elements.count >= limit, elements.popFirst() != nil { dropped &+= 1 }
        elements.append(element)
    }

    /// The oldest element, and how many before it were dropped.
    mutating func takeFirst() -> (Element, dropped: Int)? {
        guard let first = elements.popFirst() else { return nil }
        defer { dropped = 0 }
        return (first, dropped)
    }
}
