public import HaloDevices

/// Figures of days and weeks, computed from what a ring has stored.
///
///     let figures = HealthFigures(history, ageYears: 41)
///     let today = figures.day(history.today)
///     if let night = today.night.value { print(night.asleepMinutes, night.efficiency) }
///     print(today.temperatureDeviation)            // 0.3, or: needs 4 nights, has 2
///     print(figures.week(endingOn: history.today).mean(\.steps))
///
/// A history of many weeks gives figures that compare nights: merge what was read, or keep it in a
/// ``HealthStore``. Missing values are never taken for zero: a figure has a value, or the reason
/// why there is none. Figures of today are ``Figure/soFar(_:)``, and so are those of a day that was
/// last read before it was over.
///
/// Days and times are those of the ring's clock. A history with a `clockShift` has other dates: use
/// what `history.moved(byDays:)` returns.
///
/// All are summaries for information; none is a diagnosis.
public struct HealthFigures: Sendable {
    /// The history with its samples in the order of time, without those of uncertain days.
    private let history: RingHistory
    private let maximumBeatsPerMinute: Double?
    /// The periods of sleep by the day on which they end.
    private let sleep: [CivilDate: [SleepRecord]]
    private let nights: [CivilDate: Night]
    private let reasons: MissingReasons
    /// The heart rates with the minutes that each stands for; `nil` if the ring's interval is not
    /// known.
    private let timedHeartRates: [TimedSample<Int>]?

    private let nightlyVariability: [CivilDate: Double]
    private let nightlyTemperatures: [CivilDate: Double]

    /// Prepares the figures of a history.
    ///
    /// - Parameters:
    ///   - ageYears: The wearer's age. The maximum heart rate is then 208 − 0.7 · age: Tanaka,
    ///     Monahan and Seals, 2001, "Age-predicted maximal heart rate revisited".
    ///   - maximumBeatsPerMinute: The wearer's maximum heart rate, if it is known; it overrides
    ///     the one by age.
    public init(_ history: RingHistory, ageYears: Int? = nil, maximumBeatsPerMinute: Int? = nil) {
        let maximum =
            maximumBeatsPerMinute.map(Double.init) ?? ageYears.map { 208 - 0.7 * Double($0) }
        self.maximumBeatsPerMinute = maximum.flatMap { $0 > 0 ? $0 : nil }
        var kept = history
        func sort(_ samples: some SampleList) {
            kept[samples.log] = history[samples.log]
                .filter { !history.isUncertain($0.time.date) }
                .sorted { ($0.time, $0.utc ?? $0.time) < ($1.time, $1.utc ?? $1.time) }
        }
        for samples in RingHistory.sampleKinds { sort(samples) }
        self.history = kept
        reasons = MissingReasons(kept)
        timedHeartRates = kept[.heartRate].withLoggedMinutes()
        let records = Set(history[.sleep])
            .filter { Night.isPlausible($0) && !history.isUncertain($0.end.date) }
            .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        sleep = Dictionary(grouping: records, by: \.end.date)
        let nights = Dictionary(
            Night.nights(of: records.filter { !$0.isNap })
                .map { ($0.end.date, (night: $0, minutes: $0.asleepMinutes)) }
        ) { $0.minutes > $1.minutes ? $0 : $1 }.mapValues(\.night)
        self.nights = nights
        nightlyVariability = nights.compactMapValues { night in
            Self.nightlyMean(kept[.heartRateVariability].samples(during: night)) { Double($0) }
        }
        nightlyTemperatures = nights.compactMapValues { night in
            Self.nightlyMean(kept[.temperature].samples(during: night)) { $0 }
        }
    }

    /// Returns the figures of a day.
    public func day(_ day: CivilDate) -> DailyFigures {
        DailyFigures(
            day: day, steps: sum(day, \.steps) { $0.steps },
            metres: sum(day, \.metres) { $0.metres }, kilocalories: kilocalories(day),
            hoursWithMovement: hoursWithMovement(day), restingBeatsPerMinute: resting(day),
            lowestBeatsPerMinute: heartRate(day) { $0.map(\.value).min() },
            highestBeatsPerMinute: heartRate(day) { $0.map(\.value).max() },
            averageBeatsPerMinute: heartRate(day) { $0.mean { Double($0.value) } },
            heartRateZones: zones(day), night: night(day), naps: naps(day),
            sleepRegularity: sleepRegularity(day),
            heartRateVariability: nightly(
                history[.heartRateVariability], .heartRateVariability, day
            ) { _ in nightlyVariability[day] },
            heartRateVariabilityBaseline: mean(nightlyVariability, of: 28, before: day, 4),
            heartRateVariabilityTrend: heartRateVariabilityTrend(day), oxygen: oxygen(day),
            temperatureDeviation: temperatureDeviation(day), stress: stress(day))
    }

