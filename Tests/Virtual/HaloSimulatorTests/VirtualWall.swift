import HaloTransport

@testable import HaloSimulator

/// The values that callbacks have received.
final class VirtualProbe<Value: Sendable>: Sendable {
    private let state = Locked<[Value]>([])

    func add(_ value: Value) { state.withLock { $0.append(value) } }

    func removeFirst() -> Value? {
        state.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    var values: [Value] { state.withLock { $0 } }
}

/// A wall clock that advances on demand.
final class VirtualWall: Sendable {
    private struct State {
        var now = Duration.zero
        var limit = Duration.zero
        var sleepers: [(wakeUp: Duration, continuation: UnsafeContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())
    /// The tasks that are to be started.
    let tasks = VirtualProbe<@Sendable () async -> Void>()

    var pacing: VirtualPacing {
        VirtualPacing(
            spawn: { self.tasks.add($0) }, now: { self.state.withLock { $0.now } },
            pause: { duration in
                await Task.yield()
                await self.sleep(for: duration)
            })
    }

    /// The time at which it stops.
    var limit: Duration {
        get { state.withLock { $0.limit } }
        set {
            state.withLock { $0.limit = newValue }
            wakeSleepers()
        }
    }

    var now: Duration { state.withLock { $0.now } }

    /// The number of tasks that sleep.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func pass(_ duration: Duration) { state.withLock { $0.now += duration } }

    /// Sleeps until the clock is there, for ever if its limit is before that. A sleeper that waited
    /// in a loop would take a thread from the tests after it.
    private func sleep(for duration: Duration) async {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.sleepers.append(($0.now + duration, continuation)) }
            wakeSleepers()
        }
    }

    /// Moves the clock to each sleeper that the limit is not before, and wakes it up.
    private func wakeSleepers() {
        while let next = nextSleeper() { next.resume() }
    }

    private func nextSleeper() -> UnsafeContinuation<Void, Never>? {
        state.withLock { state in
            guard
                let index = state.sleepers.indices.min(by: {
                    state.sleepers[$0].wakeUp < state.sleepers[$1].wakeUp
                }),
                state.sleepers[index].wakeUp <= state.limit
            else { return nil }
            let sleeper = state.sleepers.remove(at: index)
            state.now = max(state.now, sleeper.wakeUp)
            return sleeper.continuation
        }
    }

    /// Runs the tasks until they end, or until the clock has reached its limit.
    func run() async {
        for _ in 0..<20_000 {
            while let body = tasks.removeFirst() { Task { await body() } }
            await Task.yield()
        }
    }
}
