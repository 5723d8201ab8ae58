import Dispatch
import HaloProtocol
import HaloTransport

/// A value under a lock.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let semaphore = DispatchSemaphore(value: 1)

    init(_ value: Value) { self.value = value }

    func use<Result>(_ body: (inout Value) -> Result) -> Result {
        semaphore.wait()
        defer { semaphore.signal() }
        return body(&value)
    }
}

/// A time that a script advances.
final class ScriptTime: TransportTime {
    private struct State {
        var now = Moment.origin
        var timers: [UInt64: (due: Moment, action: @Sendable () -> Void)] = [:]
        var lastTimer: UInt64 = 0
    }

    let loop = TransportLoop()
    private let state = Guarded(State())

    var clock: any Clock<Duration> { ContinuousClock() }

    func now() -> Moment { state.use { $0.now } }

    func wallClock() -> WallClock {
        WallClock(local: CivilDateTime(secondsSince1970: 1_750_000_000), secondsFromUTC: 0)
    }

    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> BLECancellable {
        let number = state.use { state in
            state.lastTimer += 1
            state.timers[state.lastTimer] = (moment, action)
            return state.lastTimer
        }
        return BLECancellable { [state] in state.use { $0.timers[number] = nil } }
    }

    func waiting(_ change: WaitChange) {}

    func pass(_ duration: Duration) {
        let due = state.use { state in
            state.now = state.now + duration
            let due = state.timers.filter { $0.value.due <= state.now }
            for number in due.keys { state.timers[number] = nil }
            return due.sorted { $0.key < $1.key }.map(\.value.action)
        }
        for action in due { action() }
    }
}

/// The effects of a device, in order.
final class ScriptLog: Sendable {
    private let state = Guarded((effects: [PeripheralEffect](), isConnected: false))

    func add(_ effect: PeripheralEffect) { state.use { $0.effects.append(effect) } }

    /// Removes and returns the effects so far.
    func drain() -> [PeripheralEffect] {
        state.use { state in
            defer { state.effects = [] }
            return state.effects
        }
    }

    var isConnected: Bool {
        get { state.use { $0.isConnected } }
        set { state.use { $0.isConnected = newValue } }
    }
}
