/// A night or a nap, in minutes since a midnight; the start may be negative.
struct PlannedSleep: Sendable {
    typealias Place = (stage: SleepSpan.Stretch, start: Int, before: SleepSpan.Stretch?)

    let start: Int
    let stages: [SleepSpan.Stretch]
    let minutes: Int

    var end: Int { start + minutes }

    init(start: Int, stages: [SleepSpan.Stretch]) {
        self.start = start
        self.stages = stages
        minutes = stages.reduce(0) { $0 + Int($1.minutes) }
    }

    func moved(by shift: Int) -> PlannedSleep {
        PlannedSleep(start: start + shift, stages: stages)
    }

    /// The stretch at a minute, its first minute, and the stretch before it.
    func stretch(at minute: Int) -> Place? {
        var begin = start
        var before: SleepSpan.Stretch?
        for stretch in stages {
            let end = begin + Int(stretch.minutes)
            if minute < end { return minute < start ? nil : (stretch, begin, before) }
            begin = end
            before = stretch
        }
        return nil
    }
}
