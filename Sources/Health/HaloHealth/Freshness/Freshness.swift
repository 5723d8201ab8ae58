public import HaloDevices

/// The freshness of one kind of values at the time of a read: whether values come, and if not, why.
///
/// It is derived from the times of the last values, so most of it is a guess: a ring does not
/// report that it is not worn, or that a measurement has stalled.
public struct Freshness: Hashable, Sendable, Codable {
    /// The states of a kind of values.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The last value is not older than is usual: twice the median time between the last twelve
        /// values and 10 minutes, but at least 2 hours for the heart rate, 2 hours and 10 minutes
        /// for heart-rate variability and blood oxygen, 12 hours for stress, 24 for activity, 25
        /// for the temperature and 36 for sleep. Workouts and totals are current when they were
        /// read.
        ///
        /// These times are a guess. Stress was seen to end 11 hours before the heart rate, and
        /// temperatures of a day to appear in its last hours only.
        case current
        /// The last value is older, the ring has stored other values at least half an hour later,
        /// and no other state explains it.
        case stale
        /// The last value is older, and the ring has stored nothing else at least half an hour
        /// later: it is not worn, or its battery is empty. A guess.
        case notWorn
        /// The kind is as for ``stale``, and logging is known to be on. Or, a guess: heart rate and
        /// temperature have ended within three hours of each other, while others go on. This was
        /// seen on an R09, where switching the logging of the heart rate off and on again, or an
        /// empty battery, revived both.
        case stalled
        /// The logging of the kind is known to be off.
        case loggingOff
        /// The ring has refused the kind, or reports that it lacks it.
        case unsupported
        /// The kind was not read on the day of the read, has failed, or the time of the read is not
        /// known. Values without any coverage, as in a history from elsewhere, are taken as read.
        case notRead
    }

    /// The kind of values.
    public let kind: HistoryKind
    /// The state.
    public let state: State
    /// The end of the last value, by the clock that the ring has now; `nil` if there is no value.
    /// Values have been stale, or logging has stalled, from then on.
    public let lastValue: CivilDateTime?

    /// `true` if no values come: they have come, and come no more, or logging is off.
    package var hasCeased: Bool {
        switch state {
        case .stale, .stalled, .notWorn: lastValue != nil
        case .loggingOff: true
        case .current, .unsupported, .notRead: false
        }
    }
}

extension Freshness: CustomStringConvertible {
    /// The state in a sentence, with what can be done.
    public var description: String {
        let since = lastValue.map { "since \($0)" } ?? "at all"
        let revived = kind == .temperature ? HistoryKind.heartRate : kind
        return switch state {
        case .current where lastValue == nil: "\(kind): current."
        case .current: "\(kind): current, to \(lastValue.map { "\($0)" } ?? "")."
        case .stale: "\(kind): no value \(since), though the ring has stored others."
        case .notWorn: "\(kind): no value \(since), nor any other: not worn, or battery empty."
        case .stalled:
            "\(kind): no value \(since), though the ring has stored others. Logging has "
                + "stalled: switch it off and on again for \(revived)."
        case .loggingOff: "\(kind): logging is switched off."
        case .unsupported: "\(kind): the ring does not support it."
        case .notRead: "\(kind): not read."
        }
    }
}

extension RingHistory {
    /// Returns the freshness of each kind of values at the time of the read.
    ///
    ///     for kind in history.freshness() where kind.state != .current { print(kind) }
    ///
    /// - Parameter logging: The kinds that the ring is known to log (`true`), or not to (`false`),
    ///   as its settings say: `ring.healthSettings().logging`.
    public func freshness(logging: [HistoryKind: Bool] = [:]) -> [Freshness] {
        let report = FreshnessReport(self, logging)
        return HistoryKind.allCases.map(report.freshness)
    }
}

/// The times of the stored values, compared with each other and with the time of the read.
private struct FreshnessReport {
    private typealias Period = (start: Int, end: Int)

    private let history: RingHistory
    private let logging: [HistoryKind: Bool]
    /// The time of the read in minutes.
    private let now: Int?
    /// The periods of values that had begun at the time of the read, in the order of time.
    private let periods: [HistoryKind: [Period]]

