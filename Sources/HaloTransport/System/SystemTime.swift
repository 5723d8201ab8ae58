public import HaloProtocol

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The computer's own time: for backends whose devices are real.
///
/// The timeline begins when the program first asks. It goes on while the computer sleeps.
public struct SystemTime: TransportTime {
    /// Runs what waits for a moment.
    private let spawner: TaskSpawner

    private static let origin = ContinuousClock.now

    /// The computer's time.
    public init() { spawner = .system }

    /// The computer's time, with waiting that runs on something else.
    package init(spawner: TaskSpawner) { self.spawner = spawner }

    /// The system's clock that never stops.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// The time since the program first asked.
    public func now() -> Moment { .origin + Self.origin.duration(to: .now) }

    /// The computer's clock, in its time zone.
    public func wallClock() -> WallClock { SystemWallClock.read() }

    /// Calls a function when a moment has come; at once, but not before returning, if it has been.
    public func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration {
        spawner.spawn {
            while moment > now() {
                let wait = min(moment.duration(since: now()), Self.longestSleep)
                do { try await Task.sleep(for: wait, clock: .continuous) } catch { return }
            }
            if !Task.isCancelled { action() }
        }
    }

    /// Does nothing: real time passes in any case.
    public func waiting(_ change: WaitChange) {}

    /// The longest sleep in one piece: a system's timer may not hold longer ones.
    private static var longestSleep: Duration { .seconds(86_400) }
}

/// The C library's clock.
enum SystemWallClock {
    /// The local time; UTC, if the library does not know it.
    static func read() -> WallClock {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return at(now.tv_sec)
    }

    /// The local time so many seconds after 1970 began in UTC, kept within what a ring's clock can
    /// show.
    static func at(_ secondsSince1970: time_t) -> WallClock {
        var seconds = secondsSince1970
        var fields = tm()
        let offset = localtime_r(&seconds, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
        let (local, overflow) = Int(seconds).addingReportingOverflow(offset)
        return WallClock(
            local: CivilDateTime(
                secondsSince1970: UInt32(clamping: overflow ? Int(seconds) : local)),
            secondsFromUTC: offset)
    }
}

/// A way to begin work in the background: the only place of this module where a task without a
/// parent begins. Tests that need another order of things give another one.
package struct TaskSpawner: Sendable {
    /// Begins work; the registration cancels it.
    package let spawn: @Sendable (@escaping @Sendable () async -> Void) -> Registration

    /// A way to begin work.
    package init(
        _ spawn: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Registration
    ) {
        self.spawn = spawn
    }

    /// Tasks on the system's pool of threads.
    package static let system = TaskSpawner { work in
        let task = Task { await work() }
        return Registration { task.cancel() }
    }
}
