import HaloDevices
import HaloProtocol
import TestSupport
import Testing

@testable import HaloHealth

/// Figures of nights, against numbers worked out by hand.
@Suite(.passesTime) struct NightFiguresTests {
    private var history = RingHistory.january()

    private static func figures(_ day: Int, of history: RingHistory) -> DailyFigures {
        HealthFigures(history).day(.day(day))
    }

    // MARK: Sleep

    @Test mutating func aNightIsSummedUpByStages() throws {
        history.addSleep(
            .time(4, 23),
            [
                (.awake, 10), (.light, 60), (.deep, 90), (.rem, 30), (.awake, 5), (.light, 100),
                (.unclassified, 15), (.awake, 10),
            ])
        let day = Self.figures(5, of: history)
        let night = try #require(day.night.value)
        #expect(night.fellAsleep == .time(4, 23, 10))
        // 23:00 and 320 minutes is 4:20; the last 25 of them are no sleep.
        #expect(night.woke == .time(5, 3, 55))
        #expect(night.asleepMinutes == 280)
        #expect(night.lightMinutes == 160)
        #expect(night.deepMinutes == 90)
        #expect(night.remMinutes == 30)
        #expect(night.awakeMinutes == 25)
        #expect(night.unclassifiedMinutes == 15)
        #expect(night.efficiency == 280.0 / 305)
        #expect(day.naps == .value(NapFigures(count: 0, asleepMinutes: 0)))
        #expect(Self.figures(4, of: history).night == .missing(.notRead))
    }

    @Test(arguments: [(119, true), (120, true), (121, false)])
    mutating func partsOfANightAreAtMostTwoHoursApart(_ gap: Int, _ isOne: Bool) throws {
        history.addSleep(.time(4, 22), [(.light, 60)])
        let second = CivilDateTime.time(4, 23).advanced(bySeconds: gap * 60)
        history.addSleep(second, [(.deep, 240)])
        let day = Self.figures(5, of: history)
        let night = try #require(day.night.value)
        #expect(night.asleepMinutes == (isOne ? 300 : 240))
        #expect(night.awakeMinutes == (isOne ? gap : 0))
        #expect(night.fellAsleep == (isOne ? .time(4, 22) : second))
        #expect(night.woke == second.advanced(bySeconds: 240 * 60))
        // The first part ended on the day before, whose night it may be.
        #expect(day.naps.value?.count == 0)
        #expect(Self.figures(4, of: history).naps.value?.count == 0)
        #expect(Self.figures(4, of: history).night.value?.asleepMinutes == (isOne ? nil : 60))
    }

    @Test mutating func theLongestSleepIsTheNight() {
        history.addSleep(.time(5, 1), [(.light, 120)])
        history.addSleep(.time(5, 8), [(.light, 300)])
        history.addSleep(.time(5, 15), [(.light, 20), (.awake, 5), (.rem, 10)], isNap: true)
        let day = Self.figures(5, of: history)
        #expect(day.night.value?.fellAsleep == .time(5, 8))
        #expect(day.naps.value == NapFigures(count: 2, asleepMinutes: 150))
    }

    @Test mutating func ofTwoEqualNightsTheLaterOneIsTheNight() {
        history.addSleep(.time(5, 1), [(.light, 120)])
        history.addSleep(.time(5, 8), [(.light, 120)])
        #expect(Self.figures(5, of: history).night.value?.fellAsleep == .time(5, 8))
    }

    @Test(arguments: [(0, false), (1, true), (86_400, true), (86_401, false)])
    mutating func aPeriodOfSleepLastsADayAtMost(_ seconds: Int, _ isSleep: Bool) {
        let end = CivilDateTime.time(6, 0)
        history.addSleep(end.advanced(bySeconds: -seconds), [(.light, 1)], end: end)
        // A minute is sleep enough for a night.
        let night = Self.figures(6, of: history).night.value
        #expect(night?.asleepMinutes == (isSleep ? 1 : nil))
        #expect(night?.efficiency == (isSleep ? 1 : nil))
    }

    @Test func noTimeHasNoEfficiency() {
        let night = NightFigures(
            fellAsleep: .time(5, 0), woke: .time(5, 0), asleepMinutes: 0, lightMinutes: 0,
            deepMinutes: 0, remMinutes: 0, awakeMinutes: 0, unclassifiedMinutes: 0)
        #expect(night.efficiency == 0)
    }

    @Test func sumsEndAtTheGreatestNumber() {
        #expect([Int.max, 1].sum == .max)
        #expect([Int.min, -1].sum == .min)
        #expect([Int]().sum == 0)
    }

