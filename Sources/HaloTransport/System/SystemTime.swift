public import HaloProtocol

/// The computer's own time: for backends whose devices are real.
///
/// The timeline begins when the program first asks. It goes on while the computer sleeps.
public struct SystemTime: TransportTime {
    /// What real waiting runs on: the one place where a task is begun.
    private let spawner: TaskSpawner

    private static let origin = ContinuousClock.now

    /// The computer's time.
    public init() {
        spawner = .system
    }

    /// The computer's time, with waiting that runs on something else.
    package init(spawner: TaskSpawner) {
        self.spawner = spawner
    }

    /// The system's clock that never stops.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// How long it is since the program first asked.
    public func now() -> Moment {
        .origin + Self.origin.duration(to: .now)
    }

    /// What the computer's clock shows, in its time zone.
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

    /// Real time takes no notice of who waits.
    public func waiting(_ change: WaitChange) {}

    /// Longer sleeps are made of several: a system's timer may not hold them.
    private static var longestSleep: Duration { .seconds(86_400) }
}
