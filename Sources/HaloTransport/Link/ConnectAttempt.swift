/// One attempt to connect: it ends once, by the backend's answer, by the time, or by being
/// cancelled.
final class ConnectAttempt: Sendable {
    typealias Completion = @Sendable (Result<BLELink, BLEError>) -> Void

    private struct State {
        var hub: LinkHub?
        var completion: Completion?
        var isAnswered = false
        var timer: Registration?
        var registration: Registration?
    }

    private let state: Locked<State>

    /// An attempt that is still to be begun.
    init(_ hub: LinkHub, _ completion: @escaping Completion) {
        state = Locked(State(hub: hub, completion: completion))
    }

    /// Keeps what ends the time and the attempt at the backend, or ends it if it is over already.
    func begin(timer: Registration, registration: Registration) {
        let (isOver, isAnswered) = state.withLock { state in
            if state.completion != nil {
                state.timer = timer
                state.registration = registration
            }
            return (state.completion == nil, state.isAnswered)
        }
        guard isOver else { return }
        timer.cancel()
        if !isAnswered { registration.cancel() }
    }

    /// The backend has answered. A link that nobody wants any more is closed.
    func answered(_ result: Result<any LinkDriver, BLEError>) {
        let ended = take(isAnswer: true)
        ended.timer?.cancel()
        switch result {
        case .success(let driver):
            guard let hub = ended.hub, let completion = ended.completion else {
                driver.disconnect()
                return
            }
            hub.open(driver)
            completion(.success(BLELink(hub)))
        case .failure(let error):
            ended.completion?(.failure(error))
        }
    }

    /// Nobody wants to wait any longer.
    func giveUp(_ error: BLEError) {
        let ended = take(isAnswer: false)
        ended.timer?.cancel()
        ended.registration?.cancel()
        ended.completion?(.failure(error))
    }

    private func take(isAnswer: Bool) -> State {
        state.withLock { state in
            let ended = state
            state = State(isAnswered: state.isAnswered || isAnswer)
            return ended
        }
    }
}