    /// Returns the figures of seven days, of which the last one is given.
    public func week(endingOn day: CivilDate) -> WeeklyFigures {
        WeeklyFigures(days: Self.days(7, endingOn: day).map(self.day))
    }

    /// Returns the number of successive days with at least a number of steps, of which the last one
    /// is given.
    ///
    /// While today has fewer steps, its streak is the one up to yesterday. A day without
    /// a known number of steps ends a streak.
    public func streak(ofSteps goal: Int, endingOn day: CivilDate) -> Figure<Int> {
        var (count, isSoFar) = (0, false)
        var next: CivilDate? = day
        while let day = next {
            switch sum(day, \.steps, { $0.steps }) {
            case .value(let steps) where steps >= goal: count += 1
            case .soFar(let steps):
                isSoFar = true
                if steps >= goal { count += 1 }
            case .missing(let reason) where count == 0: return .missing(reason)
            case .value, .missing: return isSoFar ? .soFar(count) : .value(count)
            }
            next = day.daysEarlier(1)
        }
        return isSoFar ? .soFar(count) : .value(count)
    }
}

// MARK: - Days

extension HealthFigures {
    /// Returns days until a given one, the earliest first.
    private static func days(_ count: Int, endingOn day: CivilDate) -> [CivilDate] {
        (0..<count).reversed().compactMap { day.advanced(byDays: -$0) }
    }

    private func reason(_ kind: HistoryKind, _ day: CivilDate) -> MissingData {
        if history.isUncertain(day) { return .uncertainDay }
        if history.unsupported.contains(kind) { return .unsupported }
        switch history.coverage[kind, day] {
        case .unsupported: return .unsupported
        case .wrongClock, .failed: return .notRead
        case .read, .noData, .notRequested, .unfinished, nil: break
        }
        if case .notSynced = reasons.reason(for: kind, on: day) { return .notSynced }
        return switch history.coverage[kind, day] {
        case .read: isWorn(day) ? .noValues : .notWorn
        case .noData: .noValues
        default: .notRead
        }
    }

    /// Returns `true` if the ring has stored anything on a day.
    private func isWorn(_ day: CivilDate) -> Bool {
        func hasSample(_ samples: some SampleList) -> Bool {
            !history[samples.log].samples(of: day).isEmpty
        }
        return RingHistory.sampleKinds.contains { hasSample($0) } || sleep[day] != nil
    }

    /// Returns a value of a day, which is one so far if the day was read before it was over.
    private func figure<Value>(
        _ value: Value, _ kind: HistoryKind, of day: CivilDate
    ) -> Figure<Value> {
        let isWhole = day != history.today && history.readEnd(of: kind, on: day) == nil
        return isWhole ? .value(value) : .soFar(value)
    }

    // MARK: Movement

    /// Returns a sum over the day's slots; today's is the ring's own, if it was read.
    private func sum(
        _ day: CivilDate, _ total: KeyPath<ActivityTotals, Int>, _ amount: (ActivityAmount) -> Int
    ) -> Figure<Int> {
        if let total = history.ownTotals(of: day)?[keyPath: total], total != 0 || isWorn(day) {
            return .soFar(total)
        }
        return slots(day).map { $0.map(amount).sum }
    }

    private func kilocalories(_ day: CivilDate) -> Figure<Double> {
        if let totals = history.ownTotals(of: day), totals.steps != 0 || isWorn(day) {
            return .soFar(totals.kilocalories)
        }
        let slots = slots(day)
        let isUnknown = slots.value?.contains { $0.kilocalories == nil } ?? false
        if isUnknown { return .missing(.unknownUnit) }
        // Rings count in thousandths; sums of decimals would have more.
        return slots.map { (1000 * $0.reduce(0) { $0 + ($1.kilocalories ?? 0) }).rounded() / 1000 }
    }

    private func hoursWithMovement(_ day: CivilDate) -> Figure<Int> {
        slots(day).map { _ in
            let moved = history[.activity].samples(of: day).filter { $0.value.steps > 0 }
            return Set(moved.map(\.time.time.hour)).count
        }
    }

