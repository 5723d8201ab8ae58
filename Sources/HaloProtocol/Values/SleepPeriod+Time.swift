extension SleepPeriod {
    /// Minutes of a day.
    private static let minutesPerDay = 1440

    /// Whether it began on the evening before the day under which it is filed.
    public var startsOnPreviousDay: Bool { start > end }

    /// The time between start and end in minutes, less than a day.
    public var minutes: Int {
        let difference = (Int(end.rawValue) - Int(start.rawValue)) % Self.minutesPerDay
        return difference < 0 ? difference + Self.minutesPerDay : difference
    }

    /// The sum of all stages in minutes.
    public var minutesOfStages: Int {
        stages.reduce(0) { $0 + Int($1.minutes) }
    }

    /// Whether the stages add up to the time between start and end, as they did in every capture.
    public var isConsistent: Bool { minutesOfStages == minutes }

    /// How many minutes one stage has in all.
    public func minutes(of stage: SleepStage) -> Int {
        stages.reduce(0) { $1.stage == stage ? $0 + Int($1.minutes) : $0 }
    }

    /// The day under which it is filed, counted from the ring's today.
    public func date(today: CivilDate) -> CivilDate? { today.daysEarlier(daysAgo) }

    /// When it began on the ring's clock; nothing if no day has that minute.
    public func startTime(today: CivilDate) -> CivilDateTime? {
        guard let time = start.time, let date = date(today: today)
        else { return nil }
        guard startsOnPreviousDay else { return CivilDateTime(date, time) }
        return date.daysEarlier(1).map { CivilDateTime($0, time) }
    }

    /// When it ended on the ring's clock; nothing if no day has that minute.
    public func endTime(today: CivilDate) -> CivilDateTime? {
        guard let time = end.time else { return nil }
        return date(today: today).map { CivilDateTime($0, time) }
    }
}

extension SleepPeriod.Stage {
    /// The most minutes that a period can say of one stage.
    public static let mostMinutes = SleepPeriod.mostStages * Int(UInt8.max)

    /// A stretch of any length as rings write it: pieces of at most 255 minutes.
    public static func split(
        _ stage: SleepStage, minutes: Int
    ) throws(ValueError) -> [SleepPeriod.Stage] {
        guard 0...mostMinutes ~= minutes else {
            throw ValueError("minutes", allowed: 0...Int64(mostMinutes), found: Int64(minutes))
        }
        var pieces: [SleepPeriod.Stage] = []
        var rest = minutes
        while rest > 0 {
            let piece = UInt8(clamping: rest)
            pieces.append(SleepPeriod.Stage(stage, minutes: piece))
            rest -= Int(piece)
        }
        return pieces
    }
}
