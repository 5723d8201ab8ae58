internal import HaloProtocol
internal import HaloTransport

struct ClientContext<Client: DeviceClient> {
    let connection: DeviceConnection<Client>
    let open: DeviceConnection<Client>.OpenLink?
    let now: Moment
    /// `true` while a task of the app waits for the first link.
    let isFirstAttempt: Bool
    var stepHasEnded = false
    var callsApp = false

    var wallClock: WallClock { connection.time.wallClock() }

    mutating func endStep() { stepHasEnded = true }

    /// Lets the task that connects call the function of ``DeviceClient/appTask``.
    mutating func callApp() { callsApp = true }

    /// Performs an operation on the link, if there is one. Its end is reported to the client if the
    /// link is still the same.
    ///
    /// - Parameters:
    ///   - onlyFailure: `true` if success is not reported.
    ///   - operation: Calls its completion later, once for each read or write.
    func send<Value>(
        onlyFailure: Bool = false, _ operation: (BLELink, @escaping BLECompletion<Value>) -> Void,
        ended:
            @escaping @Sendable (
                Result<Value, BLEError>, inout Client, inout ClientContext
            ) -> Void
    ) {
        guard let open else { return }
        operation(open.link) { [weak connection, generation = open.generation] result in
            if onlyFailure, case .success = result { return }
            guard let connection else { return }
            connection.update { state in
                guard state.phase.openLink?.generation == generation else { return }
                connection.withClient(&state) { ended(result, &$0, &$1) }
            }
        }
    }
}

/// A function of the app that a step of the first preparation waits for.
struct AppTask: Sendable {
    /// The number of the step.
    let number: Int
    let body: @Sendable () async throws -> Void
}
