internal import HaloProtocol

/// A kind of values that a ring stores, with the type of its entries.
///
///     let rates = try await ring.log(.heartRate, daysAgo: 1)
///     let week = try await ring.history(days: 7)
///     print(week[.sleep].count, "nights and naps")
///
/// The logs have the names of their ``HistoryKind``. ``HistoryKind/totals`` is one value:
/// ``Ring/totals()``, ``RingHistory/totals``.
public struct RingLog<Entry: Hashable & Sendable & CustomStringConvertible>: Sendable {
    /// The kind of values.
    public let kind: HistoryKind
    let entries: any WritableKeyPath<RingHistory, [Entry]> & Sendable
    /// Returns the step that reads a day, or all days if the ring sends them in one reply.
    let step: @Sendable (DaysAgo) -> HistoryStep
    /// The unit of a number; `nil` if it has none, or the entry's description has it.
    private let unit: String?

    private init(
        _ kind: HistoryKind, _ entries: any WritableKeyPath<RingHistory, [Entry]> & Sendable,
        unit: String? = nil, _ step: @escaping @Sendable (DaysAgo) -> HistoryStep
    ) {
        self.kind = kind
        self.entries = entries
        self.unit = unit
        self.step = step
    }

    /// Returns an entry in words, with its unit: `2026-01-05 09:00:00: 62 bpm`.
    public func text(of entry: Entry) -> String { unit.map { "\(entry) \($0)" } ?? "\(entry)" }
}

extension RingLog<TimedSample<Int>> {
    /// The heart rates in beats per minute, at the ring's interval.
    public static var heartRate: RingLog {
        RingLog(.heartRate, \.heartRates, unit: "bpm", HistoryStep.heartRate)
    }

    /// The stress scores, from 1 to 100.
    public static var stress: RingLog { RingLog(.stress, \.stress, HistoryStep.stress) }

    /// The heart-rate variability in milliseconds.
    public static var heartRateVariability: RingLog {
        RingLog(
            .heartRateVariability, \.heartRateVariability, unit: "ms",
            HistoryStep.heartRateVariability)
    }
}

extension RingLog<TimedSample<ActivityAmount>> {
    /// Steps, distance and energy, without empty slots.
    public static var activity: RingLog { RingLog(.activity, \.activity, HistoryStep.activity) }
}

extension RingLog<TimedSample<BloodOxygenRange>> {
    /// The blood oxygen in percent.
    public static var bloodOxygen: RingLog {
        RingLog(.bloodOxygen, \.bloodOxygen) { _ in .bloodOxygen }
    }
}

extension RingLog<TimedSample<Double>> {
    /// The temperatures of the skin in degrees Celsius; in captures only the values of today have
    /// arrived.
    public static var temperature: RingLog {
        RingLog(.temperature, \.temperatures, unit: "°C") { _ in .temperature }
    }
}

extension RingLog<SleepRecord> {
    /// The nights and naps.
    ///
    /// The forms of the request that ``/HaloProtocol/Dialect/sleepRequests`` names are tried in
    /// their order, until a reply has nights, or says that there are none.
    public static var sleep: RingLog { RingLog(.sleep, \.sleep) { _ in .sleep } }
}

extension RingLog<WorkoutRecord> {
    /// The workouts.
    public static var workouts: RingLog { RingLog(.workouts, \.workouts) { _ in .workouts } }
}
