internal import HaloTransport

/// Lets so many in at a time, in the order in which they came: for tests that open sockets and
/// wait for real time, of which a computer cannot bear any number at once.
package final class Turnstile: Sendable {
    private struct Waiting {
        let room: Int
        let continuation: UnsafeContinuation<Void, Never>
    }

    private struct State {
        var free: Int
        var waiting = FIFO<Waiting>()
    }

    private let width: Int
    private let state: Locked<State>

    /// For tests that talk over a bus.
    package static let buses = Turnstile(8)

    /// A turnstile that lets so many in.
    package init(_ width: Int) {
        self.width = width
        state = Locked(State(free: width))
    }

    /// Does something when it is its turn; if wanted, when nobody else is in.
    package nonisolated(nonsending) func pass<Result>(
        alone: Bool = false, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let room = alone ? width : 1
        await withUnsafeContinuation { continuation in
            state.withLock { state in
                state.waiting.append(Waiting(room: room, continuation: continuation))
            }
            admit()
        }
        defer {
            state.withLock { $0.free += room }
            admit()
        }
        return try await body()
    }

    private func admit() {
        while let next = state.withLock({ state -> Waiting? in
            guard let first = state.waiting.first, first.room <= state.free else { return nil }
            state.free -= first.room
            return state.waiting.popFirst()
        }) {
            next.continuation.resume()
        }
    }
}
