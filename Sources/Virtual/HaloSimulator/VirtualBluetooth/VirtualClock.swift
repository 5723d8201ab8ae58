public import HaloProtocol
internal import HaloTransport

/// The clock of a virtual air. A sleep of an hour takes only the time needed to run the events in
/// it.
public struct VirtualClock: Clock {
    /// A moment on this clock.
    public struct Instant: InstantProtocol {
        /// The moment of the air.
        public let moment: Moment

        package init(_ moment: Moment) {
            self.moment = moment
        }

        /// The moment a duration later.
        public func advanced(by duration: Duration) -> Instant { Instant(moment + duration) }

        /// The duration until another instant.
        public func duration(to other: Instant) -> Duration {
            other.moment.duration(since: moment)
        }

        /// Compares two instants by their moments.
        public static func < (left: Instant, right: Instant) -> Bool { left.moment < right.moment }
    }

    let world: VirtualWorld

    /// The current instant.
    public var now: Instant { Instant(world.read { $0.air.now }) }
    /// The resolution of moments: a microsecond.
    public var minimumResolution: Duration { .microseconds(1) }

    /// Sleeps until an instant. A cancelled sleep ends at once, with `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleep = Promise<Void, CancellationError>(
            .sleeps, cancelled: .failure(CancellationError()), on: world)
        try await sleep.value {
            world.schedule(at: deadline.moment) { sleep.resolve(.success(())) }
        }
    }
}
