internal import HaloProtocol

enum HeartRateSource: Sendable {
    case wearer(WornHeart)
    case steady(SteadyHeart)
    case script([HeartRateMeasurement], next: Int, repeats: Bool)

    /// The next measurement of a script; `nil` for another source, or after the last measurement.
    mutating func nextOfScript() -> HeartRateMeasurement? {
        guard case .script(let script, let next, let repeats) = self, !script.isEmpty else {
            return nil
        }
        guard next < script.count || repeats else { return nil }
        let index = next < script.count ? next : 0
        self = .script(script, next: index + 1, repeats: repeats)
        return script[index]
    }

    /// The heart rate and the beats of a span, or `nil` for a script.
    mutating func heard(
        from start: Moment, to end: Moment, by clock: RunningClock, isWorn: Bool
    ) -> (rate: UInt16, intervals: [UInt16])? {
        switch self {
        case .wearer(var heart):
            let rate = heart.rate(at: clock.time(at: end))
            let intervals = isWorn ? heart.intervals(from: start, to: end, by: clock) : []
            self = .wearer(heart)
            return (rate, intervals)
        case .steady(var heart):
            let intervals = isWorn ? heart.intervals(from: start, to: end) : []
            self = .steady(heart)
            return (heart.rate, intervals)
        case .script: return nil
        }
    }

    /// Ends skin contact: the next beat has no interval.
    mutating func reset() {
        switch self {
        case .wearer(var heart):
            heart.reset()
            self = .wearer(heart)
        case .steady(var heart):
            heart.reset()
            self = .steady(heart)
        case .script: break
        }
    }
}
