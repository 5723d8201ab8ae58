import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CivilTimeTests {
    /// Counts the days of 1970 to 2105 one by one, by the lengths of months.
    @Test func agreesWithADayByDayCounter() throws {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var number = 0
        for year in 1970...2105 {
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            for month in 1...12 {
                let days = lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
                for day in 1...days {
                    let date = try CivilDate(year: year, month: month, day: day)
                    let numbered = try CivilDate(daysSince1970: number)
                    if date.daysSince1970 != number
                        || date.year != year || date.month != month || date.day != day
                        || date != numbered
                        || CivilDateTime(date).date != date
                        || !Self.isDecimal(date, year)
                    {
                        Issue.record("\(year)-\(month)-\(day)")
                    }
                    number += 1
                }
                #expect(throws: ValueError.self) {
                    try CivilDate(year: year, month: month, day: days + 1)
                }
            }
        }
    }

    /// Returns `true` if a ring's three pairs of digits are the same date, from 2000 to 2099.
    private static func isDecimal(_ date: CivilDate, _ year: Int) -> Bool {
        guard 2000...2099 ~= year else { return (try? DecimalDate(date)) == nil }
        return (try? DecimalDate(date))?.date == date
    }

    @Test func refusesWhatIsNoDate() {
        for (year, month, day) in [
            (1969, 12, 31), (2106, 1, 1), (2025, 0, 1), (2025, 13, 1), (2025, 1, 0),
            (2025, 2, 29), (2100, 2, 29), (.min, .min, .min), (.max, .max, .max),
        ] {
            #expect(throws: ValueError.self) {
                try CivilDate(year: year, month: month, day: day)
            }
        }
        #expect(throws: ValueError.self) { try CivilDate(daysSince1970: -1) }
        #expect(throws: ValueError.self) { try CivilDate(daysSince1970: 49_711) }
        #expect((try? CivilDate(daysSince1970: 49_710))?.description == "2106-02-07")
    }

    @Test func countsDaysBackAndForth() throws {
        let day = try CivilDate(year: 2000, month: 3, day: 1)
        #expect(day.daysEarlier(1)?.description == "2000-02-29")
        #expect(try CivilDate(daysSince1970: 3).daysEarlier(4) == nil)
        #expect(try CivilDate(daysSince1970: 3).daysAgo(from: day) == 11_014)
    }

    @Test func everyByteIsTwoDecimalDigitsOrNot() {
        var seen = 0
        for byte in UInt8.min...UInt8.max {
            let text = HexText.byte(byte)
            #expect(BinaryCodedDecimal.number(byte) == Int(text))
            guard let number = BinaryCodedDecimal.number(byte) else { continue }
            #expect(BinaryCodedDecimal.byte(number) == byte)
            seen += 1
        }
        #expect(seen == 100)
        #expect(BinaryCodedDecimal.byte(2026) == 0x26)
        #expect(BinaryCodedDecimal.byte(.min) == 0x08)
    }

    @Test func decimalDatesKeepWhatIsNoDay() throws {
        #expect(DecimalDate.unset.date == nil)
        #expect(DecimalDate.unset.description == "unset")
        #expect(throws: ValueError("year", allowed: 2000...2099, found: 1999)) {
            try DecimalDate(try CivilDate(year: 1999, month: 12, day: 31))
        }
        var date = try DecimalDate(try CivilDate(year: 2024, month: 2, day: 29))
        #expect([date.year, date.month, date.day] == [0x24, 0x02, 0x29])
        date.year = 0x25
        #expect(date.date == nil)
        date.year = 0x1A
        #expect(date.description == "1A-02-29")
        date.year = 0
        #expect(date.description == "2000-02-29")
    }

    @Test func everyMinuteHasItsSlot() throws {
        for minutes in UInt8.min...UInt8.max {
            let slots = SlotsOfDay(minutesPerSlot: minutes)
            #expect(slots.start(of: -1) == nil)
            #expect(slots.start(of: slots.count) == nil)
            #expect(slots.start(of: .max) == nil)
            for minute in 0..<1440 {
                let time = try CivilTime(minuteOfDay: minute)
                guard let slot = slots.slot(at: time), let start = slots.start(of: slot) else {
                    #expect(minutes == 0)
                    continue
                }
                let past = minute - start.minuteOfDay
                if past < 0 || past >= Int(minutes) { Issue.record("\(minutes): \(minute)") }
            }
        }
        #expect(SlotsOfDay(minutesPerSlot: 5).count == 288)
        #expect(SlotsOfDay(minutesPerSlot: 7).count == 206)
        #expect(SlotsOfDay(minutesPerSlot: 0).count == 0)
    }

    @Test func timesHaveLimits() throws {
        for (hour, minute, second) in [
            (24, 0, 0), (0, 60, 0), (0, 0, 60), (-1, 0, 0), (0, -1, 0), (0, 0, -1),
        ] {
            #expect(throws: ValueError.self) {
                try CivilTime(hour: hour, minute: minute, second: second)
            }
        }
        #expect(throws: ValueError.self) { try CivilTime(minuteOfDay: 1440) }
        let last = try CivilTime(hour: 23, minute: 59, second: 59)
        #expect(last.secondsSinceMidnight == 86_399)
        #expect(last.description == "23:59:59")
        let before = try CivilTime(hour: 23, minute: 59, second: 58)
        #expect(before < last && !(last < before) && !(last < last))
    }

    @Test func momentsStopAtTheirLimits() throws {
        let end = CivilDateTime(secondsSince1970: .max)
        #expect(end.description == "2106-02-07 06:28:15")
        #expect(end.advanced(bySeconds: 1) == end)
        #expect(end.advanced(bySeconds: .max) == end)
        #expect(end.advanced(bySeconds: .min).secondsSince1970 == 0)
        #expect(end.advanced(bySeconds: -1).secondsSince1970 == UInt32.max - 1)
        let lastDay = try CivilDate(daysSince1970: 49_710)
        #expect(CivilDateTime(lastDay, try CivilTime(minuteOfDay: 1439)) == end)
        #expect(CivilDateTime(lastDay).description == "2106-02-07 00:00:00")
        #expect(CivilDateTime(secondsSince1970: 0).description == "1970-01-01 00:00:00")
        for seconds in stride(from: UInt32.min, to: .max - 1_000_003, by: 1_000_003) {
            let moment = CivilDateTime(secondsSince1970: seconds)
            #expect(CivilDateTime(moment.date, moment.time) == moment)
        }
    }
}
