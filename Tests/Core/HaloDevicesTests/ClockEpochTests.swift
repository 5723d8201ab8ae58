import HaloProtocol
import TestSupport
import Testing

@testable import HaloDevices

/// The bounds of a ring's clock, to the microsecond.
@Suite(.passesTime) struct ClockEpochTests {
    private static let second: Int64 = 1_000_000
    private static let day: Int64 = 86_400 * second
    private static let date = CivilDateTime(secondsSince1970: 20_000 * 86_400).date

    private static func moment(_ seconds: Int64, _ microseconds: Int64 = 0) -> Moment {
        Moment(microseconds: seconds * second + microseconds)
    }

    @Test func aClockThatWasSetIsKnownToASecondAndItsDrift() {
        let time = CivilDateTime(secondsSince1970: 1_000)
        // A second each way, and 100 parts per million of the hour since.
        let epoch = ClockEpoch(
            time, sent: Self.moment(2_000), confirmed: Self.moment(2_003),
            now: Self.moment(2_000 + 3_600))
        #expect(epoch.earliest == Self.moment(999, -360_000))
        #expect(epoch.latest == Self.moment(1_004, 360_000))
        let atOnce = ClockEpoch(
            time, sent: Self.moment(2_000), confirmed: Self.moment(2_000), now: Self.moment(2_000))
        #expect(atOnce.earliest == Self.moment(999))
        #expect(atOnce.latest == Self.moment(1_001))
    }

    @Test func anAssumptionIsKnownToAMinute() {
        let epoch = ClockEpoch(
            assuming: CivilDateTime(secondsSince1970: 1_000), at: Self.moment(2_000))
        #expect(epoch.earliest == Self.moment(940))
        #expect(epoch.latest == Self.moment(1_060))
        #expect(epoch.isNarrow)
    }

    @Test func aReportedDayIsAllOfThatDay() {
        let asked = Self.moment(50)
        let epoch = ClockEpoch(Self.date, asked: asked, answered: Self.moment(60))
        // The day may have begun at the reply, or end just after the request.
        #expect(epoch.day(from: asked, to: asked) == nil)
        #expect(epoch.firstDay(at: Self.moment(60)) == Self.date)
        #expect(epoch.firstDay(at: Self.moment(60, -1)) == Self.date.daysEarlier(1))
        let atOnce = ClockEpoch(Self.date, asked: asked, answered: asked)
        #expect(atOnce.day(from: asked, to: asked) == Self.date)
        #expect(atOnce.day(from: asked, to: Self.moment(50, 1)) == nil)
        #expect(!atOnce.isNarrow)
    }

    @Test func theIntersectionAgreesWithBoth() throws {
        func epoch(_ at: Int64) -> ClockEpoch {
            ClockEpoch(assuming: CivilDateTime(secondsSince1970: 0), at: Self.moment(at))
        }
        let both = try #require(epoch(0).intersection(epoch(100)))
        #expect(both.earliest == Self.moment(40) && both.latest == Self.moment(60))
        #expect(epoch(100).intersection(epoch(0)) == both)
        let point = try #require(epoch(0).intersection(epoch(120)))
        #expect(point.earliest == Self.moment(60) && point.latest == Self.moment(60))
        #expect(epoch(0).intersection(epoch(121)) == nil)
        #expect(epoch(121).intersection(epoch(0)) == nil)
    }

    /// A clock that is right to a minute, a minute and less from midnight.
    @Test func aDayIsKnownUnlessItMayEnd() {
        let epoch = ClockEpoch(assuming: CivilDateTime(Self.date), at: .origin)
        #expect(epoch.day(from: Self.moment(60), to: Self.moment(60)) == Self.date)
        #expect(epoch.day(from: Self.moment(60, -1), to: Self.moment(60)) == nil)
        let end = Self.moment(86_400 - 60)
        #expect(
            epoch.day(from: Self.moment(60), to: Moment(microseconds: end.microseconds - 1))
                == Self.date)
        #expect(epoch.day(from: Self.moment(60), to: end) == nil)
        #expect(epoch.firstDay(at: Self.moment(60, -1)) == Self.date.daysEarlier(1))
        #expect(epoch.firstDay(at: Self.moment(60)) == Self.date)
        #expect(epoch.lastDayIsCertain(at: Self.moment(-60)) == Self.moment(60))
        #expect(epoch.lastDayIsCertain(at: Self.moment(-60, -1)) == Self.moment(60 - 86_400))
        #expect(epoch.lastDayIsCertain(at: end) == Self.moment(86_400 + 60))
    }

    @Test(arguments: [(899, true), (900, true), (901, false)])
    func narrowIsAQuarterOfAnHour(seconds: Int64, isNarrow: Bool) {
        // Two seconds of them are the resolution of the clock.
        let epoch = ClockEpoch(
            CivilDateTime(secondsSince1970: 0), sent: .origin,
            confirmed: Self.moment(seconds - 2), now: .origin)
        #expect(epoch.isNarrow == isNarrow)
    }

    @Test func daysBefore1970AreDaysToo() {
        let epoch = ClockEpoch(assuming: CivilDateTime(secondsSince1970: 0), at: .origin)
        #expect(epoch.firstDay(at: Self.moment(-86_400 + 60, -1)) == nil)
        #expect(epoch.day(from: Self.moment(60), to: Self.moment(70))?.daysSince1970 == 0)
    }

    @Test(arguments: [
        // The date without a year, another date, and the year in which they are nearest.
        ((1, 2), (2026, 1, 5), 2026), ((12, 31), (2026, 1, 5), 2025),
        ((1, 1), (2025, 12, 31), 2026),
        ((7, 4), (2026, 1, 3), 2026), ((7, 5), (2026, 1, 3), 2025), ((2, 29), (2028, 3, 1), 2028),
        ((2, 29), (2027, 3, 1), 2028),
    ])
    func aDateWithoutAYearIsTheNearest(
        _ date: (UInt8, UInt8), _ other: (Int, UInt8, UInt8), year: Int
    ) throws {
        let forgotten = try CivilDate(year: 2000, month: Int(date.0), day: Int(date.1))
        #expect(forgotten.isWithoutYear)
        let other = try CivilDate(year: other.0, month: Int(other.1), day: Int(other.2))
        #expect(
            forgotten.withYear(near: other)
                == (try CivilDate(year: year, month: Int(date.0), day: Int(date.1))))
        #expect(other.withYear(near: forgotten) == other)
        #expect(!other.isWithoutYear)
    }
}
