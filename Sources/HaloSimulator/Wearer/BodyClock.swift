public import HaloProtocol

/// A wearer met moment after moment: it keeps the plan of the day asked about last.
///
/// The answers are those of ``Wearer``, in any order; they come fast while questions stay within
/// a day or go on to the next.
public struct BodyClock: Sendable {
    /// The person.
    public let wearer: Wearer

    let noise: SeededNoise
    private var plan: DayPlan

    /// A person, with the plan of the day of a moment.
    public init(_ wearer: Wearer, at time: CivilDateTime = CivilDateTime(secondsSince1970: 0)) {
        self.wearer = wearer
        noise = SeededNoise(seed: wearer.seed)
        plan = DayPlanner(wearer).plan(of: Int(time.secondsSince1970 / 86_400))
    }

    /// How the person is at a moment.
    public mutating func state(at time: CivilDateTime) -> BodyState {
        let second = turn(to: time)
        return Body(wearer, plan, noise, second: second).state
    }

    /// The heart rate alone, in sixteenths of a beat per minute.
    mutating func heartRate16(at time: CivilDateTime) -> Int {
        let second = turn(to: time)
        return Body(wearer, plan, noise, second: second).heartRate16
    }

    /// How far the person moved between two moments; nothing if the second is not later.
    public mutating func movement(from start: CivilDateTime, to end: CivilDateTime) -> Movement {
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

    /// The movement since midnight.
    public mutating func movement(until time: CivilDateTime) -> Movement {
        movement(from: CivilDateTime(time.date), to: time)
    }

    /// The night that ends on a day.
    public mutating func night(endingOn date: CivilDate) -> SleepSpan {
        turn(toDay: Int(date.daysSince1970))
        return span(plan.night)
    }

    /// The nap of a day, if there is one.
    public mutating func nap(on date: CivilDate) -> SleepSpan? {
        turn(toDay: Int(date.daysSince1970))
        return plan.nap.map(span)
    }

    /// The walks, runs and rides of a day, in order.
    public mutating func exertions(on date: CivilDate) -> [Exertion] {
        turn(toDay: Int(date.daysSince1970))
        return plan.bouts.map {
            Exertion(
                activity: $0.activity, start: moment($0.start), minutes: $0.minutes)
        }
    }

    /// The walk, run or ride that goes on at a moment, or the next one within two days; nothing for
    /// whom none is near.
    public mutating func exertion(from time: CivilDateTime) -> Exertion? {
        var date: CivilDate? = time.date
        for _ in 0..<3 {
            guard let day = date else { return nil }
            if let exertion = exertions(on: day).first(where: { $0.end > time }) {
                return exertion
            }
            date = day.advanced(byDays: 1)
        }
        return nil
    }

    /// The nights and the nap that lie around a moment.
    mutating func sleeps(around time: CivilDateTime) -> [PendingSleep] {
        _ = turn(to: time)
        let tomorrow = PlannedSleep(
            start: plan.nextNight.start + DayPlan.minutes, stages: plan.nextNight.stages)
        return [
            PendingSleep(span: span(plan.night), isNap: false),
            PendingSleep(span: span(tomorrow), isNap: false),
        ] + (plan.nap.map { [PendingSleep(span: span($0), isNap: true)] } ?? [])
    }

    private func moved(from: Int, to: Int) -> Movement {
        guard from < to else { return .none }
        let whole = plan.movement(until: to, of: wearer, noise)
        return from == 0 ? whole : whole - plan.movement(until: from, of: wearer, noise)
    }

    private func span(_ sleep: PlannedSleep) -> SleepSpan {
        SleepSpan(start: moment(sleep.start * 60), stages: sleep.stages)
    }

    /// A second of the day that is planned, which may lie before its midnight.
    private func moment(_ second: Int) -> CivilDateTime {
        let sum = Int64(plan.day) * 86_400 + Int64(second)
        return CivilDateTime(secondsSince1970: UInt32(clamping: sum))
    }

    /// Plans the day of a moment, and says the second of that day.
    private mutating func turn(to time: CivilDateTime) -> Int {
        turn(toDay: Int(time.secondsSince1970 / 86_400))
        return Int(time.secondsSince1970 % 86_400)
    }

    private mutating func turn(toDay day: Int) {
        guard day != plan.day else { return }
        let known = day == plan.day + 1 ? plan.nextNight : nil
        plan = DayPlanner(wearer).plan(of: day, night: known)
    }
}

extension Wearer {
    /// How the person is at a moment.
    public func state(at time: CivilDateTime) -> BodyState {
        var clock = BodyClock(self, at: time)
        return clock.state(at: time)
    }

    /// The night that ends on a day.
    public func night(endingOn date: CivilDate) -> SleepSpan {
        var clock = BodyClock(self, at: CivilDateTime(date))
        return clock.night(endingOn: date)
    }

    /// The nap of a day, if there is one.
    public func nap(on date: CivilDate) -> SleepSpan? {
        var clock = BodyClock(self, at: CivilDateTime(date))
        return clock.nap(on: date)
    }

    /// How far the person moves between two moments; nothing if the second is not later.
    public func movement(from start: CivilDateTime, to end: CivilDateTime) -> Movement {
        var clock = BodyClock(self, at: start)
        return clock.movement(from: start, to: end)
    }
}
