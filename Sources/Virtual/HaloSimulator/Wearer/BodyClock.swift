package import HaloProtocol

/// A wearer with a cache: the plan of the last requested day.
///
/// The results are those of ``Wearer``, in any order, but for the walks and naps that the person
/// takes against the plan. They are fast while requests stay within a day or continue to the next.
package struct BodyClock: Sendable {
    private var plan: DayPlan
    private var noise: SeededNoise { plan.wearer.noise }
    /// The latest walks and naps against the plan, by day.
    private var unplanned: [(day: Int, activity: DayPlan.Unplanned)] = []

    private static let unplannedLimit = 256

    package init(_ wearer: Wearer, at time: CivilDateTime = CivilDateTime(secondsSince1970: 0)) {
        plan = DayPlanner(wearer: wearer).plan(of: Int(time.secondsSince1970 / 86_400))
    }

    /// Changes the plan: the person walks from a time on. Returns `false`, without a change, if
    /// they move already, and in the last minute of a day.
    @discardableResult
    mutating func walk(from time: CivilDateTime, minutes: Int) -> Bool {
        let second = turn(to: time)
        return add(.walk(second: second, minutes: minutes))
    }

    /// Changes the plan: the person sleeps from the next minute on. Returns `false`, without a
    /// change, if they sleep already, or would sleep until bedtime or midnight.
    @discardableResult
    mutating func fallAsleep(at time: CivilDateTime, minutes: Int) -> Bool {
        let second = turn(to: time)
        return add(.nap(minute: second / 60 + 1, minutes: minutes))
    }

    private mutating func add(_ activity: DayPlan.Unplanned) -> Bool {
        guard let changed = plan.adding(activity) else { return false }
        if unplanned.count >= Self.unplannedLimit { unplanned.removeFirst() }
        unplanned.append((plan.day, activity))
        plan = changed
        return true
    }

    package mutating func state(at time: CivilDateTime) -> BodyState {
        let second = turn(to: time)
        return BodyState(plan, second: second)
    }

    /// The movement between two times; none if the second time is not later.
    package mutating func movement(from start: CivilDateTime, to end: CivilDateTime) -> Movement {
        guard start < end else { return .none }
        var from = turn(to: start)
        var days = Int(end.secondsSince1970 / 86_400) - plan.day
        let to = Int(end.secondsSince1970 % 86_400)
        var movement = Movement.none
        while days > 0 {
            movement = movement + moved(from: from, to: DayPlan.seconds)
            from = 0
            days -= 1
            turn(toDay: plan.day + 1)
        }
        return movement + moved(from: from, to: to)
    }

    /// The walks, runs and rides of a day, in order.
    package mutating func exertions(on date: CivilDate) -> [Exertion] {
        turn(toDay: Int(date.daysSince1970))
        return plan.bouts.map {
            Exertion(
                activity: $0.activity, start: moment($0.start), minutes: $0.minutes)
        }
    }

    /// The nights before and after a day, and its naps in order.
    mutating func sleeps(around time: CivilDateTime) -> [SleepSpan] {
        _ = turn(to: time)
        return [span(plan.night), span(plan.nextNight)] + plan.naps.map { span($0, isNap: true) }
    }

    private func moved(from: Int, to: Int) -> Movement {
        guard from < to else { return .none }
        let whole = plan.movement(until: to)
        return from == 0 ? whole : whole - plan.movement(until: from)
    }

    private func span(_ sleep: PlannedSleep, isNap: Bool = false) -> SleepSpan {
        SleepSpan(start: moment(sleep.start * 60), stages: sleep.stages, isNap: isNap)
    }

    /// The time of a second of the planned day; negative seconds are before its midnight.
    private func moment(_ second: Int) -> CivilDateTime {
        let sum = Int64(plan.day) * 86_400 + Int64(second)
        return CivilDateTime(secondsSince1970: UInt32(clamping: sum))
    }

    /// Plans the day of a time, and returns the second of that day.
    private mutating func turn(to time: CivilDateTime) -> Int {
        turn(toDay: Int(time.secondsSince1970 / 86_400))
        return Int(time.secondsSince1970 % 86_400)
    }

    private mutating func turn(toDay day: Int) {
        guard day != plan.day else { return }
        let known = day == plan.day + 1 ? plan.nextNight.moved(by: -DayPlan.minutes) : nil
        plan = DayPlanner(wearer: plan.wearer).plan(of: day, night: known)
        for change in unplanned where change.day == day {
            plan = plan.adding(change.activity) ?? plan
        }
    }
}

