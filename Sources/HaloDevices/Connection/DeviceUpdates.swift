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
/// - `next()` throws once when the device is lost for good; after that it returns `nil`. It throws
///   once, too, in a loop that begins on a closed connection, whoever has closed it: there is no
///   device any more. Only connection states then have one element, the last state.
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

/// One loop over the elements of a connection; it ends when it is dropped.
final class Loop<Client: DeviceClient, Element: Sendable>: Sendable {
    typealias State = DeviceConnection<Client>.State
    /// The consumers to which a loop belongs.
    typealias Place = any WritableKeyPath<State, Consumers<Element>> & Sendable

    let connection: DeviceConnection<Client>
    /// The number of the loop among the consumers.
    let number: UInt64
    private let buffer: BoundedBuffer<Element, DeviceError>
    private let handle: any AnyObject & Sendable
    private let consumers: Place
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
        _ kind: WaitKind, among consumers: Place,
        begin: (UInt64, inout State) -> Void = { _, _ in },
        resume: (@Sendable (UInt64, inout State) -> Void)? = nil,
        end: @escaping @Sendable (UInt64, inout State) -> Void = { _, _ in }
    ) {
        self.connection = connection
        self.handle = handle
        self.consumers = consumers
        self.resume = resume
        self.end = end
        (number, buffer) = connection.update { state in
            let number = state.operations.newNumber()
            let buffer = state[keyPath: consumers].add(number, kind, on: connection.time)
            begin(number, &state)
            if case .closed(let error, _) = state.phase { buffer.end(error) }
            connection.tell(&state) { _, _ in }
            return (number, buffer)
        }
    }

    deinit {
        connection.time.loop.later { [connection, number, consumers, end] in
            connection.update { state in
                end(number, &state)
                state[keyPath: consumers].remove(number)
                connection.tell(&state) { _, _ in }
            }
        }
    }

    /// Waits for the next element; `nil` at the end, and when the task is cancelled.
    nonisolated(nonsending) func next() async throws(DeviceError) -> Element? {
        do throws(DeviceError) {
            if Task.isCancelled { return close() }
            guard let entry = try await buffer.next({ resumed() }) else { return close() }
            return entry.element
        } catch {
            close()
            throw error
        }
    }

    private func resumed() {
        connection.update { state in
            if case .closed(let error, _) = state.phase { buffer.end(error) }
            resume?(number, &state)
        }
    }

    /// Makes `next()` throw an error after a duration. Returns the number by which the timer is
    /// dropped.
    func limit(to duration: Duration, _ error: DeviceError) -> UInt64 {
        connection.update { state in
            let timer = state.operations.newNumber()
            connection.schedule(timer, at: state.operations.now + duration, &state) {
                [buffer] _, _ in buffer.end(error)
            }
            return timer
        }
    }

    /// Ends a loop that begins with its first element: there are no further elements.
    @discardableResult
    private func close() -> Element? {
        guard resume != nil else { return nil }
        connection.update { state in
            end(number, &state)
            connection.tell(&state) { _, _ in }
            buffer.end()
        }
        return nil
    }
}

/// The buffers of all loops over the same elements, in the order in which the loops have begun.
///
/// A full buffer drops its oldest element: the latest report of a device is worth most. With a
/// `gap`, the dropped elements are replaced by one element made of their number.
struct Consumers<Element: Sendable>: Sendable {
    typealias Buffer = BoundedBuffer<Element, DeviceError>

    private let limit: Int
    private let gap: (@Sendable (Int) -> Element)?
    private var buffers: [(number: UInt64, buffer: Buffer)] = []

    /// Creates an empty list, whose buffers hold `limit` elements.
    init(limit: Int, gap: (@Sendable (Int) -> Element)? = nil) {
        self.limit = limit
        self.gap = gap
    }

    /// The number of consumers that have not ended.
    var count: Int { buffers.reduce(0) { $0 + ($1.buffer.hasEnded ? 0 : 1) } }

    /// `true` until the consumer has ended.
    func isOpen(_ number: UInt64) -> Bool {
        buffers.first { $0.number == number }?.buffer.hasEnded == false
    }

    /// Adds a consumer with an empty buffer.
    mutating func add(_ number: UInt64, _ kind: WaitKind, on time: any TransportTime) -> Buffer {
        let buffer = Buffer(capacity: limit, on: time, kind, gap: gap, failsOnce: true)
        buffers.append((number, buffer))
        return buffer
    }

    /// Removes a consumer whose loop was left.
    mutating func remove(_ number: UInt64) { buffers.removeAll { $0.number == number } }

    /// Sends an element to every consumer, or to one of them.
    func send(_ element: Element, to number: UInt64? = nil) {
        for consumer in buffers where number == nil || consumer.number == number {
            consumer.buffer.push(element)
        }
    }

    /// Ends every consumer, or one of them. The elements in its buffer still come; the end, or the
    /// error once, comes after them.
    func finish(_ end: Result<Void, DeviceError>, of number: UInt64? = nil) {
        var error: DeviceError?
        if case .failure(let reason) = end { error = reason }
        for consumer in buffers where number == nil || consumer.number == number {
            consumer.buffer.end(error)
        }
    }
}
