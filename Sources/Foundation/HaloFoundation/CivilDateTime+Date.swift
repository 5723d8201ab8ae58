public import Foundation
public import HaloProtocol
public import HaloTransport

extension Date {
    /// Creates the date at which clocks in a time zone show a day and a time.
    ///
    /// A time that clocks show twice, as when summer ends, becomes the first of the two dates. A
    /// time that they skip, as when summer begins, becomes later by the skipped time.
    public init(_ civil: CivilDateTime, in timeZone: TimeZone) {
        let local = Date(timeIntervalSince1970: TimeInterval(civil.secondsSince1970))
        // Zones change rarely: the offsets a day before and a day after are the offsets around the
        // change.
        let before = timeZone.offset(at: local - 86_400)
        let after = timeZone.offset(at: local + 86_400)
        let moments = [max(before, after), min(before, after)].map { (offset: $0, local - $0) }
        let shown = moments.first { offset, moment in timeZone.offset(at: moment) == offset }
        self = shown?.1 ?? local - before
    }

    /// Creates the date at which a day begins in a time zone: midnight, or the next time if clocks
    /// skip midnight.
    public init(_ day: CivilDate, in timeZone: TimeZone) {
        self.init(CivilDateTime(day), in: timeZone)
    }

    /// Creates the date that a wall clock shows, to the second.
    public init(_ clock: WallClock) {
        self.init(timeIntervalSince1970: TimeInterval(clock.utc.secondsSince1970))
    }

    /// Creates the date of a moment on a transport's timeline, by the transport's wall clock, to
    /// the second.
    public init(_ moment: Moment, on time: some TransportTime) {
        let sinceNow = moment.microseconds(since: time.now())
        self = Date(time.wallClock()) + TimeInterval(sinceNow) / 1_000_000
    }
}

extension CivilDateTime {
    /// Creates the day and the time that clocks in a time zone show at a date. A date beyond the
    /// range of rings is clamped to 1970 or 2106.
    public init(_ date: Date, in timeZone: TimeZone) {
        self = WallClock(date, in: timeZone).local
    }
}

extension CivilDate {
    /// Creates the day of a date in a time zone.
    public init(_ date: Date, in timeZone: TimeZone) {
        self = CivilDateTime(date, in: timeZone).date
    }
}

extension WallClock {
    /// Creates the wall clock of a time zone at a date. A date beyond the range of rings is clamped
    /// to 1970 or 2106.
    public init(_ date: Date, in timeZone: TimeZone) {
        // The range and a day more, as no zone is further from UTC.
        let utc = min(max(date.timeIntervalSince1970, -86_400), Double(UInt32.max) + 86_400)
        let moment = Date(timeIntervalSince1970: utc.isNaN ? 0 : utc)
        let offset = timeZone.secondsFromGMT(for: moment)
        let local = (moment + TimeInterval(offset)).timeIntervalSince1970.rounded(.down)
        self.init(
            local: CivilDateTime(secondsSince1970: UInt32(min(max(local, 0), Double(UInt32.max)))),
            secondsFromUTC: offset)
    }
}

extension TimeZone {
    fileprivate func offset(at date: Date) -> TimeInterval {
        TimeInterval(secondsFromGMT(for: date))
    }
}