    /// Returns the amounts of the day's slots. Rings do not send empty slots: none is a value on a
    /// day that was read, if the ring was worn.
    private func slots(_ day: CivilDate) -> Figure<[ActivityAmount]> {
        let outcome = history.coverage[.activity, day]
        let slots = history[.activity].samples(of: day).map(\.value)
        let isRead = outcome == .read && isWorn(day)
        // A failed day may lack slots.
        let isWhole = !slots.isEmpty && outcome != .failed
        guard isRead || isWhole else { return .missing(reason(.activity, day)) }
        return figure(slots, .activity, of: day)
    }

    // MARK: Heart rate

    private func heartRate<Value>(
        _ day: CivilDate, _ value: (ArraySlice<TimedSample<Int>>) -> Value?
    ) -> Figure<Value> {
        value(history[.heartRate].samples(of: day)).map { figure($0, .heartRate, of: day) }
            ?? .missing(reason(.heartRate, day))
    }

    private static var neededHeartRates: Int { 24 }

    private static func tooFewHeartRates(_ count: Int) -> MissingData {
        .tooFew(count, of: neededHeartRates, .values)
    }

    private func resting(_ day: CivilDate) -> Figure<Double> {
        let samples = history[.heartRate].samples(of: day)
        guard samples.count >= Self.neededHeartRates else {
            return .missing(
                samples.isEmpty ? reason(.heartRate, day) : Self.tooFewHeartRates(samples.count))
        }
        let triples = zip(samples, zip(samples.dropFirst(), samples.dropFirst(2)))
        let means = triples.compactMap { first, others -> Double? in
            let (second, third) = others
            let times = [first, second, third].map { Int($0.time.secondsSince1970) }
            guard times[1] - times[0] <= 1800, times[2] - times[1] <= 1800 else { return nil }
            return [first.value, second.value, third.value].mean { Double($0) }
        }
        return means.min().map { figure($0, .heartRate, of: day) }
            ?? .missing(.tooFew(0, of: 3, .values))
    }

    private func zones(_ day: CivilDate) -> Figure<HeartRateZones> {
        guard let maximumBeatsPerMinute else { return .missing(.noMaximumHeartRate) }
        return heartRate(day) { samples in samples.isEmpty ? nil : samples.count }.flatMap {
            count in
            guard let timed = timedHeartRates?.samples(of: day) else {
                return .missing(Self.tooFewHeartRates(count))
            }
            var zones = HeartRateZones()
            for sample in timed {
                zones.add(
                    minutes: sample.minutes, beatsPerMinute: sample.value,
                    maximum: maximumBeatsPerMinute)
            }
            return figure(zones, .heartRate, of: day)
        }
    }

    // MARK: Sleep

    private func night(_ day: CivilDate) -> Figure<NightFigures> {
        guard let night = nights[day] else {
            let reason = reason(.sleep, day)
            return .missing(reason == .noValues || reason == .notWorn ? .noNight : reason)
        }
        guard let figures = night.figures else { return .missing(.noStages) }
        return isOver(night) ? .value(figures) : .soFar(figures)
    }

    /// Returns `true` unless the night ended within the last hour before the read: it may go on.
    private func isOver(_ night: Night) -> Bool {
        history.isOver(night.end)
    }

    private func naps(_ day: CivilDate) -> Figure<NapFigures> {
        // The first part of a night that ends on the next day is no nap either.
        let next = day.advanced(byDays: 1).flatMap { nights[$0] }
        let ofNights = Set([nights[day], next].compactMap { $0?.records }.joined())
        let records = (sleep[day] ?? []).filter { !ofNights.contains($0) }
        let isRead = history.coverage[.sleep, day] == .read && isWorn(day)
        guard isRead || sleep[day] != nil else { return .missing(reason(.sleep, day)) }
        let minutes = records.map(\.minutesAsleep).sum
        return figure(
            NapFigures(count: records.count, asleepMinutes: minutes), .sleep, of: day)
    }

    private func sleepRegularity(_ day: CivilDate) -> Figure<Double> {
        let night = night(day)
        if let reason = night.missing { return .missing(reason) }
        let days = Self.days(SleepRegularity.nights, endingOn: day).map { day in
            nights[day]?.figures == nil
                ? nil
                : SleepRegularity.minutes(
                    until: day,
                    Self.days(3, endingOn: day.advanced(byDays: 1) ?? day)
                        .flatMap { sleep[$0] ?? [] },
                    readAt: history.readEnd(of: .sleep, on: day) ?? history.readAt)
        }
        let index = SleepRegularity.index(of: days)
        return index.value.map { value in night.map { _ in value } } ?? index
    }

