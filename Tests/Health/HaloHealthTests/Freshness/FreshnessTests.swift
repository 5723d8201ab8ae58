import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// Histories that end at different times, and what is said of them.
@Suite(.passesTime) struct FreshnessTests {
    /// A history that was read on January 5 at 20:00, with values until some times of that day; a
    /// kind without a time has none.
    private static func history(
        heartRate: Int? = 20, interval: Int = 5, variability: Int? = 20, stress: Int? = 20,
        oxygen: Int? = 20, temperature: Int? = 20, steps: Int? = 20, wakes: Int? = 7
    ) -> RingHistory {
        var history = RingHistory(today: .day(5), readAt: .time(5, 20))
        for kind in HistoryKind.allCases { history.coverage[kind, .day(5)] = .read }
        func samples<Value>(_ end: Int?, _ minutes: Int, _ value: Value) -> [TimedSample<Value>] {
            guard let end else { return [] }
            return (1...24).reversed().map {
                TimedSample(
                    time: CivilDateTime.time(5, end).advanced(bySeconds: -$0 * minutes * 60),
                    minutes: minutes, value: value)
            }
        }
        history[.heartRate] = samples(heartRate, interval, 60)
        history[.heartRateVariability] = samples(variability, 60, 40)
        history[.stress] = samples(stress, 30, 40)
        history[.bloodOxygen] = samples(
            oxygen, 60, BloodOxygenRange(lowestPercent: 97, highestPercent: 97))
        history[.temperature] = samples(temperature, 30, 33)
        history[.activity] = samples(steps, 15, ActivityAmount(steps: 9, metres: 6))
        if let wakes { history.addSleep(.time(4, 23), [(.light, 60)], end: .time(5, wakes)) }
        history.totals = ActivityTotals(
            steps: 9, runningSteps: 0, metres: 6, kilocalories: 1, activeTime: .zero)
        return history
    }

    private static func states(
        _ history: RingHistory, _ logging: [HistoryKind: Bool] = [:]
    ) -> [HistoryKind: Freshness.State] {
        Dictionary(
            uniqueKeysWithValues: history.freshness(logging: logging).map { ($0.kind, $0.state) })
    }

    /// Returns the states of all kinds, of which some are not current.
    private static func current(
        but others: [HistoryKind: Freshness.State] = [:]
    ) -> [HistoryKind: Freshness.State] {
        Dictionary(uniqueKeysWithValues: HistoryKind.allCases.map { ($0, .current) })
            .merging(others) { $1 }
    }

    @Test func aRingThatIsWornIsCurrent() {
        #expect(Self.states(Self.history()) == Self.current())
        #expect(Self.history().freshness().map(\.kind) == HistoryKind.allCases)
    }

    @Test(arguments: [
        // Two hours without a heart rate are usual, three are not; but see the next.
        (history(heartRate: 18), current()),
        (history(heartRate: 17), current(but: [.heartRate: .stale])),
        // Every 90 minutes.
        (history(heartRate: 17, interval: 90), current()),
        (history(variability: 17), current(but: [.heartRateVariability: .stale])),
        (history(oxygen: 17), current(but: [.bloodOxygen: .stale])),
        (history(oxygen: nil), current(but: [.bloodOxygen: .stale])),
        (history(stress: 8), current()), (history(stress: 7), current(but: [.stress: .stale])),
        (history(temperature: -5), current()),
        (history(temperature: -6), current(but: [.temperature: .stale])),
        (history(steps: -4), current()), (history(steps: -5), current(but: [.activity: .stale])),
        (history(wakes: nil), current(but: [.sleep: .stale])),
    ])
    func oneKindIsStale(_ history: RingHistory, _ states: [HistoryKind: Freshness.State]) {
        #expect(Self.states(history) == states)
    }

