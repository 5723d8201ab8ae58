import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// Figures of days, against numbers worked out by hand.
@Suite(.passesTime) struct HealthFiguresTests {
    private var history = RingHistory.january()

    private static func figures(
        _ day: Int, of history: RingHistory, maximum: Int? = nil
    ) -> DailyFigures {
        HealthFigures(history, maximumBeatsPerMinute: maximum).day(.day(day))
    }

    // MARK: Movement

    @Test mutating func stepsAreTheSumOfTheDay() {
        history.addSteps(4, 999, hour: 23)
        for (hour, steps) in [(0, 320), (8, 640), (8, 32), (17, 0), (23, 64)] {
            history.addSteps(5, steps, hour: hour)
        }
        history.addSteps(6, 999, hour: 0)
        let day = Self.figures(5, of: history)
        #expect(day.steps == .value(1056))
        #expect(day.metres == .value(528))
        #expect(day.kilocalories == .value(33))
        #expect(day.hoursWithMovement == .value(3))
    }

    /// 0.1 + 0.2 is a little more than 0.3.
    @Test mutating func energyIsInThousandths() {
        for (hour, kilocalories) in [(8, 0.1), (9, 0.2)] {
            let amount = ActivityAmount(steps: 1, metres: 1, kilocalories: kilocalories)
            history[.activity].append(
                TimedSample(time: .time(5, hour), minutes: 60, value: amount))
        }
        #expect(Self.figures(5, of: history).kilocalories == .value(0.3))
        // A single step is enough for an hour.
        #expect(Self.figures(5, of: history).hoursWithMovement == .value(2))
    }

    @Test mutating func energyWithoutUnitIsMissing() {
        history.addSteps(5, 320)
        history[.activity].append(
            TimedSample(
                time: .time(5, 12), minutes: 60, value: ActivityAmount(steps: 1, metres: 1)))
        let day = Self.figures(5, of: history)
        #expect(day.steps == .value(321))
        #expect(day.kilocalories == .missing(.unknownUnit))
    }

    @Test func todayIsSoFarAndHasTheRingsTotals() {
        var history = RingHistory.january(today: 5, read: 4...5)
        history.addSteps(5, 320)
        #expect(Self.figures(5, of: history).steps == .soFar(320))
        history.totals = ActivityTotals(
            steps: 400, runningSteps: 0, metres: 300, kilocalories: 12.5,
            activeTime: .seconds(240))
        history.addHeartRates(.time(5, 9), [60])
        history[.stress] = [TimedSample(time: .time(5, 9), minutes: 30, value: 40)]
        let day = Self.figures(5, of: history, maximum: 180)
        #expect(day.steps == .soFar(400))
        #expect(day.metres == .soFar(300))
        #expect(day.kilocalories == .soFar(12.5))
        #expect(day.hoursWithMovement == .soFar(1))
        #expect(day.lowestBeatsPerMinute == .soFar(60))
        #expect(day.heartRateZones == .missing(.tooFew(1, of: 24, .values)))
        #expect(day.stress == .soFar(40))
        #expect(Self.figures(4, of: history).steps == .missing(.notWorn))
        // Of a ring that nobody wears, no step is no fact.
        var unworn = RingHistory.january(today: 5, read: 5...5)
        unworn.totals = ActivityTotals(
            steps: 0, runningSteps: 0, metres: 0, kilocalories: 0, activeTime: .zero)
        #expect(Self.figures(5, of: unworn).steps == .missing(.notWorn))
        #expect(Self.figures(5, of: unworn).kilocalories == .missing(.notWorn))
        // Its steps are one, even if nothing else was read.
        var alone = RingHistory.january(today: 5)
        alone.totals = history.totals
        #expect(Self.figures(5, of: alone).steps == .soFar(400))
        #expect(Self.figures(5, of: alone).kilocalories == .soFar(12.5))
    }

    @Test(arguments: HistoryKind.allCases.filter { $0 != .workouts && $0 != .totals })
    func aValueOfAnyKindShowsThatTheRingWasWorn(_ kind: HistoryKind) {
        var history = RingHistory.january(read: 5...5)
        switch kind {
        case .heartRate: history.addHeartRates(.time(5, 9), [60])
        case .stress: history.addHourly(\.stress, 5, from: 9, [40])
        case .heartRateVariability: history.addHourly(\.heartRateVariability, 5, from: 9, [40])
        case .activity: history.addSteps(5, 10)
        case .bloodOxygen:
            let value = BloodOxygenRange(lowestPercent: 95, highestPercent: 97)
            history.addHourly(\.bloodOxygen, 5, from: 9, [value])
        case .temperature: history.addHourly(\.temperatures, 5, from: 9, [33])
        case .sleep: history.addNight(5)
        case .workouts, .totals: break
        }
        let day = Self.figures(5, of: history)
        let missing = [day.steps.missing, day.averageBeatsPerMinute.missing, day.stress.missing]
            .compactMap { $0 }
        #expect(missing.allSatisfy { $0 == .noValues } && !missing.isEmpty)
    }

