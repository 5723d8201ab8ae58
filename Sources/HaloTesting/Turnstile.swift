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

    /// The same for something that takes so long at most: how long it waits for its turn does not
    /// count. What takes longer is cancelled and fails, and the next one has its turn.
    package func pass(
        alone: Bool = false, limit: Duration, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await pass(alone: alone) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    try await Task.sleep(for: limit, clock: .continuous)
                    throw TurnOverrun(limit: limit)
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
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

/// Somebody's turn at a ``Turnstile`` took longer than is allowed.
package struct TurnOverrun: Error, CustomStringConvertible {
    let limit: Duration

    package var description: String { "it has not ended within \(limit) of its own turn" }
}
