public import HaloProtocol
public import HaloTransport

/// A time that advances only on demand: for tests of code above a transport, and of backends.
///
/// Timers of the same moment fire in the order of their creation.
public final class SteppedTime: TransportTime {
    private typealias Timer = (moment: Moment, number: UInt64, action: @Sendable () -> Void)

    private struct State {
        var now = Moment.origin
        var lastNumber: UInt64 = 0
        var timers: [Timer] = []
        var waiting = 0
        var listening = 0
    }

    /// The loop of transports on this time.
    public let loop = TransportLoop()
    private let state = Locked(State())
    private let start: WallClock

    /// Creates a time. Its wall clock begins with the given one, by default with the first second
    /// of 2026 in UTC.
    public init(startingAt start: WallClock? = nil) {
        let first = CivilDateTime(secondsSince1970: Self.firstSecondOf2026)
        self.start = start ?? WallClock(local: first, secondsFromUTC: 0)
    }

    private static let firstSecondOf2026: UInt32 = 1_767_225_600

    /// The clock of this time, for `sleep`.
    public var clock: any Clock<Duration> { VirtualClock(self) }

    /// Returns the current moment.
    public func now() -> Moment { state.withLock { $0.now } }

    /// Returns the current time of the wall clock.
    public func wallClock() -> WallClock {
        let seconds = now().microseconds / Int64(1_000_000)
        return WallClock(
            local: start.local.advanced(bySeconds: Int(clamping: seconds)),
            secondsFromUTC: start.secondsFromUTC)
    }

    /// Calls a function at a moment, in a ``step()`` after this call.
    public func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        let number = state.withLock { state in
            state.lastNumber &+= 1
            let due = max(moment, state.now)
            let index = state.timers.firstIndex { $0.moment > due } ?? state.timers.endIndex
            state.timers.insert((due, state.lastNumber, action), at: index)
            return state.lastNumber
        }
        return BLECancellable { [weak self] in
            _ = self?.state.withLock { state in
                state.timers.firstIndex { $0.number == number }.map {
                    state.timers.remove(at: $0)
                }
            }
        }
    }

    /// Counts waits and listeners.
    public func waiting(_ change: WaitChange) {
        state.withLock { state in
            switch change {
            case .begins, .sleepBegins: state.waiting += 1
            case .ends, .sleepEnds: state.waiting -= 1
            case .listeningBegins: state.listening += 1
            case .listeningEnds: state.listening -= 1
            case .resumes, .actionBegins, .actionEnds: break
            }
        }
    }

    /// The number of waits.
    package var waiterCount: Int { state.withLock { $0.waiting } }

    /// The number of listeners.
    package var listenerCount: Int { state.withLock { $0.listening } }

    /// The number of pending timers.
    package var timerCount: Int { state.withLock { $0.timers.count } }

    /// Advances to the next timer and fires it; returns `false` if there is none.
    @discardableResult
    public func step() -> Bool { step(upTo: .distantFuture) }

    /// Advances time, and fires every timer that is due.
    public func advance(by duration: Duration) {
        let end = now() + duration
        while step(upTo: end) {}
        state.withLock { $0.now = max($0.now, end) }
    }

    private func step(upTo end: Moment) -> Bool {
        let timer = state.withLock { state -> Timer? in
            guard let first = state.timers.first, first.moment <= end else { return nil }
            state.timers.removeFirst()
            state.now = max(state.now, first.moment)
            return first
        }
        timer?.action()
        return timer != nil
    }
}
