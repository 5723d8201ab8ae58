import HaloProtocol
import HaloTesting
import HaloTransport

/// A clock that a test advances, and that knows its timers.
final class ManualTime: TransportTime {
    private struct State {
        var now = Moment.origin
        var lastNumber = 0
        var alarms: [Int: (due: Moment, action: @Sendable () -> Void)] = [:]
    }

    let loop = TransportLoop()
    private let state = Locked(State())

    var clock: any Clock<Duration> { ContinuousClock() }
    func now() -> Moment { state.withLock { $0.now } }
    func wallClock() -> WallClock { SystemTime().wallClock() }
    func waiting(_ change: WaitChange) {}

    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> BLECancellable {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.alarms[state.lastNumber] = (moment, action)
            return state.lastNumber
        }
        return BLECancellable { [weak self] in
            self?.state.withLock { _ = $0.alarms.removeValue(forKey: number) }
        }
    }

    /// The due times of the timers in microseconds, in order.
    var due: [Int64] { state.withLock { $0.alarms.values.map(\.due.microseconds).sorted() } }

    /// The timers.
    var actions: [@Sendable () -> Void] { state.withLock { $0.alarms.values.map(\.action) } }

    func pass(_ duration: Duration) {
        let actions = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            let due = state.alarms.filter { $0.value.due <= now }
            for number in due.keys { state.alarms[number] = nil }
            return due.values.map(\.action)
        }
        for action in actions { action() }
    }
}