    @Test(arguments: [
        (HistoryCoverage.Outcome?.some(.read), true, Figure<Int>.value(0), MissingData.noValues),
        (.read, false, .missing(.notWorn), .notWorn),
        (.noData, true, .missing(.noValues), .noValues),
        (.noData, false, .missing(.noValues), .noValues),
        (.notRequested, true, .missing(.notRead), .notRead),
        (.failed, true, .missing(.notRead), .notRead),
        (.wrongClock, true, .missing(.notRead), .notRead),
        (.unsupported, true, .missing(.unsupported), .unsupported),
        (nil, true, .missing(.notRead), .notRead),
    ])
    mutating func whatIsMissingHasAReason(
        _ outcome: HistoryCoverage.Outcome?, _ isWorn: Bool, _ steps: Figure<Int>,
        _ reason: MissingData
    ) {
        for kind in HistoryKind.allCases { history.coverage[kind, .day(5)] = outcome }
        if isWorn {
            history[.temperature] = [TimedSample(time: .time(5, 9), minutes: 30, value: 33)]
        }
        let day = Self.figures(5, of: history, maximum: 180)
        #expect(day.steps == steps)
        #expect(day.hoursWithMovement == steps)
        #expect(day.averageBeatsPerMinute == .missing(reason))
        #expect(day.restingBeatsPerMinute == .missing(reason))
        #expect(day.heartRateZones == .missing(reason))
        #expect(day.stress == .missing(reason))
        let isRead = reason == .noValues || reason == .notWorn
        #expect(day.night == .missing(isRead ? .noNight : reason))
        #expect(day.oxygen.missing == day.night.missing)
        #expect(day.heartRateVariability.missing == day.night.missing)
    }

    @Test func aFailedDayHasNoSumButAMean() {
        var history = RingHistory.january(read: 5...5)
        history.coverage[.activity, .day(5)] = .failed
        history.coverage[.heartRate, .day(5)] = .failed
        history.addSteps(5, 320)
        history.addHeartRates(.time(5, 9), [60, 70])
        let day = Self.figures(5, of: history)
        #expect(day.steps == .missing(.notRead))
        #expect(day.averageBeatsPerMinute == .value(65))
    }

    @Test func aDayOfTwoClocksIsMissing() {
        var history = RingHistory.january(read: 4...6)
        for day in 4...6 {
            history.addSteps(day, 320)
            history.addNight(day)
        }
        history.uncertainTimes = [CivilDateTime.time(5, 10)..<CivilDateTime.time(5, 11)]
        #expect(Self.figures(4, of: history).steps == .value(320))
        #expect(Self.figures(5, of: history).steps == .missing(.uncertainDay))
        #expect(Self.figures(5, of: history).night == .missing(.uncertainDay))
        #expect(Self.figures(6, of: history).night.value != nil)
        // Midnight is of the next day.
        history.uncertainTimes = [CivilDateTime.time(6, 0)..<CivilDateTime.time(6, 1)]
        #expect(Self.figures(5, of: history).steps == .value(320))
        #expect(Self.figures(6, of: history).steps == .missing(.uncertainDay))
        history.uncertainTimes = [CivilDateTime.time(5, 22)..<CivilDateTime.time(6, 0)]
        #expect(Self.figures(5, of: history).steps == .missing(.uncertainDay))
        #expect(Self.figures(6, of: history).steps == .value(320))
    }

    // MARK: Heart rate

    @Test mutating func heartRatesAreOfTheDay() {
        history.addHeartRates(.time(5, 0).advanced(bySeconds: -300), [40, 60, 70, 95])
        history.addHeartRates(.time(6, 0), [200])
        let day = Self.figures(5, of: history)
        #expect(day.lowestBeatsPerMinute == .value(60))
        #expect(day.highestBeatsPerMinute == .value(95))
        #expect(day.averageBeatsPerMinute == .value(75))
        #expect(day.restingBeatsPerMinute == .missing(.tooFew(3, of: 24, .values)))
        #expect(day.heartRateZones == .missing(.noMaximumHeartRate))
    }

