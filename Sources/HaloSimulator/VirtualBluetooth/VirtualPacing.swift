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

/// How a virtual air follows the wall.
struct Pace {
    /// A task keeps it going.
    var isRunning = false
    /// Where both were when it began to follow: none while it does not.
    var anchor: (wall: Duration, air: Moment)?
}

extension VirtualWorld {
    /// The longest that the pacing task sleeps at once: what becomes due earlier meanwhile is
    /// late by that at most.
    private static let slice = Duration.milliseconds(10)

    /// How fast the air follows the wall now; nothing if it does not.
    private func speed(_ state: State) -> Int64? {
        switch state.mode {
        case .automatic: state.listeners > 0 && state.waiters <= 0 ? 1 : nil
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

    /// What starts the task that keeps the air going, if it is wanted and there is none.
    func pacer(_ state: inout State) -> Action? {
        guard speed(state) != nil, !state.pace.isRunning, isNeeded(state) else { return nil }
        state.pace.isRunning = true
        if state.pace.anchor == nil { state.pace.anchor = (wall.now(), state.air.now) }
        return { [self] in wall.spawn { [self] in await keepPace() } }
    }

    private func isNeeded(_ state: State) -> Bool {
        state.air.nextEventTime != nil && state.listeners + state.waiters > 0
    }

    /// How long until something is due; nothing when nobody needs the task any more.
    private func nextPause(_ state: inout State) -> Duration? {
        guard let speed = speed(state), isNeeded(state), let next = state.air.nextEventTime else {
            state.pace.isRunning = false
            return nil
        }
        let wait = next.microseconds(since: state.air.now) / speed
        return min(max(.microseconds(wait), .microseconds(100)), Self.slice)
    }

    private func keepPace() async {
        while let pause = state.withLock(nextPause) {
            await wall.pause(pause)
            change { _ in }
        }
    }
}
