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

/// The computer's time, for backends with real devices.
///
/// The timeline begins at the program's first use of it, and continues while the computer sleeps.
/// Each value has a loop of its own: a transport creates one, and keeps it.
public struct SystemTime: TransportTime {
    /// The loop of a transport on this time.
    public let loop: TransportLoop

    private static let origin = ContinuousClock.now

    /// Creates the computer's time.
    public init() { self.init(in: TransportLoop()) }

    package init(in loop: TransportLoop) {
        self.loop = loop
    }

    /// The system's continuous clock.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// Returns the time since the program's first use of it: one moment for a turn of the loop.
    public func now() -> Moment { loop.moment { .origin + Self.origin.duration(to: .now) } }

    /// Reads the computer's clock, in its time zone.
    public func wallClock() -> WallClock { SystemWallClock.read() }

    /// Calls a function at a moment; if the moment has passed, soon after this returns.
    public func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        // This module creates unstructured tasks nowhere else. This one does not wait behind the
        // work of an app, which may keep all threads of its own priority busy.
        let task = Task(priority: .high) {
            while moment > now() {
                let wait = min(moment.duration(since: now()), Self.longestSleep)
                do { try await Task.sleep(for: wait, clock: .continuous) } catch { return }
            }
            if !Task.isCancelled { action() }
        }
        return BLECancellable { task.cancel() }
    }

    /// Ignores the change: real time passes in any case.
    public func waiting(_ change: WaitChange) {}

    /// The maximum length of a single sleep: a system's timer may not support longer ones.
    private static var longestSleep: Duration { .seconds(86_400) }
}

enum SystemWallClock {
    /// Reads the local time; UTC if the library does not know the local time.
    static func read() -> WallClock {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return at(now.tv_sec)
    }

    /// Returns the local time at a Unix time, clamped to the range of a ring's clock.
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