    /// The greatest age of a current value in minutes, if the last ones have no distances.
    @Test(arguments: [
        (HistoryKind.heartRate, 120), (.heartRateVariability, 130), (.bloodOxygen, 130),
        (.stress, 720), (.activity, 1440), (.temperature, 1500), (.sleep, 2160),
    ])
    func aValueIsCurrentForSoLong(_ kind: HistoryKind, _ minutes: Int) {
        func state(_ age: Int) -> Freshness.State? {
            var history = Self.history()
            let end = CivilDateTime.time(5, 20).advanced(bySeconds: -age * 60)
            func last<Value>(_ samples: inout [TimedSample<Value>]) {
                let minutes = samples[0].minutes
                let time = end.advanced(bySeconds: -minutes * 60)
                samples = [TimedSample(time: time, minutes: minutes, value: samples[0].value)]
            }
            switch kind {
            case .heartRate: last(&history[.heartRate])
            case .heartRateVariability: last(&history[.heartRateVariability])
            case .bloodOxygen: last(&history[.bloodOxygen])
            case .stress: last(&history[.stress])
            case .activity: last(&history[.activity])
            case .temperature: last(&history[.temperature])
            case .sleep, .workouts, .totals:
                history[.sleep] = []
                history.addSleep(end.advanced(bySeconds: -3600), [(.light, 60)], end: end)
            }
            return Self.states(history)[kind]
        }
        #expect(state(minutes) == .current && state(minutes + 1) == .stale)
    }

