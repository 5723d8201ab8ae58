internal import HaloProtocol

/// The epoch of a ring's clock on the transport's timeline: the moment at which the clock would
/// have shown 1970-01-01 00:00:00, between two bounds.
///
/// A ring has no request for the time. But it was set between the request and its confirmation, and
/// a day that it reports narrows the bounds. A day is known only if it is the same at both bounds.
struct ClockEpoch: Hashable, Sendable {
    /// The lower bound: the epoch of a clock that is as far ahead as possible.
    let earliest: Moment
    /// The upper bound: the epoch of a clock that is as far behind as possible.
    let latest: Moment

    private init?(_ earliest: Moment, _ latest: Moment) {
        guard earliest <= latest else { return nil }
        self.earliest = earliest
        self.latest = latest
    }

    /// Creates the epoch of a clock that was set to a time, between the request and its
    /// confirmation.
    ///
    /// The clock has whole seconds. Its drift is assumed to be 100 parts per million at most: twice
    /// the drift of quartz in the cold.
    init(_ time: CivilDateTime, sent: Moment, confirmed: Moment, now: Moment) {
        let drift = now.microseconds(since: sent) / 10_000
        let slack = Self.second + drift
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = sent.advanced(byMicroseconds: -length - slack)
        latest = confirmed.advanced(byMicroseconds: -length + slack)
    }

    /// Creates the epoch of a clock that is assumed to show a time within a minute.
    init(assuming time: CivilDateTime, at now: Moment) {
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = now.advanced(byMicroseconds: -length - 60 * Self.second)
        latest = now.advanced(byMicroseconds: -length + 60 * Self.second)
    }

    /// Creates the epoch of a clock that showed a day at some moment between request and reply.
    init(_ day: CivilDate, asked: Moment, answered: Moment) {
        let start = Int64(day.daysSince1970) * Self.day
        earliest = asked.advanced(byMicroseconds: 1 - start - Self.day)
        latest = answered.advanced(byMicroseconds: -start)
    }

    /// Returns the intersection of the bounds; `nil` if the epochs contradict each other.
    func intersection(_ other: ClockEpoch) -> ClockEpoch? {
        ClockEpoch(max(earliest, other.earliest), min(latest, other.latest))
    }

    /// `true` if the epochs differ by no more than the minutes by which a clock is wrong that was
    /// not set for months.
    func agrees(with other: ClockEpoch) -> Bool {
        let most = 900 * Self.second
        return earliest.advanced(byMicroseconds: -most) <= other.latest
            && other.earliest <= latest.advanced(byMicroseconds: most)
    }

    /// Returns the day that the clock shows during a period; `nil` if there may be a midnight in
    /// it.
    func day(from start: Moment, to end: Moment) -> CivilDate? {
        let first = Self.dayNumber(start.microseconds(since: latest))
        let last = Self.dayNumber(end.microseconds(since: earliest))
        return first == last ? Self.date(first) : nil
    }

    /// Returns the earliest day that the clock may show at a moment; `nil` if it is out of range.
    func firstDay(at moment: Moment) -> CivilDate? {
        Self.date(Self.dayNumber(moment.microseconds(since: latest)))
    }

    /// Returns the first moment at which the clock certainly shows the latest day that it may show
    /// at a given moment.
    func lastDayIsCertain(at moment: Moment) -> Moment {
        let last = Self.dayNumber(moment.microseconds(since: earliest))
        return latest.advanced(byMicroseconds: last.multipliedReportingOverflow(by: Self.day).0)
    }

    /// `true` if the bounds are at most 15 minutes apart, so that a certain day comes soon.
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
