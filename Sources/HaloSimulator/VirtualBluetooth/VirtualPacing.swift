internal import HaloProtocol
internal import HaloTransport

/// The wall's time, for a virtual air that follows it: how late it is, how to wait, and who
/// carries out what waits.
package struct VirtualPacing: Sendable {
    /// Starts a task.
    package var spawn: @Sendable (@escaping @Sendable () async -> Void) -> Void
    /// How late it is, from an origin of its own.
    package var now: @Sendable () -> Duration
    /// Waits so long.
    package var pause: @Sendable (Duration) async -> Void

    /// Another wall.
    package init(
        spawn: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        now: @escaping @Sendable () -> Duration,
        pause: @escaping @Sendable (Duration) async -> Void
    ) {
        self.spawn = spawn
        self.now = now
        self.pause = pause
    }

    /// The system's clock, and a task of the system's pool.
    package static func system() -> VirtualPacing {
        let clock = ContinuousClock()
        let origin = clock.now
        return VirtualPacing(
            spawn: { body in Task { await body() } },
            now: { origin.duration(to: clock.now) },
            pause: { try? await clock.sleep(for: $0) })
    }
}

/// How a virtual air follows the wall, and goes on when nobody else makes it.
struct Pace {
    /// A task sees to it.
    var isRunning = false
    /// Where both were when it began to follow: none while it does not.
    var anchor: (wall: Duration, air: Moment)?
    /// What anybody had done when the task last looked.
    var activity: UInt64 = 0
    /// How often in a row it has looked and nobody had done anything.
    var quiet = 0
    /// How many events it lets come at once.
    var burst = 1
}

extension VirtualWorld.State {
    /// The longest that the task sleeps at once: what becomes due earlier meanwhile is late by
    /// that at most.
    private static let slice = Duration.milliseconds(10)

    /// How fast the air follows the wall now; `nil` if it does not.
    private var speed: Int64? {
        switch mode {
        case .automatic: listeners > 0 && !wantsTime ? 1 : nil
        case .manual: nil
        case .realTime(let speed): Int64(min(max(speed, 1), 1_000_000))
        }
    }

    /// Whether the air follows the wall now.
    var isFollowing: Bool { speed != nil }

    /// Lets the air come to where the wall is, if it follows it.
    mutating func catchUp() {
        guard let speed else {
            pace.anchor = nil
            return
        }
        let wall = wall.now()
        guard let anchor = pace.anchor else {
            pace.anchor = (wall, air.now)
            return
        }
        let passed = (wall - anchor.wall).wholeMicroseconds
        let (scaled, overflow) = passed.multipliedReportingOverflow(by: speed)
        let moment = anchor.air.advanced(byMicroseconds: overflow ? .max : scaled)
        if moment > air.now { target = max(target ?? moment, moment) }
    }

    /// What starts the task, if it is wanted and there is none.
    mutating func keeper() -> VirtualWorld.Step? {
        guard !pace.isRunning, isNeeded else { return nil }
        pace.isRunning = true
        pace.activity = activity
        pace.burst = 1
        pace.quiet = 0
        if pace.anchor == nil, isFollowing {
            pace.anchor = (wall.now(), air.now)
        }
        return .keepPace
    }

    private var isNeeded: Bool {
        guard air.nextEventTime != nil else { return false }
        let count = listeners + waiters + sleepers
        return wantsTime || isFollowing && count > 0
    }

    /// How long the task may sleep; `nil` when nobody needs it any more.
    fileprivate mutating func nextPause() -> Duration? {
        guard isNeeded, let next = air.nextEventTime else {
            pace.isRunning = false
            return nil
        }
        guard let speed else { return runners > 0 ? .milliseconds(1) : .microseconds(100) }
        let wait = next.microseconds(since: air.now) / speed
        return min(max(.microseconds(wait), .microseconds(100)), Self.slice)
    }

    /// How often it looks before it believes that nobody does anything. Looking takes its turn
    /// among the threads as everybody does: where many want to run, it takes as much longer.
    private static let looks = 10

    /// Looks whether anybody does anything; if nobody has for a while, lets events come.
    fileprivate mutating func look() {
        catchUp()
        guard wantsTime else { return }
        guard !isBusy else {
            pace.activity = activity
            pace.quiet = 0
            pace.burst = 1
            return
        }
        pace.quiet += 1
        guard pace.quiet >= Self.looks else { return }
        runners = 0
        budget = pace.burst
        pace.burst = min(pace.burst * 2, 1 << 16)
    }
}

extension VirtualWorld {
    /// Lets events come where nobody else does: as the wall says, or, when somebody waits and
    /// nobody has done anything for a moment, first one, then two, four, eight. The moment is ten
    /// looks, a millisecond apart when somebody's wait is over who has not begun another, and else
    /// a tenth of it.
    func keepPace() async {
        while let pause = drain.withLock({ $0.nextPause() }) {
            await wall.pause(pause)
            drain.change(as: .owner, perform: perform) { $0.look() }
        }
    }
}
