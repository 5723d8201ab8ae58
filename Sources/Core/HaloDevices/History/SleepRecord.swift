public import HaloProtocol

/// A night or a nap, on the calendar.
public struct SleepRecord: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `true` for a nap, which is sleep by day.
    public let isNap: Bool
    /// The beginning on the ring's clock.
    public let start: CivilDateTime
    /// The end on the ring's clock.
    public let end: CivilDateTime
    /// The stages in order, each with its beginning.
    public let stages: [TimedSample<Stage>]
    /// The seconds by which the ring's clock was ahead of UTC, or `nil` where that is not known.
    public let secondsFromUTC: Int?

    /// Creates a value, for previews and tests.
    public init(
        isNap: Bool, start: CivilDateTime, end: CivilDateTime, stages: [TimedSample<Stage>],
        secondsFromUTC: Int? = nil
    ) {
        self.isNap = isNap
        self.start = start
        self.end = end
        self.stages = stages
        self.secondsFromUTC = secondsFromUTC
    }

    /// A stage of sleep, as rings classify it.
    public enum Stage: String, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
        case awake
        /// Sleep with rapid eye movements.
        case rem
        case light
        case deep
        /// A stage that the ring could not tell, or that is not described.
        case unclassified

        /// The stage in words.
        public var description: String { self == .rem ? "REM" : rawValue }

        fileprivate init(_ stage: Reported<SleepStage>) {
            self =
                switch stage.known {
                case .awake: .awake
                case .rem: .rem
                case .light: .light
                case .deep: .deep
                case .error, .some(.none), nil: .unclassified
                }
        }
    }

    /// `night from 2026-01-04 23:10:00 to 2026-01-05 07:02:00`.
    public var description: String { "\(isNap ? "nap" : "night") from \(start) to \(end)" }

    func moved(bySeconds seconds: Int) -> SleepRecord {
        SleepRecord(
            isNap: isNap, start: start.advanced(bySeconds: seconds),
            end: end.advanced(bySeconds: seconds),
            stages: stages.map { $0.moved(bySeconds: seconds) }, secondsFromUTC: nil)
    }

    /// Creates a record from a stored period; `nil` if a minute of the period is of no day.
    init?(_ period: SleepPeriod, isNap: Bool, today: CivilDate, secondsFromUTC: Int?) {
        guard let start = period.startTime(today: today), let end = period.endTime(today: today)
        else { return nil }
        var time = start
        let stages = period.stages.map { stage in
            defer { time = time.advanced(bySeconds: Int(stage.minutes) * 60) }
            return TimedSample(
                time: time, minutes: Int(stage.minutes), secondsFromUTC: secondsFromUTC,
                value: Stage(stage.stage))
        }
        self.init(
            isNap: isNap, start: start, end: end, stages: stages, secondsFromUTC: secondsFromUTC)
    }
}
