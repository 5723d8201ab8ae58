internal import HaloProtocol

/// A wall clock that runs on from one reading.
struct SensorClock: Hashable, Sendable {
    /// The reading.
    var time = CivilDateTime(secondsSince1970: 0)
    /// The moment of the reading.
    var moment = Moment.origin

    /// The whole second that the clock shows at a moment, and the moment at which that second
    /// began.
    func second(of moment: Moment) -> (time: CivilDateTime, start: Moment) {
        let elapsed = moment.microseconds(since: self.moment)
        let seconds = elapsed / 1_000_000
        return (
            time.advanced(bySeconds: Int(clamping: seconds)),
            self.moment.advanced(byMicroseconds: seconds * 1_000_000)
        )
    }
}
