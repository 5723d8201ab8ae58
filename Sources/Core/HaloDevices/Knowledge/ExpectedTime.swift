internal import HaloProtocol
internal import HaloTransport

/// The time that a ring's clock should show at a moment.
struct ExpectedTime: Sendable {
    let time: CivilDateTime
    private let wallClock: WallClock
    private let moment: Moment

    init(_ clock: RingClock, _ wallClock: WallClock, at moment: Moment) {
        time = clock.reading(wallClock)
        self.wallClock = wallClock
        self.moment = moment
    }

    /// Creates the time of a clock at the moment at which it is set.
    init(_ clock: RingClock, at moment: Moment) {
        time = clock.since ?? CivilDateTime(secondsSince1970: 0)
        wallClock = WallClock(local: time, secondsFromUTC: clock.secondsFromUTC)
        self.moment = moment
    }

    var epoch: ClockEpoch { ClockEpoch(assuming: time, at: moment) }

    func epoch(of clock: RingClock) -> ClockEpoch {
        ClockEpoch(assuming: clock.reading(wallClock), at: moment)
    }
}