extension BodyClock {
    /// The reading of an accelerometer on the hand.
    ///
    /// It is gravity along an axis that changes after some minutes, plus the hand's movement:
    /// almost zero asleep, and at times a tenth of gravity while up. With every second step comes a
    /// swing, of about a third of gravity walking and more than gravity running.
    package mutating func acceleration(
        at time: CivilDateTime, milliseconds: Int = 0
    ) -> (x: Int, y: Int, z: Int) {
        let state = state(at: time)
        let milliseconds = milliseconds.limited(to: 0...999)
        let second = Int64(time.secondsSince1970)
        let place = second * 1000 + Int64(milliseconds)
        let pull = pull(second, asleep: state.activity == .asleep)
        let swing = swing(state, place)
        let shiver = Self.shiver(state.activity)
        func reading(_ axis: Int) -> Int {
            let drawn = noise.number(.shiver, place * 4 + Int64(axis), in: -shiver...shiver)
            return pull[axis] + swing / (axis + 1) + drawn
        }
        return (reading(0), reading(1), reading(2))
    }

    /// Directions of integer length, so that gravity is equally strong along each.
    private static let directions = [[0, 0, 1], [2, 3, 6], [1, 2, 2], [4, 4, 7], [2, 6, 9]]
    private static let lengths = [1, 7, 3, 9, 11]

    private func pull(_ second: Int64, asleep: Bool) -> [Int] {
        let place = second / (asleep ? 1500 : 90)
        let bits = noise.bits(.posture, place * 2 + (asleep ? 1 : 0))
        let index = Int(bits % 5)
        let turn = Int(bits >> 8 % 3)
        return (0..<3).map { axis in
            let part = Self.directions[index][(axis + turn) % 3]
            let sign = bits >> UInt64(16 + axis) & 1 == 0 ? 1 : -1
            return sign * part * 1000 / Self.lengths[index]
        }
    }

    private func swing(_ state: BodyState, _ millisecond: Int64) -> Int {
        guard state.stepsPerMinute > 0 else { return 0 }
        let period = 120_000 / state.stepsPerMinute
        let size = state.activity == .running ? 1400 : 350
        return size * Wave.value(at: Int(millisecond % Int64(period)), of: period) / 1024
    }

    private static func shiver(_ activity: BodyActivity) -> Int {
        switch activity {
        case .asleep: 4
        case .resting: 30
        case .walking: 100
        case .running: 250
        case .cycling: 120
        }
    }
}

extension BodyClock {
    package mutating func beatMilliseconds(at time: CivilDateTime) -> UInt16 {
        UInt16(clamping: (beatMicroseconds(time, microseconds: 0) + 500) / 1000)
    }

    mutating func beatMicroseconds(_ start: CivilDateTime, microseconds: Int64) -> Int64 {
        let moment = Int64(start.secondsSince1970) * 1_000_000 + microseconds
        let second = UInt32(clamping: moment / 1_000_000)
        let state = state(at: CivilDateTime(secondsSince1970: second))
        let size = Int(state.variabilityMilliseconds) * 1000
        let drawn = noise.number(.beat, moment / 1000, in: -size...size)
        let breath = size * 55 / 100 * Wave.value(at: Int(moment / 1000 % 4100), of: 4100) / 1024
        let interval = state.meanBeatMicroseconds + Int64(drawn) + Int64(breath)
        return interval.limited(to: 240_000...2_500_000)
    }
}

extension Wearer {
    package func state(at time: CivilDateTime) -> BodyState {
        var clock = BodyClock(self, at: time)
        return clock.state(at: time)
    }
}