    @Test(arguments: [
        // A single low value does not count; the mean of 50, 52 and 54 does.
        (5, [70, 70, 30, 70, 70, 50, 52, 54, 70], 52.0),
        (5, [50, 52, 54, 70, 70, 70, 70, 70, 70], 52), (5, [70, 70, 70, 70, 50, 52, 54], 52),
        (30, [70, 70, 70, 70, 50, 52, 54], 52),
    ])
    mutating func restIsTheLowestMeanOfThree(_ minutes: Int, _ values: [Int], _ resting: Double) {
        let rest = [Int](repeating: 80, count: 24)
        history.addHeartRates(.time(5, 1), every: minutes, values + rest)
        #expect(Self.figures(5, of: history).restingBeatsPerMinute == .value(resting))
    }

    @Test mutating func valuesThatAreFarApartAreNoRest() {
        history.addHeartRates(.time(5, 0), [70, 50, 51])
        history.addHeartRates(CivilDateTime.time(5, 0, 40).advanced(bySeconds: 1), [52, 53])
        history.addHeartRates(.time(5, 3), .init(repeating: 80, count: 19))
        // 52 comes a second more than half an hour after 51: (70 + 50 + 51) / 3.
        #expect(Self.figures(5, of: history).restingBeatsPerMinute == .value(57))
        var hourly = RingHistory.january()
        hourly.addHeartRates(.time(5, 0), every: 60, .init(repeating: 60, count: 24))
        #expect(
            Self.figures(5, of: hourly).restingBeatsPerMinute
                == .missing(.tooFew(0, of: 3, .values)))
    }

    @Test mutating func zonesHaveLimits() {
        history.addHeartRates(.time(5, 9), [113, 114, 127, 128, 153, 154, 191, 192])
        let zones = Self.figures(5, of: history, maximum: 200).heartRateZones.value
        #expect(zones?.veryLightMinutes == 5)
        #expect(zones?.lightMinutes == 10)
        #expect(zones?.moderateMinutes == 10)
        #expect(zones?.vigorousMinutes == 10)
        #expect(zones?.nearMaximalMinutes == 5)
    }

    /// 208 − 0.7 · 40 is 180, of which 57 % are 102.6.
    @Test mutating func theMaximumIsByAge() {
        // 64 % are 115.2, 77 % are 138.6, and 96 % are 172.8.
        history.addHeartRates(.time(5, 9), [102, 103, 115, 138, 172])
        let byAge = HealthFigures(history, ageYears: 40).day(.day(5)).heartRateZones.value
        #expect(byAge?.veryLightMinutes == 5)
        #expect(byAge?.lightMinutes == 10)
        #expect(byAge?.moderateMinutes == 5)
        #expect(byAge?.vigorousMinutes == 5)
        let known = HealthFigures(history, ageYears: 40, maximumBeatsPerMinute: 200)
        #expect(known.day(.day(5)).heartRateZones.value?.veryLightMinutes == 10)
        for age in [Int.min, 400, .max] {
            let day = HealthFigures(history, ageYears: age).day(.day(5))
            #expect((day.heartRateZones == .missing(.noMaximumHeartRate)) == (age > 0))
        }
        for maximum in [-1, 0, 1] {
            let zones = Self.figures(5, of: history, maximum: maximum).heartRateZones
            #expect((zones == .missing(.noMaximumHeartRate)) == (maximum < 1))
        }
    }

    @Test mutating func aValueOfNoLengthIsNoTimeInAZone() {
        for minutes in [0, -5, 0] {
            history[.heartRate].append(TimedSample(time: .time(5, 9), minutes: minutes, value: 60))
        }
        let zones = Self.figures(5, of: history, maximum: 200).heartRateZones.value
        #expect(zones?.veryLightMinutes == 0)
    }

    /// A ring that logs once in half an hour or an hour stores its values in slots of 5 minutes.
    @Test(arguments: [5, 10, 30, 60]) mutating func valuesStandForTheLoggedInterval(_ minutes: Int)
    {
        for (index, value) in [120, 120, 120, 160].enumerated() {
            history.heartRates.append(
                TimedSample(
                    time: CivilDateTime.time(5, 9).advanced(bySeconds: index * minutes * 60),
                    minutes: 5, value: value))
        }
        // A day with one value only has the interval of the day before.
        history.heartRates.append(TimedSample(time: .time(6, 9), minutes: 5, value: 160))
        let zones = Self.figures(5, of: history, maximum: 200).heartRateZones.value
        #expect(zones?.lightMinutes == 3 * minutes)
        #expect(zones?.vigorousMinutes == minutes)
        let next = Self.figures(6, of: history, maximum: 200).heartRateZones.value
        #expect(next?.vigorousMinutes == minutes)
    }

    @Test mutating func aValueByHandTakesTimeOfTheOneBefore() {
        for minute in [0, 60, 120, 130, 180, 240] {
            history.heartRates.append(
                TimedSample(
                    time: CivilDateTime.time(5, 9).advanced(bySeconds: minute * 60), minutes: 5,
                    value: minute == 120 ? 160 : 60))
        }
        let zones = Self.figures(5, of: history, maximum: 200).heartRateZones.value
        #expect(zones?.vigorousMinutes == 10)
        #expect(zones?.veryLightMinutes == 60 + 60 + 50 + 60 + 60)
    }

    /// Of two usual distances the shorter one counts: no value stands for more than it may.
    @Test mutating func theShorterOfTwoDistancesIsTheInterval() {
        for minute in [0, 10, 20, 80, 140] {
            history.heartRates.append(
                TimedSample(
                    time: CivilDateTime.time(5, 9).advanced(bySeconds: minute * 60), minutes: 5,
                    value: 60))
        }
        let zones = Self.figures(5, of: history, maximum: 200).heartRateZones.value
        #expect(zones?.veryLightMinutes == 50)
    }

    /// Two values, or some that are hours apart, show no interval.
    @Test(arguments: [[0, 5], [0, 150, 300, 450]])
    mutating func tooFewValuesAreNoTimeInZones(_ minutes: [Int]) {
        for minute in minutes {
            history.heartRates.append(
                TimedSample(
                    time: CivilDateTime.time(5, 9).advanced(bySeconds: minute * 60), minutes: 5,
                    value: 60))
        }
        let zones = Self.figures(5, of: history, maximum: 200).heartRateZones
        #expect(zones == .missing(.tooFew(minutes.count, of: 24, .values)))
        #expect("\(zones)" == "needs 24 values, has \(minutes.count)")
    }

    @Test mutating func stressIsAMean() {
        history.addHourly(\.stress, 5, from: 8, [30, 40, 65])
        history.addHourly(\.stress, 6, from: 0, [99])
        #expect(Self.figures(5, of: history).stress == .value(45))
    }

    // MARK: Input that no ring sends

    @Test func noValueStopsTheProgram() {
        var history = RingHistory.january(read: 1...31)
        for value in [Int.min, -1, 0, .max] {
            history.addHeartRates(.time(5, 9), [Int](repeating: value, count: 30))
            for amount in [value, value] {
                history[.activity].append(
                    TimedSample(
                        time: .time(5, 9), minutes: value,
                        value: ActivityAmount(steps: amount, metres: amount, kilocalories: .nan)))
            }
            history[.heartRate].append(
                TimedSample(
                    time: .time(5, 9), minutes: value, secondsFromUTC: value, value: value))
            history.addHourly(
                \.bloodOxygen, 5, from: 0,
                .init(
                    repeating: BloodOxygenRange(lowestPercent: value, highestPercent: value),
                    count: 4))
            history.addHourly(\.temperatures, 5, from: 0, [.infinity, .nan, 1e308, 1e308])
            history[.sleep].append(
                SleepRecord(
                    isNap: value < 0, start: .time(4, 23), end: .time(5, 7),
                    stages: [
                        TimedSample(time: .time(4, 23), minutes: value, value: .deep),
                        TimedSample(time: .time(9, 23), minutes: value, value: .awake),
                        TimedSample(
                            time: CivilDateTime(secondsSince1970: .max), minutes: 60, value: .rem),
                    ], secondsFromUTC: value))
        }
        history[.sleep] += [
            SleepRecord(isNap: false, start: .time(6, 7), end: .time(5, 23), stages: []),
            SleepRecord(
                isNap: false, start: CivilDateTime(secondsSince1970: 0),
                end: CivilDateTime(secondsSince1970: .max), stages: []),
        ]
        let figures = HealthFigures(history, ageYears: 40)
        for day in 1...31 { _ = figures.day(.day(day)) }
        for days in [0, 49_710] {
            let day = CivilDateTime(secondsSince1970: UInt32(clamping: days * 86_400)).date
            _ = figures.week(endingOn: day)
            #expect(figures.streak(ofSteps: .min, endingOn: day).value == nil)
        }
        #expect(figures.day(.day(5)).steps.value != nil)
    }
}
