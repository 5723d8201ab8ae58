import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// Means of weeks, and streaks.
@Suite(.passesTime) struct WeeklyFiguresTests {
    private static func history(_ steps: [Int: Int], today: Int = 31) -> RingHistory {
        var history = RingHistory.january(today: today)
        for (day, steps) in steps { history.addSteps(day, steps) }
        return history
    }

    @Test func meansAreOverDaysThatHaveAValue() throws {
        var history = Self.history([4: 9999, 5: 1000, 7: 2000, 11: 6000, 12: 9999])
        history.addNight(7)
        history.addNight(8, hours: 7)
        let week = HealthFigures(history).week(endingOn: .day(11))
        #expect(week.days.map(\.day) == (5...11).map { .day($0) })
        let steps = try #require(week.mean(\.steps).value)
        #expect(steps.value == 3000)
        #expect(steps.days == 3)
        #expect("\(steps)" == "3000 on 3 days")
        #expect(week.mean(\.kilocalories).value?.value == 93.75)
        let asleep = week.mean { $0.night.map(\.asleepMinutes) }.value
        #expect(asleep?.value == 450)
        #expect(asleep?.days == 2)
        #expect(week.mean(\.stress) == .missing(.tooFew(0, of: 1, .days)))
        let single = HealthFigures(Self.history([9: 1000])).week(endingOn: .day(11))
        #expect("\(single.mean(\.steps))" == "1000 on 1 day")
    }

    @Test func todayIsNotInAMean() {
        let history = Self.history([9: 1000, 10: 2000, 11: 100], today: 11)
        let steps = HealthFigures(history).week(endingOn: .day(11)).mean(\.steps).value
        #expect(steps?.value == 1500)
        #expect(steps?.days == 2)
    }

    @Test(arguments: [
        // Day 8 has fewer steps.
        ([8: 4999, 9: 5000, 10: 7000, 11: 5001], 31, Figure.value(3)),
        ([11: 4999], 31, .value(0)),
        // Day 9 was not read.
        ([8: 9000, 10: 7000, 11: 5001], 31, .value(2)),
        ([10: 9000], 31, .missing(.notRead)),
        // Today has not enough so far, and enough already.
        ([8: 1, 9: 5000, 10: 7000, 11: 20], 11, .soFar(2)),
        ([8: 1, 9: 5000, 10: 7000, 11: 6000], 11, .soFar(3)),
        ([8: 1, 9: 5000, 10: 7000, 11: 5000], 11, .soFar(3)),
        ([11: 20], 11, .missing(.notRead)), ([10: 20, 11: 20], 11, .soFar(0)),
    ])
    func streaksEndWithADay(_ steps: [Int: Int], _ today: Int, _ streak: Figure<Int>) {
        let figures = HealthFigures(Self.history(steps, today: today))
        #expect(figures.streak(ofSteps: 5000, endingOn: .day(11)) == streak)
    }

    @Test func aStreakMayBeginOnTheFirstDayThatAClockShows() {
        let first = CivilDateTime(secondsSince1970: 0)
        var history = RingHistory.january()
        history[.activity] = [
            TimedSample(time: first, minutes: 60, value: ActivityAmount(steps: 9, metres: 5))
        ]
        let streak = HealthFigures(history).streak(ofSteps: 9, endingOn: first.date)
        #expect(streak == .value(1))
    }
}
