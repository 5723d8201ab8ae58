public import HaloProtocol
public import HaloTransport

/// A time that passes only when it is told to: for tests of what is built on a transport, and of
/// backends that are made up.
///
/// What is due at the same moment is done in the order in which it was asked for.
public final class SteppedTime: TransportTime {
    private struct Timer {
        let moment: Moment
        let number: UInt64
        let action: @Sendable () -> Void
    }

    private struct State {
        var now = Moment.origin
        var lastNumber: UInt64 = 0
        var timers: [Timer] = []
        var waiting = 0
        var listening = 0
    }

    private let state = Locked(State())
    private let start: WallClock

    /// A time that begins when a clock on the wall shows something; the first second of 2026 in
    /// UTC, unless told otherwise.
    public init(startingAt start: WallClock? = nil) {
        let first = CivilDateTime(secondsSince1970: Self.firstSecondOf2026)
        self.start = start ?? WallClock(local: first, secondsFromUTC: 0)
    }

    private static let firstSecondOf2026: UInt32 = 1_767_225_600

    /// A clock to sleep on.
    public var clock: any Clock<Duration> { SteppedClock(time: self) }

    /// How far time has come.
    public func now() -> Moment { state.withLock { $0.now } }

    /// What a clock on the wall shows.
    public func wallClock() -> WallClock {
        let seconds = now().microseconds / Int64(1_000_000)
        return WallClock(
            local: start.local.advanced(bySeconds: Int(clamping: seconds)),
            secondsFromUTC: start.secondsFromUTC)
    }

    /// Calls a function when a moment has come, in a ``step()`` after this call.
    public func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration {
        let number = state.withLock { state in
            state.lastNumber &+= 1
            let timer = Timer(
                moment: max(moment, state.now), number: state.lastNumber, action: action)
            let index = state.timers.firstIndex { $0.moment > timer.moment }
            state.timers.insert(timer, at: index ?? state.timers.endIndex)
            return state.lastNumber
        }
        return Registration { [weak self] in
            _ = self?.state.withLock { state in
                state.timers.firstIndex { $0.number == number }.map {
                    state.timers.remove(at: $0)
                }
            }
        }
    }

    /// Counts who waits.
    public func waiting(_ change: WaitChange) {
        state.withLock { state in
            switch change {
            case .begins: state.waiting += 1
            case .ends: state.waiting -= 1
            case .listeningBegins: state.listening += 1
            case .listeningEnds: state.listening -= 1
            case .actionBegins, .actionEnds: break
            }
        }
    }

    /// How many wait for what will come.
    public var waiterCount: Int { state.withLock { $0.waiting } }

    /// How many listen for what may come.
    public var listenerCount: Int { state.withLock { $0.listening } }

    /// How many functions are still to be called.
    public var timerCount: Int { state.withLock { $0.timers.count } }

    /// Lets time pass until the next thing that is due, and does it; says whether there was one.
    @discardableResult
    public func step() -> Bool { step(upTo: .distantFuture) }

    /// Lets time pass for so long, and does all that is due meanwhile.
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

/// A clock whose time is stepped.
private struct SteppedClock: Clock {
    struct Instant: InstantProtocol {
        let moment: Moment

        func advanced(by duration: Duration) -> Instant { Instant(moment: moment + duration) }

        func duration(to other: Instant) -> Duration { other.moment.duration(since: moment) }

        static func < (left: Instant, right: Instant) -> Bool { left.moment < right.moment }
    }

    let time: SteppedTime

    var now: Instant { Instant(moment: time.now()) }

    var minimumResolution: Duration { .microseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let over = Promise<Void>(for: .receive, on: time)
        let timer = time.schedule(at: deadline.moment) { over.resolve(.success(())) }
        do {
            try await over.value()
        } catch {
            timer.cancel()
            throw CancellationError()
        }
    }
}
