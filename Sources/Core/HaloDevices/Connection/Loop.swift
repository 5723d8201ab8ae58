internal import HaloProtocol
internal import HaloTransport

/// One loop over the elements of a connection; it ends when it is dropped.
final class Loop<Client: DeviceClient, Element: Sendable>: Sendable {
    typealias State = DeviceConnection<Client>.State
    /// Tells the client of the loop with a number.
    typealias Action = @Sendable (UInt64, inout Client, inout ClientContext<Client>) -> Void
    typealias Place = any WritableKeyPath<State, Consumers<Element>> & Sendable

    let connection: DeviceConnection<Client>
    let number: UInt64
    private let buffer: BoundedBuffer<Element, DeviceError>
    private let handle: any AnyObject & Sendable
    private let consumers: Place
    private let resume: Action?
    private let end: Action

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
        resume: Action? = nil, end: @escaping Action = { _, _, _ in }
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
            connection.withClient(&state) { _, _ in }
            return (number, buffer)
        }
    }

    deinit {
        connection.time.loop.later { [connection, number, consumers, end] in
            connection.update { state in
                state[keyPath: consumers].remove(number)
                connection.withClient(&state) { end(number, &$0, &$1) }
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
            guard let resume else { return }
            connection.withClient(&state) { resume(number, &$0, &$1) }
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
            connection.withClient(&state) { end(number, &$0, &$1) }
            buffer.end()
        }
        return nil
    }
}
