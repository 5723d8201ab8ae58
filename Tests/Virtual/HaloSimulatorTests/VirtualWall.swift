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
        /// When the sleepers wake up.
        var wakeUps: [Duration] = []
    }

    private let state = Locked(State())
    /// The tasks that are to be started.
    let tasks = VirtualProbe<@Sendable () async -> Void>()

    var pacing: VirtualPacing {
        VirtualPacing(
            spawn: { self.tasks.add($0) }, now: { self.state.withLock { $0.now } },
            pause: { duration in
                let wakeUp = self.fallAsleep(for: duration)
                while !self.tryWakeUp(at: wakeUp) { await Task.yield() }
            })
    }

    /// The time at which it stops.
    var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    var now: Duration { state.withLock { $0.now } }

    /// The number of tasks that sleep.
    var sleeperCount: Int { state.withLock { $0.wakeUps.count } }

    func pass(_ duration: Duration) { state.withLock { $0.now += duration } }

    private func fallAsleep(for duration: Duration) -> Duration {
        state.withLock { state in
            state.wakeUps.append(state.now + duration)
            return state.now + duration
        }
    }

    /// Wakes a sleeper up if it is the next one, and the limit is not before it.
    private func tryWakeUp(at wakeUp: Duration) -> Bool {
        state.withLock { state in
            guard wakeUp <= state.limit, wakeUp == state.wakeUps.min(),
                let index = state.wakeUps.firstIndex(of: wakeUp)
            else { return false }
            state.wakeUps.remove(at: index)
            state.now = max(state.now, wakeUp)
            return true
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