    // MARK: Nights

    private static var neededValues: Int { 3 }

    /// Returns the mean of a night; `nil` if it has too few values.
    private static func nightlyMean<Value>(
        _ samples: [TimedSample<Value>], _ value: (Value) -> Double
    ) -> Double? {
        samples.count < neededValues ? nil : samples.mean { value($0.value) }
    }

    /// Returns what a function makes of the values of a night, or the reason why it has none.
    private func nightly<Value, Result>(
        _ samples: [TimedSample<Value>], _ kind: HistoryKind, _ day: CivilDate,
        _ result: ([Value]) -> Result?
    ) -> Figure<Result> {
        guard let night = nights[day] else {
            return .missing(self.night(day).missing ?? .noNight)
        }
        let values = samples.samples(during: night).map(\.value)
        guard values.count >= Self.neededValues, let result = result(values) else {
            let reason = reason(kind, day)
            let isRead = reason == .noValues || reason == .notWorn || !values.isEmpty
            return .missing(isRead ? .tooFew(values.count, of: Self.neededValues, .values) : reason)
        }
        return isOver(night) ? .value(result) : .soFar(result)
    }

    private func mean(
        _ means: [CivilDate: Double], of count: Int, before day: CivilDate, _ needed: Int
    ) -> Figure<Double> {
        guard let last = day.daysEarlier(1) else { return .missing(.notRead) }
        let nights = Self.days(count, endingOn: last).compactMap { means[$0] }
        guard nights.count >= needed, let mean = nights.mean({ $0 }) else {
            return .missing(.tooFew(nights.count, of: needed, .nights))
        }
        return .value(mean)
    }

    private func heartRateVariabilityTrend(_ day: CivilDate) -> Figure<Double> {
        guard let next = day.advanced(byDays: 1), let first = day.daysEarlier(6) else {
            return .missing(.notRead)
        }
        let week = mean(nightlyVariability, of: 7, before: next, 3)
        let earlier = mean(nightlyVariability, of: 28, before: first, 4)
        return week.value.map { week in earlier.map { week - $0 } } ?? week
    }

    private func temperatureDeviation(_ day: CivilDate) -> Figure<Double> {
        let night = nightly(history[.temperature], .temperature, day) { _ in
            nightlyTemperatures[day]
        }
        let earlier = mean(nightlyTemperatures, of: 28, before: day, 4)
        guard let reason = earlier.missing, night.missing == nil else {
            return earlier.value.map { mean in night.map { $0 - mean } } ?? night
        }
        return .missing(reason)
    }

    private func oxygen(_ day: CivilDate) -> Figure<NightOxygen> {
        nightly(history[.bloodOxygen], .bloodOxygen, day) { values in
            guard let lowest = values.map(\.lowestPercent).min(),
                let average = values.mean(\.middle)
            else { return nil }
            let middles = values.map(\.middle).sorted()
            let half = middles.count / 2
            let median =
                middles.count.isMultiple(of: 2)
                ? (middles[half - 1] + middles[half]) / 2 : middles[half]
            return NightOxygen(
                lowestPercent: lowest, averagePercent: average,
                dips: values.count { Double($0.lowestPercent) <= median - 4 })
        }
    }

    private func stress(_ day: CivilDate) -> Figure<Double> {
        history[.stress].samples(of: day).mean { Double($0.value) }
            .map { figure($0, .stress, of: day) }
            ?? .missing(reason(.stress, day))
    }
}

extension RingHistory {
    /// The ring's own totals of the day of the read, which may be ahead of its slots; `nil` for
    /// any other day.
    package func ownTotals(of day: CivilDate) -> ActivityTotals? { day == today ? totals : nil }

    /// Returns `true` unless a night ended within the last hour before the last read of its day.
    func isOver(_ end: CivilDateTime) -> Bool {
        (readEnd(of: .sleep, on: end.date) ?? readAt)
            .map { end.advanced(bySeconds: 3600) <= $0 } ?? true
    }

    fileprivate func isUncertain(_ day: CivilDate) -> Bool {
        let start = CivilDateTime(day)
        let end = start.advanced(bySeconds: 86_400)
        return uncertainTimes.contains { $0.lowerBound < end && start < $0.upperBound }
    }
}

extension BloodOxygenRange {
    fileprivate var middle: Double { (Double(lowestPercent) + Double(highestPercent)) / 2 }
}
