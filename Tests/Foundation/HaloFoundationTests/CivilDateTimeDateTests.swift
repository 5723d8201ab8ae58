import Foundation
import HaloDevices
import HaloFoundation
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Dates and time zones against the calendar of Foundation, and where clocks skip or repeat.
@Suite(.computes) struct CivilDateTimeDateTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
        "America/Sao_Paulo", "Pacific/Apia", "Etc/UTC",
    ]

    private func zone(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name))
    }

    private func civil(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0
    ) throws -> CivilDateTime {
        CivilDateTime(
            try CivilDate(year: year, month: month, day: day),
            try CivilTime(hour: hour, minute: minute))
    }

    @Test(arguments: zones)
    func clocksShowWhatTheCalendarSays(_ name: String) throws {
        let zone = try zone(name)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Eleven hours and a prime number of seconds apart, over four years.
        for step in 0..<3200 {
            let date = Date(timeIntervalSince1970: 1_600_000_000 + Double(step) * 39_607)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: date)
            let found = CivilDateTime(date, in: zone)
            #expect(found.date.year == parts.year && found.date.month == parts.month)
            #expect(found.date.day == parts.day && found.time.hour == parts.hour)
            #expect(found.time.minute == parts.minute && found.time.second == parts.second)
            #expect(CivilDate(date, in: zone) == found.date)
            // There and back is the same moment, or an earlier one that looks the same.
            let back = Date(found, in: zone)
            #expect(CivilDateTime(back, in: zone) == found && back <= date)
        }
    }

    @Test func aTimeThatClocksShowTwiceIsTheFirst() throws {
        let berlin = Date(try civil(2025, 10, 26, 2, 30), in: try zone("Europe/Berlin"))
        #expect(berlin == Date(timeIntervalSince1970: 1_761_438_600))
        let york = Date(try civil(2025, 11, 2, 1, 30), in: try zone("America/New_York"))
        #expect(york == Date(timeIntervalSince1970: 1_762_061_400))
    }

    @Test func aTimeThatClocksSkipIsAsMuchLater() throws {
        let berlin = try zone("Europe/Berlin")
        let date = Date(try civil(2025, 3, 30, 2, 30), in: berlin)
        #expect(CivilDateTime(date, in: berlin) == (try civil(2025, 3, 30, 3, 30)))
        let york = try zone("America/New_York")
        let other = Date(try civil(2025, 3, 9, 2, 30), in: york)
        #expect(CivilDateTime(other, in: york) == (try civil(2025, 3, 9, 3, 30)))
    }

    @Test func aDayWithoutMidnightBeginsAfterIt() throws {
        // Clocks in São Paulo went from 23:59 to 1:00 on 2018-11-04.
        let zone = try zone("America/Sao_Paulo")
        let day = Date(try CivilDate(year: 2018, month: 11, day: 4), in: zone)
        #expect(CivilDateTime(day, in: zone) == (try civil(2018, 11, 4, 1)))
    }

    @Test(
        arguments: [
            (-1e30, 0, 0), (-1, 0, 19_799), (0.75, 0, 19_800),
            (1_700_000_000.999, 1_700_000_000, 1_700_019_800),
            (4_294_967_296, .max, .max), (.infinity, .max, .max), (-.infinity, 0, 0),
            (.nan, 0, 19_800),
        ] as [(seconds: Double, inUTC: UInt32, inIndia: UInt32)])
    func datesBeyondWhatRingsShowAreItsEnds(
        _ seconds: Double, _ inUTC: UInt32, _ inIndia: UInt32
    ) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let found = CivilDateTime(date, in: try zone("Etc/UTC"))
        #expect(found.secondsSince1970 == inUTC)
        let clock = WallClock(date, in: try zone("Asia/Kolkata"))
        #expect(clock.local.secondsSince1970 == inIndia)
        #expect(clock.secondsFromUTC == 19_800)
    }

    @Test func todayIsTheComputersDay() {
        let before = CivilDate(Date(), in: .current)
        let today = CivilDate.today
        #expect(before...CivilDate(Date(), in: .current) ~= today)
    }

    @Test func aWallClockIsADate() throws {
        let berlin = try zone("Europe/Berlin")
        let date = Date(timeIntervalSince1970: 1_750_000_000)
        let clock = WallClock(date, in: berlin)
        #expect(clock.secondsFromUTC == 7200)
        #expect(clock.local.secondsSince1970 == 1_750_007_200)
        #expect(Date(clock) == date)
    }

    @Test func aMomentIsADateByTheTransportsClock() {
        let time = SteppedTime()
        let now = Date(time.wallClock())
        #expect(Date(time.now(), on: time) == now)
        #expect(Date(time.now() + .milliseconds(2500), on: time) == now + 2.5)
        #expect(Date(time.now() - .seconds(60), on: time) == now - 60)
    }
}
