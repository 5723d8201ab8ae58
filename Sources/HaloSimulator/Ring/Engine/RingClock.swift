internal import HaloProtocol

/// A clock that shows a civil time and goes on by itself.
struct RingClock: Hashable, Sendable {
    private var shown: CivilDateTime
    private var since: Moment

    /// A clock that shows a time at a moment.
    init(showing time: CivilDateTime, at moment: Moment) {
        shown = time
        since = moment
    }

    /// What it shows at a moment.
    func time(at moment: Moment) -> CivilDateTime {
        let elapsed = moment.microseconds(since: since)
        let second: Int64 = 1_000_000
        let floor = elapsed / second - (elapsed % second < 0 ? 1 : 0)
        return shown.advanced(bySeconds: Int(clamping: floor))
    }

    /// The moment at which it begins to show a time.
    func moment(of time: CivilDateTime) -> Moment {
        let seconds = Int64(time.secondsSince1970) - Int64(shown.secondsSince1970)
        return since.advanced(byMicroseconds: seconds * 1_000_000)
    }

    /// Lets it show a time at a moment.
    mutating func set(to time: CivilDateTime, at moment: Moment) {
        self = RingClock(showing: time, at: moment)
    }
}

extension RingClock {
    /// What a ring shows that was never set: the year 2000 is said, the day is a choice.
    static var factoryTime: CivilDateTime {
        let date = try? CivilDate(year: 2000, month: 1, day: 1)
        return date.map { CivilDateTime($0) } ?? CivilDateTime(secondsSince1970: 0)
    }
}