    init(_ history: RingHistory, _ logging: [HistoryKind: Bool]) {
        self.history = history
        self.logging = logging
        let now = history.readAt.map(Self.minutes)
        self.now = now
        // On a journey the clock jumps, which makes no value older. Without an offset, a value is
        // no older than one of the ring's clocks makes it.
        func minutes(_ time: CivilDateTime, _ offset: Int?) -> Int {
            guard let current = history.secondsFromUTC else { return Self.minutes(time) }
            let offsets = offset.map { [$0] } ?? [current] + history.clocks.map(\.secondsFromUTC)
            let all = offsets.map { Self.minutes(time.advanced(bySeconds: current &- $0)) }
            return all.filter { $0 <= now ?? .max }.max() ?? all[0]
        }
        func periods<Value>(_ samples: [TimedSample<Value>]) -> [Period] {
            samples.map { sample in
                let start = minutes(sample.time, sample.secondsFromUTC)
                return (start, start + min(max(sample.minutes, 0), 1440))
            }
        }
        let all: [HistoryKind: [Period]] = [
            .heartRate: periods(history[.heartRate]), .stress: periods(history[.stress]),
            .heartRateVariability: periods(history[.heartRateVariability]),
            .activity: periods(history[.activity].filter { $0.value.steps > 0 }),
            .bloodOxygen: periods(history[.bloodOxygen]),
            .temperature: periods(history[.temperature]),
            .sleep: history[.sleep].map {
                (minutes($0.start, $0.secondsFromUTC), minutes($0.end, $0.secondsFromUTC))
            },
        ]
        self.periods = all.mapValues { periods in
            periods.filter { $0.start <= now ?? .max }.sorted { $0.start < $1.start }
        }
    }

    private static func minutes(_ time: CivilDateTime) -> Int { Int(time.secondsSince1970) / 60 }

    func freshness(of kind: HistoryKind) -> Freshness {
        let end = lastEnd(kind).map { min($0, now ?? $0) }
        return Freshness(
            kind: kind, state: state(of: kind),
            lastValue: end.map { CivilDateTime(secondsSince1970: UInt32(clamping: $0 * 60)) })
    }

    private func lastEnd(_ kind: HistoryKind) -> Int? { periods[kind]?.map(\.end).max() }

    private func state(of kind: HistoryKind) -> Freshness.State {
        let outcome = history.coverage[kind, history.today]
        if history.unsupported.contains(kind) || outcome == .unsupported { return .unsupported }
        if logging[kind] == false { return .loggingOff }
        guard let now, isRead(kind, outcome) else { return .notRead }
        guard let allowance = allowance(kind) else { return .current }
        if isStalledPair, kind == .heartRate || kind == .temperature { return .stalled }
        if let end = lastEnd(kind), now - end <= allowance { return .current }
        guard othersGoOn(after: kind) else { return .notWorn }
        return logging[kind] == true ? .stalled : .stale
    }

    private func isRead(_ kind: HistoryKind, _ outcome: HistoryCoverage.Outcome?) -> Bool {
        switch outcome {
        case .read, .noData: true
        case .notRequested, .unfinished, .wrongClock, .failed, .unsupported: false
        case nil where kind == .totals: history.totals != nil
        case nil: history.coverage.days.isEmpty && periods.values.contains { !$0.isEmpty }
        }
    }

    /// Returns the age in minutes from which a value is not current; `nil` for kinds without a
    /// schedule.
    private func allowance(_ kind: HistoryKind) -> Int? {
        let least: Int
        switch kind {
        case .heartRate: least = 120
        case .heartRateVariability, .bloodOxygen: least = 130
        case .stress: least = 12 * 60
        case .activity: return 24 * 60
        case .temperature: least = 25 * 60
        case .sleep: return 36 * 60
        case .workouts, .totals: return nil
        }
        let last = (periods[kind] ?? []).suffix(12).map(\.start)
        let gaps = zip(last.dropFirst(), last).map(-).sorted()
        return gaps.isEmpty ? least : max(least, 2 * gaps[gaps.count / 2] + 10)
    }

    /// Returns `true` if the ring has stored another kind half an hour after the end of all values
    /// of some kinds, or later.
    private func othersGoOn(after kinds: HistoryKind...) -> Bool {
        let end = kinds.compactMap(lastEnd).max()
        return periods.contains { other, periods in
            guard !kinds.contains(other), let last = periods.last else { return false }
            return end.map { last.start >= $0 + 30 } ?? true
        }
    }

    /// `true` if heart rate and temperature have ended together, while others go on.
    private var isStalledPair: Bool {
        guard let now, let heartRate = lastEnd(.heartRate), let temperature = lastEnd(.temperature),
            let allowance = allowance(.heartRate), now - heartRate > allowance
        else { return false }
        return abs(heartRate - temperature) <= 180 && othersGoOn(after: .heartRate, .temperature)
    }
}