    @Test func aRingThatIsNotWornStoresNothing() {
        let history = Self.history(
            heartRate: 9, variability: 9, stress: 9, oxygen: 9, temperature: 9, steps: 9)
        #expect(
            Self.states(history)
                == Self.current(but: [
                    .heartRate: .notWorn, .heartRateVariability: .notWorn, .bloodOxygen: .notWorn,
                ]))
        let unworn = Self.history(
            heartRate: nil, variability: nil, stress: nil, oxygen: nil, temperature: nil,
            steps: nil, wakes: nil)
        #expect(Set(Self.states(unworn).values) == [.notWorn, .current])
        #expect(Self.states(unworn)[.heartRate] == .notWorn)
    }

    /// A slot that had begun before is no later value.
    @Test func anotherValueIsHalfAnHourLater() {
        var history = Self.history(
            heartRate: 9, variability: 9, stress: 9, oxygen: 9, temperature: 9, steps: 9)
        history[.activity].append(
            TimedSample(
                time: .time(5, 9, 29), minutes: 15, value: ActivityAmount(steps: 5, metres: 4)))
        #expect(Self.states(history)[.heartRate] == .notWorn)
        history[.activity].append(
            TimedSample(
                time: .time(5, 9, 30), minutes: 15, value: ActivityAmount(steps: 0, metres: 0)))
        #expect(Self.states(history)[.heartRate] == .notWorn)
        history[.activity].append(
            TimedSample(
                time: .time(5, 9, 30), minutes: 15, value: ActivityAmount(steps: 1, metres: 1)))
        #expect(Self.states(history)[.bloodOxygen] == .stale)
    }

    @Test func heartRateAndTemperatureStallTogether() {
        let pair: [HistoryKind: Freshness.State] = [.heartRate: .stalled, .temperature: .stalled]
        #expect(
            Self.states(Self.history(heartRate: 12, temperature: 12)) == Self.current(but: pair))
        #expect(
            Self.states(Self.history(heartRate: 12, temperature: 9)) == Self.current(but: pair))
        #expect(
            Self.states(Self.history(heartRate: 12, temperature: 8))
                == Self.current(but: [.heartRate: .stale]))
        #expect(
            Self.states(Self.history(heartRate: 9, temperature: 12)) == Self.current(but: pair))
        // A heart rate that is current has not stalled.
        #expect(Self.states(Self.history(heartRate: 18, temperature: 18)) == Self.current())
        // A minute more than three hours.
        var history = Self.history(heartRate: 12, temperature: 9)
        history[.temperature] = history[.temperature].map {
            TimedSample(
                time: $0.time.advanced(bySeconds: -60), minutes: $0.minutes, value: $0.value)
        }
        #expect(Self.states(history) == Self.current(but: [.heartRate: .stale]))
    }

    /// The ring was taken off at 14:00, when the temperature ended with all others.
    @Test func aTemperatureThatEndsWithTheOthersHasNotStalled() {
        let states = Self.states(
            Self.history(
                heartRate: 12, variability: 14, stress: 14, oxygen: 14, temperature: 14,
                steps: 14))
        #expect(states[.temperature] == .current)
        #expect(states[.heartRate] == .stale)
        #expect(states[.bloodOxygen] == .notWorn)
    }

    @Test func theUsualTimeBetweenValuesCounts() {
        var history = Self.history(heartRate: 17, interval: 90)
        for minute in [5, 10] {
            history.addHeartRates(.time(5, 14, minute), [60])
        }
        #expect(Self.states(history)[.heartRate] == .current)
    }

    /// Of the eleven times between the last twelve values, six are an hour: twice the median and
    /// 10 minutes are 130 minutes.
    @Test(arguments: [(130, Freshness.State.current), (131, .stale)])
    func theLastTwelveValuesSayWhatIsUsual(_ age: Int, _ state: Freshness.State) {
        var history = Self.history(heartRate: nil)
        var time = CivilDateTime.time(5, 20).advanced(bySeconds: -age * 60)
        history[.heartRate] = [TimedSample(time: time, minutes: 0, value: 60)]
        for gap in [60, 200, 60, 200, 60, 200, 60, 200, 60, 200, 60, 200] {
            time = time.advanced(bySeconds: -gap * 60)
            history[.heartRate].append(TimedSample(time: time, minutes: 0, value: 60))
        }
        #expect(Self.states(history)[.heartRate] == state)
    }

    @Test func aKindThatIsKnownToBeOnHasStalled() {
        let history = Self.history(heartRate: 12, oxygen: 12)
        #expect(
            Self.states(history, [.heartRate: true, .stress: true])
                == Self.current(but: [.heartRate: .stalled, .bloodOxygen: .stale]))
    }

    @Test func whatIsKnownGoesFirst() {
        var history = Self.history(heartRate: 12)
        #expect(Self.states(history, [.heartRate: false])[.heartRate] == .loggingOff)
        history.unsupported = [.heartRate]
        #expect(Self.states(history, [.heartRate: false])[.heartRate] == .unsupported)
        history.coverage[.stress, .day(5)] = .unsupported
        #expect(Self.states(history)[.stress] == .unsupported)
    }

    @Test(arguments: [
        (HistoryCoverage.Outcome?.some(.read), Freshness.State.current), (.noData, .current),
        (.failed, .notRead), (.notRequested, .notRead), (.wrongClock, .notRead), (nil, .notRead),
    ])
    func whatWasNotReadIsNotJudged(
        _ outcome: HistoryCoverage.Outcome?, _ state: Freshness.State
    ) {
        var history = Self.history()
        history.coverage[.stress, .day(5)] = outcome
        history.coverage[.workouts, .day(5)] = outcome
        #expect(Self.states(history)[.stress] == state)
        #expect(Self.states(history)[.workouts] == state)
        #expect(Self.states(history)[.heartRate] == .current)
    }

    /// Values are as old as they are in UTC: a clock that jumps on a journey makes none older.
    @Test(arguments: [(9, Freshness.State.current), (0, .notWorn), (-5, .current)])
    func aJourneyMakesNoValueOlder(_ hours: Int, _ state: Freshness.State) {
        let read = CivilDateTime(CivilDate.day(5)).advanced(bySeconds: 12 * 3600)
        // Without a journey, nine hours have gone by.
        let now = read.advanced(bySeconds: (hours == 0 ? 9 : hours) * 3600)
        var history = RingHistory(today: now.date, readAt: now, secondsFromUTC: hours * 3600)
        history[.heartRate] = [
            TimedSample(
                time: read.advanced(bySeconds: -600), minutes: 5, secondsFromUTC: 0, value: 60)
        ]
        let heartRate = history.freshness().first { $0.kind == .heartRate }
        #expect(heartRate?.state == state)
        #expect(heartRate?.lastValue.map { $0 <= now } == true)
    }

    @Test func aHistoryFromElsewhereHasNoCoverage() {
        var history = Self.history(stress: 7)
        history.coverage = HistoryCoverage()
        #expect(Self.states(history) == Self.current(but: [.stress: .stale]))
        history.totals = nil
        #expect(Self.states(history)[.totals] == .notRead)
        var unknown = RingHistory(today: .day(5))
        unknown[.heartRate] = history[.heartRate]
        #expect(Set(Self.states(unknown).values) == [.notRead])
        // Neither values nor a coverage: nothing was read.
        let empty = RingHistory(today: .day(5), readAt: history.readAt)
        #expect(Set(Self.states(empty).values) == [.notRead])
    }

    /// After a first sync, the offsets of what was stored before are not known; a journey makes
    /// none of these values older, to the east or to the west.
    @Test(arguments: [9, -5, 0]) func aJourneyAfterTheFirstSyncMakesNoValueOld(_ hours: Int) {
        let read = CivilDateTime.time(5, 20)
        let now = read.advanced(bySeconds: hours * 3600)
        var history = Self.history()
        (history.today, history.readAt) = (now.date, now)
        history.secondsFromUTC = hours * 3600
        for kind in HistoryKind.allCases { history.coverage[kind, now.date] = .read }
        history.clocks = [
            RingClock(secondsFromUTC: 0, wasSet: true, since: read),
            RingClock(secondsFromUTC: hours * 3600, wasSet: true, since: now),
        ]
        #expect(Self.states(history) == Self.current())
        // Half a day later, they are old: the ring was taken off.
        let later = now.advanced(bySeconds: 43_200)
        history.readAt = later
        history.today = later.date
        for kind in HistoryKind.allCases { history.coverage[kind, later.date] = .read }
        let states = Self.states(history)
        #expect(states[.heartRate] == .notWorn && states[.bloodOxygen] == .notWorn)
    }

    /// Rings were seen to have old values in later slots.
    @Test func valuesThatAreStillToComeDoNotCount() {
        var history = Self.history(heartRate: 12)
        history.addHeartRates(.time(5, 20, 1), [60, 60, 60])
        let heartRate = history.freshness().first { $0.kind == .heartRate }
        #expect(heartRate?.state == .stale)
        #expect(heartRate?.lastValue == .time(5, 12))
        // One that begins at the time of the read does.
        history.addHeartRates(.time(5, 20), [60])
        #expect(Self.states(history)[.heartRate] == .current)
    }

    /// A length in minutes of a file may be any.
    @Test(arguments: [
        (Int.min, 0), (-1, 0), (0, 0), (1, 1), (1440, 1440), (1441, 1440), (.max, 1440),
    ])
    func aValueLastsADayAtTheMost(_ minutes: Int, _ counted: Int) {
        var history = RingHistory(today: .day(5), readAt: .time(5, 20))
        history[.stress] = [TimedSample(time: .time(3, 9), minutes: minutes, value: 40)]
        let stress = history.freshness().first { $0.kind == .stress }
        #expect(stress?.lastValue == .time(3, 9, counted))
    }

    @Test func onlyAKindThatHadValuesHasCeased() {
        let history = Self.history(heartRate: 12, oxygen: nil, wakes: nil)
        let ceased = history.freshness(logging: [.activity: false]).filter(\.hasCeased)
        #expect(ceased.map(\.kind) == [.heartRate, .activity])
    }

    @Test func theOrderOfValuesDoesNotMatter() {
        let history = Self.history(heartRate: 12, variability: 17, temperature: 12)
        var shuffled = history
        shuffled[.heartRate].reverse()
        shuffled[.heartRateVariability].shuffle()
        shuffled[.temperature].reverse()
        #expect(shuffled.freshness() == history.freshness())
    }

    @Test func noValueStopsTheProgram() {
        var history = Self.history()
        for minutes in [Int.min, -1, .max] {
            history[.heartRate].append(
                TimedSample(
                    time: CivilDateTime(secondsSince1970: .max), minutes: minutes, value: 60))
            history[.stress].append(TimedSample(time: .time(5, 9), minutes: minutes, value: 60))
        }
        #expect(Self.states(history) == Self.current())
    }

    @Test func eachStateIsASentence() {
        var history = Self.history(heartRate: 12, variability: 12, oxygen: nil, temperature: 12)
        history.unsupported = [.sleep]
        history.coverage[.totals, .day(5)] = .failed
        let sentences = history.freshness(logging: [.activity: false]).map(\.description)
        let switching = "Logging has stalled: switch it off and on again for heart rate."
        #expect(
            sentences == [
                "heart rate: no value since 2026-01-05 12:00:00, though the ring has stored "
                    + "others. \(switching)",
                "stress: current, to 2026-01-05 20:00:00.",
                "heart-rate variability: no value since 2026-01-05 12:00:00, though the ring has "
                    + "stored others.",
                "activity: logging is switched off.",
                "blood oxygen: no value at all, though the ring has stored others.",
                "temperature: no value since 2026-01-05 12:00:00, though the ring has stored "
                    + "others. \(switching)",
                "sleep: the ring does not support it.", "workouts: current.",
                "totals of today: not read.",
            ])
        let unworn = RingHistory.january(read: 31...31).freshness().first?.description
        #expect(
            unworn == "heart rate: no value at all, nor any other: not worn, or battery empty."
        )
    }

    // MARK: Current values

    @Test func theLastValueOfEachKindIsCurrent() {
        let history = Self.history()
        let current = history.currentValues()
        #expect(current[.heartRate] == history[.heartRate].suffix(1))
        #expect(current[.heartRateVariability] == history[.heartRateVariability].suffix(1))
        #expect(current[.stress] == history[.stress].suffix(1))
        #expect(current[.bloodOxygen] == history[.bloodOxygen].suffix(1))
        #expect(current[.temperature] == history[.temperature].suffix(1))
        #expect(current[.activity] == history[.activity].suffix(1))
        #expect(current[.sleep] == history[.sleep])
        #expect(current.totals == history.totals && history.totals != nil)
        #expect(current.readAt == history.readAt)
    }

    @Test func whatIsOldIsNotCurrent() {
        var history = Self.history(heartRate: 12, stress: 7, temperature: -6)
        history[.workouts] = [WorkoutRecord(start: .time(5, 9))]
        history.coverage[.totals, .day(5)] = .failed
        let current = history.currentValues()
        #expect(current[.heartRate] == [] && current[.stress] == [] && current[.temperature] == [])
        #expect(current[.workouts] == [] && current.totals == nil)
        #expect(current[.bloodOxygen].count == 1)
        #expect(RingHistory(today: .day(5)).currentValues().heartRates == [])
    }

    /// Rings were seen to have old values in slots that are still to come.
    @Test func aValueOfTheFutureIsNotCurrent() {
        var history = Self.history()
        history.addHeartRates(.time(5, 21), [150])
        #expect(history.currentValues().heartRates.map(\.value) == [60])
        // One that begins at the time of the read is.
        history[.heartRate].removeLast()
        history.addHeartRates(.time(5, 20), [61])
        #expect(history.currentValues().heartRates.map(\.value) == [61])
    }

    @Test func theNightIsTheLastOneWithItsParts() {
        var history = Self.history(wakes: nil)
        history.addSleep(.time(2, 23), [(.light, 60)], end: .time(3, 7))
        #expect(history.currentValues().sleep == [])
        history.addSleep(.time(3, 23), [(.light, 60)], end: .time(4, 7))
        // It ended 37 hours before the read.
        #expect(history.currentValues().sleep == [])
        history.addSleep(.time(4, 23), [(.light, 60)], end: .time(5, 2))
        history.addSleep(.time(5, 3), [(.deep, 90)], end: .time(5, 7))
        history.addSleep(.time(5, 13), [(.light, 30)], isNap: true, end: .time(5, 14))
        history.addSleep(.time(5, 18), [(.light, 40)], end: .time(5, 19))
        let night = history.currentValues().sleep
        #expect(night.map(\.start) == [.time(4, 23)] && night.map(\.end) == [.time(5, 7)])
        #expect(night.first?.stages.map(\.value) == [.light, .deep])
        #expect(night.first?.isNap == false)
    }

    /// It ended 35 hours before the read.
    @Test func aNightOfYesterdayIsCurrent() {
        var history = Self.history(wakes: nil)
        history.addSleep(.time(4, 1), [(.light, 60)], end: .time(4, 9))
        #expect(history.currentValues().sleep.map(\.end) == [.time(4, 9)])
    }

    /// A nap of today makes sleep current; a night of the day before yesterday is not.
    @Test func anOldNightIsNotCurrentForANap() {
        var history = Self.history(wakes: nil)
        history.addSleep(.time(2, 23), [(.light, 60)], end: .time(3, 7))
        history.addSleep(.time(5, 13), [(.light, 30)], isNap: true, end: .time(5, 14))
        #expect(history.currentValues().sleep == [])
    }
}
