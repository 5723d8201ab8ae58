internal import HaloProtocol

/// How a ring's clock stands to the transport's timeline: the moment at which it would have shown
/// 1970-01-01 00:00:00, between bounds.
///
/// A ring cannot be asked for the time. But it was set within the time that this took, and a day
/// that it says narrows the bounds down. Between them lies what is not known: then a day is known
/// only if it is the same at both.
struct ClockEpoch: Hashable, Sendable {
    /// The bound of a clock that is as far ahead as it can be.
    let earliest: Moment
    /// The bound of a clock that is as far behind as it can be.
    let latest: Moment

    private init?(_ earliest: Moment, _ latest: Moment) {
        guard earliest <= latest else { return nil }
        self.earliest = earliest
        self.latest = latest
    }

    /// A clock that was set to a time: at some moment from sending until the ring's confirmation.
    ///
    /// It has whole seconds, and is taken to go wrong by 100 millionths: twice as much as quartz
    /// that is out in the cold.
    init(_ time: CivilDateTime, sent: Moment, confirmed: Moment, now: Moment) {
        let drift = max(now.microseconds(since: sent), 0) / 10_000
        let slack = Self.second + drift
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = sent.advanced(byMicroseconds: -length - slack)
        latest = max(sent, confirmed).advanced(byMicroseconds: -length + slack)
    }

    /// A clock that is taken to show a time, give or take a minute.
    init(assuming time: CivilDateTime, at now: Moment) {
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = now.advanced(byMicroseconds: -length - 60 * Self.second)
        latest = now.advanced(byMicroseconds: -length + 60 * Self.second)
    }

    /// A clock that showed a day at some moment between two others.
    init(_ day: CivilDate, asked: Moment, answered: Moment) {
        let start = Int64(day.daysSince1970) * Self.day
        earliest = asked.advanced(byMicroseconds: 1 - start - Self.day)
        latest = max(asked, answered).advanced(byMicroseconds: -start)
    }

    /// What both say; `nil` where they contradict each other.
    func intersection(_ other: ClockEpoch) -> ClockEpoch? {
        ClockEpoch(max(earliest, other.earliest), min(latest, other.latest))
    }

    /// The day that the clock shows from one moment to another; `nil` where there may be a
    /// midnight between them.
    func day(from start: Moment, to end: Moment) -> CivilDate? {
        let first = Self.dayNumber(start.microseconds(since: latest))
        let last = Self.dayNumber(max(start, end).microseconds(since: earliest))
        return first == last ? Self.date(first) : nil
    }

    /// The earliest day that the clock may show at a moment.
    func firstDay(at moment: Moment) -> CivilDate? {
        Self.date(Self.dayNumber(moment.microseconds(since: latest)))
    }

    /// The moment from which on the clock certainly shows the last day that it may show at a
    /// moment.
    func lastDayIsCertain(at moment: Moment) -> Moment {
        let last = Self.dayNumber(moment.microseconds(since: earliest))
        return latest.advanced(byMicroseconds: last.multipliedReportingOverflow(by: Self.day).0)
    }

    /// `true` when waiting for a certain day takes minutes at most.
    var isNarrow: Bool { latest.microseconds(since: earliest) <= 900 * Self.second }

    private static var second: Int64 { 1_000_000 }
    private static var day: Int64 { 86_400 * second }

    private static func dayNumber(_ microseconds: Int64) -> Int64 {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: day)
        return rest < 0 ? whole - 1 : whole
    }

    private static func date(_ number: Int64) -> CivilDate? {
        try? CivilDate(daysSince1970: Int(clamping: number))
    }
}
