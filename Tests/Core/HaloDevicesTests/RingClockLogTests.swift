import HaloProtocol
import TestSupport
import Testing

@testable import HaloDevices

/// The clock that has shown a time, among several clocks of a ring.
@Suite(.passesTime) struct RingClockLogTests {
    private static func time(_ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> CivilDateTime {
        CivilDateTime(secondsSince1970: 1_767_225_600)
            .advanced(bySeconds: hour * 3600 + minute * 60 + second)
    }

    private static func clock(
        _ hours: Int, since: Int? = nil, wasSet: Bool = true
    ) -> RingClock {
        RingClock(secondsFromUTC: hours * 3600, wasSet: wasSet, since: since.map { time($0) })
    }

    private static func offsets(
        _ log: RingClockLog, _ spans: [(from: CivilDateTime, seconds: Int)]
    ) -> [Int?] {
        spans.map { log.secondsFromUTC(from: $0.from, seconds: $0.seconds).map { $0 / 3600 } }
    }

    @Test func withoutAClockNoOffsetIsKnown() {
        #expect(RingClockLog([]).secondsFromUTC(from: Self.time(0), seconds: 60) == nil)
    }

    @Test func oneClockHasShownAllTimesSinceItWasSet() {
        let log = RingClockLog([Self.clock(1, since: 10)])
        #expect(
            Self.offsets(
                log,
                [
                    (Self.time(10), 60), (Self.time(9, 59, 59), 60), (Self.time(9), 3600),
                    (Self.time(9, 59, 59), 0), (Self.time(10), 0), (Self.time(10), -5),
                ]) == [1, nil, nil, nil, 1, 1])
        let always = RingClockLog([Self.clock(1)])
        #expect(always.secondsFromUTC(from: Self.time(-900), seconds: 60) == 3600)
    }

