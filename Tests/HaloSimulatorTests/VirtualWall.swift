import HaloSimulator
import HaloTransport

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
    private let state = Locked((now: Duration.zero, limit: Duration.zero))
    let tasks = VirtualProbe<@Sendable () async -> Void>()

    var pacing: VirtualPacing {
        VirtualPacing(
            spawn: { self.tasks.add($0) }, now: { self.state.withLock { $0.now } },
            pause: { duration in
                while !self.tryPass(duration) {
                    if Task.isCancelled { return }
                    await Task.yield()
                }
            })
    }

    /// The time at which it stops.
    var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    func pass(_ duration: Duration) { state.withLock { $0.now += duration } }

    private func tryPass(_ duration: Duration) -> Bool {
        state.withLock { state in
            guard state.now + duration <= state.limit else { return false }
            state.now += duration
            return true
        }
    }

    private let running = Locked<Task<Void, Never>?>(nil)

    /// Runs the tasks until they end, or until the clock has reached its limit.
    func run() async {
        if let body = tasks.removeFirst() {
            running.withLock { $0 = Task { await body() } }
        }
        for _ in 0..<20_000 { await Task.yield() }
    }
}
