/// What a person does on one civil day, as it follows from the person's numbers.
struct DayPlan: Sendable {
    /// Days since 1970-01-01.
    let day: Int
    /// The night that ends this morning.
    let night: PlannedSleep
    /// The night that ends tomorrow morning; its minutes count from tomorrow's midnight.
    let nextNight: PlannedSleep
    let nap: PlannedSleep?
    /// In order, none touching another.
    let bouts: [Bout]
    /// Minutes in which the person is under stress, at most two.
    let strains: [Range<Int>]
    /// Minutes at which a meal begins.
    let meals: [Int]

    static let minutes = 1440
    static let seconds = 86_400

    /// When the person goes to bed, in minutes since this day's midnight.
    var bedMinute: Int { nextNight.start + Self.minutes }

    /// All movement since midnight until a second of the day.
    func movement(until second: Int, of wearer: Wearer, _ noise: SeededNoise) -> Movement {
        guard let index = bouts.lastIndex(where: { $0.start < second }) else { return .none }
        let bout = bouts[index]
        return bout.before + bout.movement(in: second - bout.start, of: wearer, noise)
    }

    /// The bout that goes on, and the one that ended before it.
    func bouts(at second: Int) -> (current: Bout?, previous: Bout?) {
        guard let index = bouts.lastIndex(where: { $0.start <= second }) else { return (nil, nil) }
        guard second < bouts[index].end else { return (nil, bouts[index]) }
        return (bouts[index], index > 0 ? bouts[index - 1] : nil)
    }
}

/// A night or a nap in minutes since a midnight, which may lie before it.
struct PlannedSleep: Sendable {
    let start: Int
    let stages: [SleepSpan.Stretch]
    let minutes: Int

    var end: Int { start + minutes }

    init(start: Int, stages: [SleepSpan.Stretch]) {
        self.start = start
        self.stages = stages
        minutes = stages.reduce(0) { $0 + Int($1.minutes) }
    }

    /// The stretch that a minute lies in, its first minute, and the stage before it.
    func stretch(
        at minute: Int
    ) -> (stage: SleepSpan.Stretch, start: Int, before: SleepSpan.Stretch?)? {
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
