public import HaloProtocol

/// The clock of a virtual time. A sleep of an hour takes only the time needed to run the events in
/// it.
public struct VirtualClock: Clock {
    /// A moment on this clock.
    public struct Instant: InstantProtocol {
        /// The moment of the virtual time.
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

    private let time: any TransportTime

    package init(_ time: any TransportTime) {
        self.time = time
    }

    /// The current instant.
    public var now: Instant { Instant(time.now()) }
    /// The resolution of moments: a microsecond.
    public var minimumResolution: Duration { .microseconds(1) }

    /// Sleeps until an instant. A cancelled sleep ends at once, with `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleep = Promise<Void, CancellationError>(
            .sleeps, cancelled: .failure(CancellationError()), on: time)
        try await sleep.value {
            time.schedule(at: deadline.moment) { sleep.resolve(.success(())) }
        }
    }
}
