import HaloSimulator
import HaloTransport

/// What callbacks have told.
final class VirtualProbe<Value: Sendable>: Sendable {
    private let state = Locked<[Value]>([])

    func add(_ value: Value) { state.withLock { $0.append(value) } }

    func removeFirst() -> Value? {
        state.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    var values: [Value] { state.withLock { $0 } }
}

/// A wall whose clock goes when a test says so.
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

    /// How late it may become.
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

    /// Lets the tasks run until they have ended, or it has become as late as it may.
    func run() async {
        if let body = tasks.removeFirst() {
            running.withLock { $0 = Task { await body() } }
        }
        for _ in 0..<20_000 { await Task.yield() }
    }
}