    @Test func aNapIsNoNight() {
        var history = RingHistory.january(read: 5...6)
        history.addSleep(.time(5, 14), [(.light, 40)], isNap: true)
        let day = Self.figures(5, of: history)
        #expect(day.night == .missing(.noNight))
        #expect(day.naps == .value(NapFigures(count: 1, asleepMinutes: 40)))
        #expect(Self.figures(6, of: history).naps == .missing(.notWorn))
        #expect(Self.figures(7, of: history).naps == .missing(.notRead))
    }

    @Test mutating func aNightWithoutStagesHasNoDuration() {
        history.addSleep(.time(4, 23), [(.unclassified, 400)])
        history.addHourly(\.heartRateVariability, 5, from: 0, [40, 50, 60])
        let day = Self.figures(5, of: history)
        #expect(day.night == .missing(.noStages))
        #expect(day.heartRateVariability == .value(50))
    }

    @Test(arguments: [(5, true), (6, true), (7, false)])
    func theNightMayGoOn(_ hours: Int, _ isOver: Bool) {
        var history = RingHistory.january(today: 5, hour: 11)
        history.addSleep(.time(5, 4), [(.light, hours * 60)])
        let night = Self.figures(5, of: history).night
        guard case .soFar = night else { return #expect(isOver) }
        #expect(!isOver)
    }

    /// The app sets the clock an hour ahead during the night: it shows nine hours, of which eight
    /// have passed.
    @Test mutating func aClockThatIsSetDoesNotMakeSleepLonger() throws {
        history.addSleep(.time(4, 23), [(.light, 240), (.deep, 240)], end: .time(5, 8))
        let night = try #require(Self.figures(5, of: history).night.value)
        #expect(night.asleepMinutes == 480)
        #expect(night.efficiency == 1)
        #expect(night.fellAsleep == .time(4, 23))
        #expect(night.woke == .time(5, 8))
    }

    /// A clock that is set back shows an hour twice: what was stored during the first one is
    /// before the night, though the ring's times are within it.
    @Test mutating func valuesBelongToTheNightByUTC() {
        history.addSleep(.time(5, 2), [(.light, 300)], secondsFromUTC: 3600)
        history.addHourly(
            \.heartRateVariability, 5, from: 2, [90, 90], secondsFromUTC: 2 * 3600)
        history.addHourly(
            \.heartRateVariability, 5, from: 3, [40, 50, 60], secondsFromUTC: 3600)
        // The night ends at 7:00.
        history.addHourly(\.heartRateVariability, 5, from: 7, [99], secondsFromUTC: 3600)
        // 2:00 two hours ahead is 1:00 of the night's clock, and 3:00 is the night's beginning.
        #expect(Self.figures(5, of: history).heartRateVariability == .value(60))
    }

    // MARK: Regularity

    @Test mutating func theSameHoursAreRegular() {
        for day in 5...11 { history.addNight(day) }
        #expect(Self.figures(11, of: history).sleepRegularity == .value(100))
    }

    /// Two hours later each other night: of 24 hours, 4 differ, so 100 - 200 * 4 / 24.
    @Test mutating func shiftedHoursAreLessRegular() throws {
        for day in 5...11 { history.addNight(day, from: day.isMultiple(of: 2) ? -1 : 1) }
        let index = try #require(Self.figures(11, of: history).sleepRegularity.value)
        #expect(abs(index - (100 - 200 * 4.0 / 24)) < 1e-9)
    }

    @Test mutating func regularityCountsNapsAndWakingUp() throws {
        for day in 5...10 { history.addNight(day) }
        history.addSleep(.time(9, 15), [(.light, 60)], isNap: true)
        history.addSleep(.time(10, 23), [(.light, 200), (.awake, 60), (.light, 220)])
        // Of six pairs, two differ by the nap, and one by the hour awake.
        let index = try #require(Self.figures(11, of: history).sleepRegularity.value)
        #expect(abs(index - (100 - 200 * 3.0 / (24 * 6))) < 1e-9)
    }

    @Test(arguments: [
        ([5, 6, 7, 8, 9], Figure.value(100.0)),
        ([5, 6, 7, 9, 10, 11], .missing(.tooFew(4, of: 4, .pairsOfNights))),
        ([6, 7, 9, 10, 11], .missing(.tooFew(3, of: 4, .pairsOfNights))),
        ([4, 5, 6, 7, 10, 11], .missing(.tooFew(3, of: 4, .pairsOfNights))),
        ([11], .missing(.tooFew(0, of: 4, .pairsOfNights))),
        ([5, 6, 7, 8, 9, 10], .missing(.noNight)),
    ])
    func regularityNeedsPairs(_ nights: [Int], _ regularity: Figure<Double>) {
        var history = RingHistory.january(read: 5...11)
        for day in nights { history.addNight(day) }
        let day = nights.last == 9 ? 9 : 11
        let figure = Self.figures(day, of: history).sleepRegularity
        // Four pairs are enough.
        let isEnough = regularity == .missing(.tooFew(4, of: 4, .pairsOfNights))
        #expect(figure == (isEnough ? .value(100) : regularity))
    }

    /// What is to come of today is not awake: nothing is known of it.
    @Test func regularityEndsAtTheRead() {
        var history = RingHistory.january(today: 11, hour: 8)
        for day in 5...10 { history.addNight(day, from: 2, hours: 8) }
        history.addNight(11, from: 2, hours: 6)
        #expect(Self.figures(11, of: history).sleepRegularity == .soFar(100))
    }

    @Test func aDayOfRegularityIsFromNoonToNoon() {
        /// The number of minutes, and those asleep.
        func asleep(
            _ start: CivilDateTime, _ length: Int, readAt: CivilDateTime? = nil
        ) -> [Int] {
            var history = RingHistory.january()
            history.addSleep(start, [(.light, length)])
            let all = SleepRegularity.minutes(until: .day(5), history[.sleep], readAt: readAt)
            return [all.count] + all.indices.filter { all[$0] }
        }
        #expect(asleep(.time(4, 11, 50), 5) == [1440])
        #expect(asleep(.time(4, 11, 58), 3) == [1440, 0])
        #expect(asleep(.time(5, 11, 59), 3) == [1440, 1439])
        #expect(asleep(.time(5, 12), 3) == [1440])
        // What comes after the read is not known.
        #expect(asleep(.time(4, 12), 3, readAt: .time(4, 12, 2)) == [2, 0, 1])
        #expect(asleep(.time(4, 12), 3, readAt: .time(4, 11)) == [0])
        #expect(asleep(.time(5, 11, 59), 1, readAt: .time(5, 13)) == [1440, 1439])
    }

    @Test func regularityNeedsAMinute() {
        var days: [SleepRegularity.Minutes?] = [[], [], [], [], []]
        #expect(SleepRegularity.index(of: days) == .missing(.tooFew(4, of: 4, .pairsOfNights)))
        days[3] = [true]
        days[4] = [true]
        #expect(SleepRegularity.index(of: days) == .value(100))
    }

    // MARK: Values of nights

    @Test func variabilityIsOfTheNight() {
        var history = RingHistory.january(read: 5...6)
        history.addNight(5)
        // From 22:00; the night is from 23:00 to 7:00, so 7:00 is after it.
        history.addHourly(
            \.heartRateVariability, 5, from: -2, [10, 40, 50, 60, 0, 0, 0, 0, 0, 99, 99])
        history[.heartRateVariability].removeAll { $0.value == 0 }
        #expect(Self.figures(5, of: history).heartRateVariability == .value(50))
        history[.heartRateVariability].removeAll { $0.value == 60 }
        #expect(
            Self.figures(5, of: history).heartRateVariability
                == .missing(.tooFew(2, of: 3, .values)))
        #expect(Self.figures(6, of: history).heartRateVariability == .missing(.noNight))
        history[.heartRateVariability] = []
        #expect(
            Self.figures(5, of: history).heartRateVariability
                == .missing(.tooFew(0, of: 3, .values)))
        history.coverage[.heartRateVariability, .day(5)] = .failed
        #expect(Self.figures(5, of: history).heartRateVariability == .missing(.notRead))
        history.addHourly(\.heartRateVariability, 5, from: 0, [50])
        #expect(
            Self.figures(5, of: history).heartRateVariability
                == .missing(.tooFew(1, of: 3, .values)))
    }

    @Test func baselinesAreOfEarlierNights() {
        var history = RingHistory.january(today: 40)
        for (day, value) in [(2, 90), (3, 40), (20, 50), (29, 60), (30, 70)] {
            history.addNight(day)
            history.addHourly(
                \.heartRateVariability, day, from: 0, [value - 10, value, value + 10])
        }
        // Of day 30: from day 2 to day 29.
        #expect(Self.figures(30, of: history).heartRateVariabilityBaseline == .value(60))
        #expect(Self.figures(31, of: history).heartRateVariabilityBaseline == .value(55))
        #expect(
            Self.figures(29, of: history).heartRateVariabilityBaseline
                == .missing(.tooFew(3, of: 4, .nights)))
        #expect(MissingData.tooFew(2, of: 4, .nights).description == "needs 4 nights, has 2")
        #expect(MissingData.tooFew(0, of: 1, .days).description == "needs 1 day, has 0")
    }

    @Test func theTrendComparesAWeekWithTheNightsBefore() {
        var history = RingHistory.january(today: 40)
        for (day, value) in [(5, 40), (10, 50), (15, 40), (24, 50), (25, 54), (28, 57), (31, 60)] {
            history.addNight(day)
            history.addHourly(\.heartRateVariability, day, from: 0, [value, value, value])
        }
        // (54 + 57 + 60) / 3 - (40 + 50 + 40 + 50) / 4
        #expect(Self.figures(31, of: history).heartRateVariabilityTrend == .value(12))
        #expect(
            Self.figures(32, of: history).heartRateVariabilityTrend
                == .missing(.tooFew(2, of: 3, .nights)))
        // Day 24 is of the week now.
        #expect(
            Self.figures(30, of: history).heartRateVariabilityTrend
                == .missing(.tooFew(3, of: 4, .nights)))
    }

    /// Day 5 is 29 days before day 34.
    @Test func nightsAreComparedWithThoseOf28Days() {
        var history = RingHistory.january(today: 45)
        let nights = [
            (5, 10), (6, 40), (10, 40), (20, 40), (33, 40), (34, 50), (36, 50), (40, 50),
        ]
        for (day, value) in nights {
            history.addNight(day)
            history.addHourly(\.heartRateVariability, day, from: 0, [value, value, value])
            let warmth = Double(value)
            history.addHourly(\.temperatures, day, from: 0, [warmth, warmth, warmth])
        }
        #expect(Self.figures(34, of: history).heartRateVariabilityBaseline == .value(40))
        #expect(Self.figures(34, of: history).temperatureDeviation == .value(10))
        #expect(Self.figures(40, of: history).heartRateVariabilityTrend == .value(10))
    }

    @Test func temperaturesDeviateFromEarlierNights() throws {
        var history = RingHistory.january(read: 1...31)
        for (day, value) in [(10, 34.0), (11, 34.5), (12, 35), (13, 34.5), (14, 35.25)] {
            history.addNight(day)
            history.addHourly(\.temperatures, day, from: 0, [value - 0.5, value, value + 0.5])
            // By day it counts for nothing.
            history.addHourly(\.temperatures, day, from: 12, [20])
        }
        #expect(Self.figures(14, of: history).temperatureDeviation == .value(0.75))
        #expect(
            Self.figures(12, of: history).temperatureDeviation
                == .missing(.tooFew(2, of: 4, .nights)))
        #expect(Self.figures(15, of: history).temperatureDeviation == .missing(.noNight))
        history[.temperature].removeAll { $0.time >= .time(14, 1) }
        #expect(
            Self.figures(14, of: history).temperatureDeviation
                == .missing(.tooFew(1, of: 3, .values)))
    }

    /// Without the type, the compiler takes minutes for these literals.
    static let nightsOfOxygen: [([(Int, Int)], Int, Double, Int)] = [
        ([(96, 96), (97, 97), (93, 93), (97, 97), (98, 98)], 93, 96.2, 1),
        ([(96, 96), (97, 97), (94, 94), (97, 97)], 94, 96.0, 0),
        // The middles are 94, 97, 97 and 98; the lowest of the first is 5 below 97.
        ([(92, 96), (97, 97), (97, 97), (98, 98)], 92, 96.5, 1),
        ([(99, 99), (99, 99), (90, 90), (90, 90), (99, 99)], 90, 95.4, 2),
        // The median is 96.5, between the two in the middle.
        ([(93, 93), (95, 95), (98, 98), (99, 99)], 93, 96.25, 0),
    ]

    @Test(arguments: nightsOfOxygen)
    mutating func oxygenHasDips(
        _ values: [(Int, Int)], _ lowest: Int, _ average: Double, _ dips: Int
    ) throws {
        history.addNight(5)
        history.addHourly(
            \.bloodOxygen, 5, from: 0,
            values.map { BloodOxygenRange(lowestPercent: $0.0, highestPercent: $0.1) })
        history.addHourly(
            \.bloodOxygen, 5, from: 12, [BloodOxygenRange(lowestPercent: 70, highestPercent: 70)])
        let oxygen = try #require(Self.figures(5, of: history).oxygen.value)
        #expect(oxygen.lowestPercent == lowest)
        #expect(abs(oxygen.averagePercent - average) < 1e-9)
        #expect(oxygen.dips == dips)
    }

    @Test mutating func oxygenNeedsThreeValues() {
        history.addNight(5)
        let value = BloodOxygenRange(lowestPercent: 97, highestPercent: 97)
        history.addHourly(\.bloodOxygen, 5, from: 0, [value, value])
        #expect(Self.figures(5, of: history).oxygen == .missing(.tooFew(2, of: 3, .values)))
        history.addHourly(\.bloodOxygen, 5, from: 2, [value])
        #expect(Self.figures(5, of: history).oxygen.value?.lowestPercent == 97)
        history.unsupported = [.bloodOxygen]
        history[.bloodOxygen] = []
        #expect(Self.figures(5, of: history).oxygen == .missing(.unsupported))
    }
}