    /// From one hour ahead of UTC to three: at 10:00 of the old clock, the new one shows 12:00.
    @Test func aJourneyEastLeavesAGap() {
        let log = RingClockLog([Self.clock(1), Self.clock(3, since: 12)])
        #expect(
            Self.offsets(
                log,
                [
                    (Self.time(9), 3600), (Self.time(9), 3601), (Self.time(10), 60),
                    (Self.time(11), 3600), (Self.time(11), 3601), (Self.time(12), 60),
                    (Self.time(9, 59, 59), 1),
                ]) == [1, nil, nil, nil, nil, 3, 1])
    }

    /// From three hours ahead of UTC to one: the last two hours are shown twice.
    @Test func aJourneyWestShowsHoursTwice() {
        let log = RingClockLog([Self.clock(3), Self.clock(1, since: 10)])
        #expect(
            Self.offsets(
                log,
                [
                    (Self.time(9), 3600), (Self.time(9), 3601), (Self.time(10), 60),
                    (Self.time(11, 59, 59), 1), (Self.time(12), 60), (Self.time(11, 59, 59), 2),
                ]) == [3, nil, nil, nil, 1, nil])
    }

    @Test func aClockInDoubtMakesItsTimeUncertain() {
        var log = RingClockLog([Self.clock(1)])
        log.add(Self.clock(3, since: 12, wasSet: false))
        #expect(log.clocks.map(\.secondsFromUTC) == [3600, 3 * 3600])
        // Whether the first clock still shows times after 12:00 is not known.
        #expect(
            Self.offsets(log, [(Self.time(9), 60), (Self.time(11), 3600), (Self.time(12), 60)])
                == [1, 1, nil])
        var confirmed = log
        confirmed.confirm()
        #expect(confirmed.clocks == [Self.clock(1), Self.clock(3, since: 12)])
        confirmed.confirm()
        confirmed.withdraw()
        #expect(confirmed.clocks == [Self.clock(1), Self.clock(3, since: 12)])
        log.withdraw()
        #expect(log.clocks == [Self.clock(1)])
    }

    @Test func aClockInDoubtThatIsAsBeforeChangesNothing() {
        var log = RingClockLog([Self.clock(1)])
        log.add(Self.clock(1, since: 12, wasSet: false))
        #expect(log.clocks == [Self.clock(1)])
        log.add(Self.clock(2, since: 12, wasSet: false))
        log.add(Self.clock(2, since: 13, wasSet: false))
        #expect(log.clocks.count == 3)
        log.confirm()
        #expect(log.clocks.map(\.wasSet) == [true, false, true])
        // The clock in doubt lies between: the end of the first one does not follow from it.
        #expect(
            Self.offsets(log, [(Self.time(11), 60), (Self.time(12), 60), (Self.time(13), 60)])
                == [1, nil, 2])
    }

    @Test func earlierClocksAreSortedByTheirBeginning() {
        let clocks = [
            Self.clock(1), Self.clock(2, since: 3), Self.clock(9, since: 14),
            Self.clock(4, since: 12),
        ]
        // 14:00 at nine hours ahead is 5:00 in UTC, and 12:00 at four is 8:00.
        let ordered = [clocks[0], clocks[1], clocks[2], clocks[3]]
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
            #expect(RingClockLog(order.map { clocks[$0] }).clocks == ordered)
        }
    }

    @Test func theLastSixtyFourAreKept() {
        let many = (0..<70).map { Self.clock($0 % 2, since: $0 * 3) }
        let log = RingClockLog(many)
        #expect(log.clocks == Array(many.suffix(64)))
        var more = log
        more.add(Self.clock(5, since: 400))
        #expect(more.clocks == Array(many.suffix(63)) + [Self.clock(5, since: 400)])
    }

    // MARK: Clocks with a wrong day

    private static func clock(_ shift: ClockShift) -> RingClock {
        RingClock(secondsFromUTC: 0, wasSet: true, since: time(12), shift: shift)
    }

    /// Three days behind: it showed 12:00 to 12:00 of the next day, 72 to 48 hours before.
    @Test func timesOfAClockThatWasBehindAreWrong() {
        let shift = ClockShift(days: 3, lowestSeconds: 48 * 3600, highestSeconds: 72 * 3600)
        let log = RingClockLog([RingClock(secondsFromUTC: 0, wasSet: true), Self.clock(shift)])
        #expect(log.isWrong(Self.time(12 - 48, 0, -1)) && !log.isWrong(Self.time(12 - 48)))
        #expect(log.isWrong(Self.time(12 - 72 - 31 * 24)))
        #expect(!log.isWrong(Self.time(12 - 72 - 31 * 24, 0, -1)))
        #expect(log.uncertainTimes.isEmpty)
        #expect(
            Self.offsets(log, [(Self.time(12 - 49), 60), (Self.time(12 - 48), 60)]) == [nil, 0])
    }

    /// Three days ahead: its times until then are wrong, and come again.
    @Test func timesOfAClockThatWasAheadAreWrongAndThenUncertain() {
        let shift = ClockShift(days: -3, lowestSeconds: -72 * 3600, highestSeconds: -48 * 3600)
        let log = RingClockLog([Self.clock(shift)])
        #expect(log.isWrong(Self.time(12, 0, -1)) && !log.isWrong(Self.time(12)))
        #expect(log.isWrong(Self.time(12 + 48 - 31 * 24)))
        #expect(!log.isWrong(Self.time(12 + 48 - 31 * 24, 0, -1)))
        #expect(log.uncertainTimes == [Self.time(12)..<Self.time(12 + 72)])
        #expect(
            Self.offsets(log, [(Self.time(12 + 71, 59), 60), (Self.time(12 + 72), 60)])
                == [nil, 0])
    }

    /// The zones of the world are at most 26 hours apart.
    @Test(arguments: [(0, true), (1, false)])
    func aClockOfAnotherZoneIsLessThan26HoursOff(_ more: Int, _ mayBe: Bool) {
        let most = 26 * 3600 + more
        let ahead = ClockShift(days: -1, lowestSeconds: -most - 600, highestSeconds: -most)
        let behind = ClockShift(days: 1, lowestSeconds: most, highestSeconds: most + 600)
        #expect(ahead.mayBeTimeZoneChange == mayBe && behind.mayBeTimeZoneChange == mayBe)
    }

    /// A year ahead: only the last month of its times is held, and comes in eleven months.
    @Test func timesThatNoRingHoldsAreCertain() {
        let year = 365 * 24
        let shift = ClockShift(
            days: -365, lowestSeconds: -year * 3600, highestSeconds: (24 - year) * 3600)
        let log = RingClockLog([Self.clock(shift)])
        #expect(!log.isWrong(Self.time(11)))
        let start = Self.time(12 + year - 24 - 31 * 24)
        #expect(log.uncertainTimes == [start..<Self.time(12 + year)])
    }

    @Test func aClockWithADifferenceIsKeptThoughItsOffsetIsTheSame() {
        let shift = ClockShift(days: 3, lowestSeconds: 48 * 3600, highestSeconds: 72 * 3600)
        var log = RingClockLog([Self.clock(0, since: 2)])
        log.add(Self.clock(shift).confirmed(false))
        #expect(log.clocks.map(\.wasSet) == [true, false])
        log.confirm()
        #expect(log.clocks == [Self.clock(0, since: 2), Self.clock(shift)])
    }

    @Test func impossibleDifferencesDoNoHarm() {
        for seconds in [(Int.min, Int.max), (.max, .max), (.min, .min), (5, -5)] {
            let shift = ClockShift(
                days: .min, lowestSeconds: seconds.0, highestSeconds: seconds.1)
            let log = RingClockLog([Self.clock(shift)])
            _ = (log.isWrong(Self.time(0)), log.uncertainTimes, shift.mayBeTimeZoneChange)
            _ = log.secondsFromUTC(from: Self.time(0), seconds: 60)
        }
        let history = RingHistory(today: Self.time(0).date, readAt: nil, secondsFromUTC: nil)
        #expect(history.moved(byDays: .min).today.daysSince1970 == 0)
        #expect(history.moved(byDays: .max).today.year == 2106)
    }

    @Test func aMovedHistoryIsWholeExceptItsOffsets() throws {
        let today = Self.time(0).date
        var history = RingHistory(today: today, readAt: Self.time(0), secondsFromUTC: 3600)
        history.failures = [HistoryFailure(kind: .stress, error: DeviceError(.timedOut))]
        history.unsupported = [.temperature]
        history.coverage[.stress, today] = .failed
        let moved = history.moved(byDays: 3)
        #expect(moved.failures == history.failures && moved.unsupported == [.temperature])
        let later = try #require(today.advanced(byDays: 3))
        #expect(moved.today == later && moved.coverage[.stress, later] == .failed)
        #expect(moved.coverage.days.count == 1 && moved.secondsFromUTC == nil)
    }

    @Test func impossibleOffsetsDoNoHarm() {
        let clock = RingClock(secondsFromUTC: .min, wasSet: true, since: Self.time(0))
        #expect(clock.utc(of: Self.time(0)) == Self.time(0).advanced(bySeconds: .max))
        let log = RingClockLog([clock, RingClock(secondsFromUTC: .max, wasSet: true)])
        #expect(log.clocks.count == 2)
        _ = log.secondsFromUTC(from: Self.time(0), seconds: .max)
    }
}
