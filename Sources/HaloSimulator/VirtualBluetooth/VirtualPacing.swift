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

extension VirtualWorld {
    /// The longest that the task sleeps at once: what becomes due earlier meanwhile is late by
    /// that at most.
    private static let slice = Duration.milliseconds(10)

    /// How fast the air follows the wall now; nothing if it does not.
    private func speed(_ state: State) -> Int64? {
        switch state.mode {
        case .automatic:
            state.listeners > 0 && !wantsTime(state) ? 1 : nil
        case .manual: nil
        case .realTime(let speed): Int64(min(max(speed, 1), 1_000_000))
        }
    }

    /// Whether the air follows the wall now.
    func isFollowing(_ state: State) -> Bool { speed(state) != nil }

    /// Lets the air come to where the wall is, if it follows it.
    func catchUp(_ state: inout State) {
        guard let speed = speed(state) else {
            state.pace.anchor = nil
            return
        }
        let wall = self.wall.now()
        guard let anchor = state.pace.anchor else {
            state.pace.anchor = (wall, state.air.now)
            return
        }
        let passed = (wall - anchor.wall).wholeMicroseconds
        let (scaled, overflow) = passed.multipliedReportingOverflow(by: speed)
        let moment = anchor.air.advanced(byMicroseconds: overflow ? .max : scaled)
        if moment > state.air.now { state.target = max(state.target ?? moment, moment) }
    }

    /// What starts the task, if it is wanted and there is none.
    func keeper(_ state: inout State) -> Action? {
        guard !state.pace.isRunning, isNeeded(state) else { return nil }
        state.pace.isRunning = true
        state.pace.activity = state.activity
        state.pace.burst = 1
        state.pace.quiet = 0
        if state.pace.anchor == nil, isFollowing(state) {
            state.pace.anchor = (wall.now(), state.air.now)
        }
        return { [self] in wall.spawn { [self] in await keepPace() } }
    }

    private func isNeeded(_ state: State) -> Bool {
        guard state.air.nextEventTime != nil else { return false }
        let count = state.listeners + state.waiters + state.sleepers
        return wantsTime(state) || isFollowing(state) && count > 0
    }

    /// How long the task may sleep; nothing when nobody needs it any more.
    private func nextPause(_ state: inout State) -> Duration? {
        guard isNeeded(state), let next = state.air.nextEventTime else {
            state.pace.isRunning = false
            return nil
        }
        guard let speed = speed(state) else {
            return state.runners > 0 ? .milliseconds(1) : .microseconds(100)
        }
        let wait = next.microseconds(since: state.air.now) / speed
        return min(max(.microseconds(wait), .microseconds(100)), Self.slice)
    }

    /// How often it looks before it believes that nobody does anything. Looking takes its turn
    /// among the threads as everybody does: where many want to run, it takes as much longer.
    private static let looks = 10

    /// Lets events come where nobody else does: as the wall says, or, when somebody waits and
    /// nobody has done anything for a moment, first one, then two, four, eight. The moment is ten
    /// looks, a millisecond apart when somebody's wait is over who has not begun another, and else
    /// a tenth of it.
    private func keepPace() async {
        while let pause = state.withLock(nextPause) {
            await wall.pause(pause)
            state.withLock { state in
                catchUp(&state)
                guard wantsTime(state) else { return }
                if !state.isBusy {
                    state.pace.quiet += 1
                    guard state.pace.quiet >= Self.looks else { return }
                    state.runners = 0
                    state.budget = state.pace.burst
                    state.pace.burst = min(state.pace.burst * 2, 1 << 16)
                } else {
                    state.pace.activity = state.activity
                    state.pace.quiet = 0
                    state.pace.burst = 1
                }
            }
            pump()
        }
    }
}
