internal import HaloProtocol
internal import HaloTransport

/// The connection as seen by a client during a call.
struct ClientContext<Client: DeviceClient> {
    let connection: DeviceConnection<Client>
    let open: DeviceConnection<Client>.OpenLink?
    var operations: DeviceOperations
    var stepHasEnded = false

    var now: Moment { operations.now }

    /// The current time of the wall clock.
    var wallClock: WallClock { connection.time.wallClock() }

    /// Ends the client's own step.
    mutating func endStep() { stepHasEnded = true }

    /// An operation on a link, which calls its completion once, later.
    typealias Operation = (BLELink, @escaping BLECompletion<Void>) -> Void

    /// Performs an operation on the link, if there is one. A failure is reported to the client if
    /// the link is still the same.
    func send(
        _ operation: Operation,
        failed: @escaping @Sendable (BLEError, inout Client, inout ClientContext) -> Void
    ) {
        start(operation) { result in
            guard case .failure(let error) = result else { return nil }
            return { failed(error, &$0, &$1) }
        }
    }

    /// Performs an operation on the link, if there is one. Its end is reported to the client if the
    /// link is still the same.
    func send(
        _ operation: Operation,
        ended:
            @escaping @Sendable (
                Result<Void, BLEError>, inout Client, inout ClientContext
            ) -> Void
    ) {
        start(operation) { result in { ended(result, &$0, &$1) } }
    }

    /// - Parameter report: Returns what to tell the client of a result; `nil` for nothing.
    private func start(
        _ operation: Operation,
        _ report:
            @escaping @Sendable (
                Result<Void, BLEError>
            ) -> ((inout Client, inout ClientContext) -> Void)?
    ) {
        guard let open else { return }
        operation(open.link) { [weak connection, generation = open.generation] result in
            guard let connection, let report = report(result) else { return }
            connection.update { state in
                guard state.phase.openLink?.generation == generation else { return }
                connection.withClient(&state) { report(&$0, &$1) }
            }
        }
    }
}
