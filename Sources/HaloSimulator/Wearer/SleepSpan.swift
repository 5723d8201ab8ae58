public import HaloProtocol

/// A night or a nap, stage after stage.
public struct SleepSpan: Hashable, Sendable {
    /// When the person fell asleep: a whole minute.
    public let start: CivilDateTime
    /// The stages in order; no two of the same kind follow each other.
    public let stages: [Stretch]

    init(start: CivilDateTime, stages: [Stretch]) {
        self.start = start
        self.stages = stages
    }

    /// From falling asleep to waking.
    public var minutes: Int { stages.reduce(0) { $0 + Int($1.minutes) } }

    /// When the person woke; a night is filed under this day.
    public var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }

    /// How many minutes one stage has in all.
    public func minutes(of stage: SleepStage) -> Int {
        stages.reduce(0) { $1.stage == stage ? $0 + Int($1.minutes) : $0 }
    }

    /// One stage for a while.
    public struct Stretch: Hashable, Sendable {
        /// How deep the sleep is.
        public let stage: SleepStage
        /// How long.
        public let minutes: UInt8

        init(_ stage: SleepStage, minutes: Int) {
            self.stage = stage
            self.minutes = UInt8(clamping: minutes)
        }
    }
}
