import HaloProtocol
import HaloTransport

/// What a client has heard on a link, and who waits for more.
final class ReplayEar: Sendable {
    private struct State {
        var listener: AnswerListener
        var isClosed = false
        var isEnough: (@Sendable (AnswerListener) -> Bool)?
        var waiting: Promise<Void>?

        /// Who waits, if there is an end to it.
        mutating func takeWaiting() -> Promise<Void>? {
            guard isClosed || isEnough?(listener) ?? false else { return nil }
            defer {
                isEnough = nil
                waiting = nil
            }
            return waiting
        }
    }

    private let state: Locked<State>
    private let time: any TransportTime

    init(_ listener: AnswerListener, _ time: any TransportTime) {
        state = Locked(State(listener: listener))
        self.time = time
    }

    /// What came for each request.
    var heard: [Int: AnswerListener.Heard] { state.withLock { $0.listener.heard } }

    /// Something is asked or heard.
    func change(_ body: (inout AnswerListener) -> Void) {
        let waiting = state.withLock { state in
            body(&state.listener)
            return state.takeWaiting()
        }
        waiting?.resolve(.success(()))
    }

    /// Nothing more will be heard.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.takeWaiting()
        }
        waiting?.resolve(.success(()))
    }

    /// Waits until enough was heard, until a moment, or until nothing more will be heard.
    nonisolated(nonsending) func wait(
        until moment: Moment, for isEnough: @escaping @Sendable (AnswerListener) -> Bool
    ) async throws(BLEError) {
        let promise = Promise<Void>(for: .receive, on: time)
        let isOver = state.withLock { state in
            if state.isClosed || isEnough(state.listener) { return true }
            state.isEnough = isEnough
            state.waiting = promise
            return false
        }
        guard !isOver else { return }
        let timer = time.schedule(at: moment) { promise.resolve(.success(())) }
        defer {
            timer.cancel()
            state.withLock { state in
                state.isEnough = nil
                state.waiting = nil
            }
        }
        try await promise.value()
    }
}
