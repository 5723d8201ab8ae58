package import HaloProtocol

package struct SleepSpan: Hashable, Sendable {
    /// The beginning of sleep: a whole minute.
    package let start: CivilDateTime
    /// The stages in order; no two of the same kind follow each other.
    package let stages: [Stretch]
    package let minutes: Int
    package let isNap: Bool

    init(start: CivilDateTime, stages: [Stretch], isNap: Bool = false) {
        self.start = start
        self.stages = stages
        self.isNap = isNap
        minutes = stages.reduce(0) { $0 + Int($1.minutes) }
    }

    /// The time of waking; a night is filed under this day.
    package var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }

    package func minutes(of stage: SleepStage) -> Int {
        stages.reduce(0) { $1.stage == stage ? $0 + Int($1.minutes) : $0 }
    }

    package struct Stretch: Hashable, Sendable {
        package let stage: SleepStage
        package let minutes: UInt8

        init(_ stage: SleepStage, minutes: Int) {
            self.stage = stage
            self.minutes = UInt8(clamping: minutes)
        }
    }
}

extension [SleepSpan.Stretch] {
    /// Appends minutes of a stage, to the last stretch if that is of the same stage and has room.
    mutating func append(_ stage: SleepStage, minutes: Int) {
        var minutes = minutes
        if let last, last.stage == stage, Int(last.minutes) + minutes <= Int(UInt8.max) {
            minutes += Int(last.minutes)
            removeLast()
        }
        append(SleepSpan.Stretch(stage, minutes: minutes))
    }
}
