internal import HaloProtocol

struct DayPlan: Sendable {
    /// Something that a person does now, against the plan.
    enum Unplanned: Hashable, Sendable {
        case walk(second: Int, minutes: Int)
        case nap(minute: Int, minutes: Int)
    }

    let wearer: Wearer
    /// The number of days since 1970-01-01.
    let day: Int
    /// The night that ends this morning.
    let night: PlannedSleep
    /// The night that ends tomorrow morning.
    let nextNight: PlannedSleep
    /// The naps in order; no two adjoin.
    var naps: [PlannedSleep] = []
    /// The walks, runs and rides in order; no two overlap.
    var bouts: [Bout] = []
    /// The spans under stress in minutes, at most two.
    let strains: [Range<Int>]
    /// The minutes at which meals begin.
    let meals: [Int]

    static let minutes = 1440
    static let seconds = 86_400

    func movement(until second: Int) -> Movement {
        guard let index = bouts.lastIndex(where: { $0.start < second }) else { return .none }
        let bout = bouts[index]
        return bout.before + bout.movement(in: second - bout.start, of: wearer)
    }

    /// The current bout, and the bout that ended last before it.
    func bouts(at second: Int) -> (current: Bout?, previous: Bout?) {
        guard let index = bouts.lastIndex(where: { $0.start <= second }) else { return (nil, nil) }
        guard second < bouts[index].end else { return (nil, bouts[index]) }
        return (bouts[index], index > 0 ? bouts[index - 1] : nil)
    }
}

// MARK: - Changes of a plan

extension DayPlan {
    private static let walkingCadence = 108
    private static let walkingEffort = 250

    /// Returns the plan with another activity, or `nil` if that cannot take place.
    ///
    /// What lies before the activity stays as it was, except the last minute of a walk that a nap
    /// ends. What it would meet later is left out.
    func adding(_ activity: Unplanned) -> DayPlan? {
        switch activity {
        case .walk(let second, let minutes):
            let walk = Bout(
                start: second, minutes: min(minutes, (Self.seconds - second) / 60),
                activity: .walking, cadence: Self.walkingCadence, effort: Self.walkingEffort,
                place: Int64(day) &* 100_000 &+ Int64(second))
            // A walk does not interrupt a run: who moves already goes on.
            guard walk.minutes > 0, bouts(at: second).current == nil else { return nil }
            let others = bouts.filter { $0.end <= second || $0.start > walk.end }
            return with(others + [walk], naps)
        case .nap(let minute, let minutes):
            let nap = PlannedSleep(
                start: minute,
                stages: [SleepSpan.Stretch(.light, minutes: minutes)])
            // A nap does not interrupt a night, and who sleeps already sleeps on.
            let isAsleep = naps.contains { $0.start < minute && $0.end >= minute }
            guard nap.end < min(Self.minutes, nextNight.start), minute > night.end, !isAsleep else {
                return nil
            }
            let before = bouts.filter { $0.start < minute * 60 }.map { $0.ending(by: minute * 60) }
            let after = bouts.filter { $0.start > nap.end * 60 }
            let others = naps.filter { $0.end < minute || $0.start > nap.end }
            return with(before + after, others + [nap])
        }
    }

    /// Returns the plan with other walks, runs, rides and naps.
    func with(_ bouts: [Bout], _ naps: [PlannedSleep]) -> DayPlan {
        var total = Movement.none
        var plan = self
        plan.naps = naps.sorted { $0.start < $1.start }
        plan.bouts = bouts.sorted { $0.start < $1.start }.map { bout in
            var bout = bout
            bout.before = total
            total = total + bout.movement(in: bout.seconds, of: wearer)
            return bout
        }
        return plan
    }
}
