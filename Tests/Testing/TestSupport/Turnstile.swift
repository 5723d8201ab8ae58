internal import HaloTransport

/// A FIFO semaphore for tests that open sockets and wait for real time, of which a computer can run
/// only a few at once.
package final class Turnstile: Sendable {
    private struct Waiting {
        let room: Int
        let continuation: UnsafeContinuation<Void, Never>
    }

    private struct State {
        var free: Int
        var waiting = Queue<Waiting>()
    }

    /// The number of functions that run at the same time.
    package let width: Int
    private let state: Locked<State>

    /// Creates a turnstile for a number of concurrent tests.
    package init(_ width: Int) {
        self.width = width
        state = Locked(State(free: width))
    }

    /// Runs a function in its turn. With `alone`, no other function runs at the same time.
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

    /// Runs a function in its turn, with a timeout that does not count the wait for the turn. At
    /// the timeout, the function is cancelled, the call fails, and the next one runs.
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

/// An error: a function exceeded its timeout in a ``Turnstile``.
package struct TurnOverrun: Error, CustomStringConvertible {
    let limit: Duration

    package var description: String { "it has not ended within \(limit) of its own turn" }
}

/// Waits for a condition, however busy the computer is; throws ``NeverSo`` if it does not become
/// true.
///
/// A wait without an end would block others at the ``Turnstile``. The wait does not end by time
/// alone: while other tests keep all threads busy, the condition is not checked, so a number of
/// checks must have failed as well.
package nonisolated(nonsending) func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), looks: Int = 200,
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var count = 0
    while try await !isSo() {
        count += 1
        guard ContinuousClock.now < end || count < looks else { throw NeverSo(what: what()) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// An error: a condition did not become true.
package struct NeverSo: Error, CustomStringConvertible {
    /// The description of the condition.
    package let what: String

    /// The description of the condition, in a sentence.
    package var description: String { "It was waited for in vain: \(what)" }
}
