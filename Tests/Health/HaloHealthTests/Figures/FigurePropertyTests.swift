import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// What holds for the figures of any history.
@Suite(.passesTime) struct FigurePropertyTests {
    /// A month of a seeded wearer, with days that are missing.
    private static func history(_ seed: UInt64) -> RingHistory {
        var random = SplitMix(seed: seed)
        var history = RingHistory.january(today: 28)
        for day in 1...27 where random.next(10) > 0 {
            for kind in HistoryKind.allCases { history.coverage[kind, .day(day)] = .read }
            history.addHeartRates(
                .time(day, 0), every: [5, 10, 30][random.next(3)],
                (0..<(24 + random.next(24))).map { _ in 45 + random.next(80) })
            for hour in 7..<22 where random.next(3) > 0 {
                history.addSteps(day, random.next(900), hour: hour)
            }
            history.addHourly(\.stress, day, from: 9, (0..<6).map { _ in random.next(99) + 1 })
            guard random.next(5) > 0 else { continue }
            let bedtime = random.next(5) - 2
            history.addSleep(
                .time(day, bedtime),
                (0..<6).map { _ in
                    (SleepRecord.Stage.allCases[random.next(5)], 20 + random.next(60))
                })
            history.addHourly(
                \.heartRateVariability, day, from: bedtime,
                (0..<random.next(8)).map { _ in 20 + random.next(60) })
            history.addHourly(
                \.temperatures, day, from: bedtime,
                (0..<random.next(8)).map { _ in 33 + Double(random.next(8)) / 4 })
            history.addHourly(
                \.bloodOxygen, day, from: bedtime,
                (0..<random.next(8)).map { _ in
                    BloodOxygenRange(
                        lowestPercent: 90 + random.next(5), highestPercent: 95 + random.next(5))
                })
        }
        return history
    }

    private static func month(_ history: RingHistory) -> [DailyFigures] {
        let figures = HealthFigures(history, ageYears: 41)
        return (1...28).map { figures.day(.day($0)) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func theOrderOfValuesDoesNotMatter(_ seed: UInt64) {
        let history = Self.history(seed)
        var shuffled = history
        var random = SplitMix(seed: seed &+ 1000)
        shuffled[.heartRate].shuffle(using: &random)
        shuffled[.stress].shuffle(using: &random)
        shuffled[.heartRateVariability].shuffle(using: &random)
        shuffled[.activity].shuffle(using: &random)
        shuffled[.bloodOxygen].shuffle(using: &random)
        shuffled[.temperature].shuffle(using: &random)
        shuffled[.sleep].shuffle(using: &random)
        #expect(Self.month(shuffled) == Self.month(history))
    }

    /// A month read in two halves that share a day is the month.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func mergedReadsHaveTheSameFigures(_ seed: UInt64) {
        let history = Self.history(seed)
        let first = history.limited(to: .time(0, 0)...(.time(15, 0)))
        var merged = first
        merged.merge(history.limited(to: .time(14, 0)...(.time(29, 0))))
        merged.merge(first)
        #expect(Self.month(merged) == Self.month(history))
    }

    /// A day that is lost takes its own figures with it, and no other day's, but for those that
    /// compare nights.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func aMissingDayIsMissing(_ seed: UInt64) {
        let history = Self.history(seed)
        let lost = Int(seed) + 3
        func isKept(_ time: CivilDateTime) -> Bool { time.date != .day(lost) }
        var rest = history
        for kind in HistoryKind.allCases { rest.coverage[kind, .day(lost)] = nil }
        rest[.heartRate].removeAll { !isKept($0.time) }
        rest[.activity].removeAll { !isKept($0.time) }
        rest[.stress].removeAll { !isKept($0.time) }
        rest[.sleep].removeAll { !isKept($0.end) }
        let (before, after) = (Self.month(history), Self.month(rest))
        for (day, other) in zip(before, after) where day.day != .day(lost) {
            #expect(day.steps == other.steps)
            #expect(day.restingBeatsPerMinute == other.restingBeatsPerMinute)
            #expect(day.averageBeatsPerMinute == other.averageBeatsPerMinute)
            #expect(day.heartRateZones == other.heartRateZones)
            #expect(day.night == other.night)
            #expect(day.naps == other.naps)
            #expect(day.stress == other.stress)
        }
        let day = after[lost - 1]
        #expect(day.steps == .missing(.notRead))
        #expect(day.hoursWithMovement == .missing(.notRead))
        #expect(day.heartRateZones == .missing(.notRead))
        #expect(day.restingBeatsPerMinute == .missing(.notRead))
        #expect(day.night == .missing(.notRead))
        #expect(day.sleepRegularity == .missing(.notRead))
        #expect(day.naps == .missing(.notRead))
        #expect(day.stress == .missing(.notRead))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func figuresAreWithinTheirLimits(_ seed: UInt64) {
        for day in Self.month(Self.history(seed)) {
            if let resting = day.restingBeatsPerMinute.value,
                let lowest = day.lowestBeatsPerMinute.value,
                let average = day.averageBeatsPerMinute.value,
                let highest = day.highestBeatsPerMinute.value
            {
                #expect(Double(lowest) <= resting)
                #expect(Double(lowest) <= average && average <= Double(highest))
            }
            #expect((day.hoursWithMovement.value ?? 0) <= 24)
            if let night = day.night.value {
                #expect(night.efficiency > 0 && night.efficiency <= 1)
                #expect(night.fellAsleep < night.woke)
                #expect(
                    night.lightMinutes + night.deepMinutes + night.remMinutes
                        == night.asleepMinutes)
            }
            if let regularity = day.sleepRegularity.value {
                #expect(regularity >= -100 && regularity <= 100)
            }
        }
    }

    @Test func anEmptyHistoryHasNoFigures() {
        let day = HealthFigures(.january(read: 1...31), ageYears: 41).day(.day(5))
        let missing: [MissingData?] = [
            day.steps.missing, day.metres.missing, day.kilocalories.missing,
            day.hoursWithMovement.missing, day.restingBeatsPerMinute.missing,
            day.lowestBeatsPerMinute.missing, day.highestBeatsPerMinute.missing,
            day.averageBeatsPerMinute.missing, day.heartRateZones.missing, day.night.missing,
            day.naps.missing, day.sleepRegularity.missing, day.heartRateVariability.missing,
            day.heartRateVariabilityBaseline.missing, day.heartRateVariabilityTrend.missing,
            day.oxygen.missing, day.temperatureDeviation.missing, day.stress.missing,
        ]
        #expect(!missing.contains(nil))
        // The streak of steps is a figure of several days.
        #expect(missing.count == FigureDefinition.allCases.count - 1)
    }
}

extension SplitMix {
    /// Returns a number below a limit.
    fileprivate mutating func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
