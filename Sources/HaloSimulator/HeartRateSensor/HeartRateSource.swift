internal import HaloProtocol

/// Where a virtual heart-rate sensor has its values from.
enum HeartRateSource: Sendable {
    /// A person's heart.
    case wearer(WornHeart)
    /// A heart that always beats at one rate.
    case steady(SteadyHeart)
    /// Measurements that were written down before.
    case script([HeartRateMeasurement], next: Int, repeats: Bool)

    /// The next measurement of a script, if it is one and goes on.
    mutating func nextOfScript() -> HeartRateMeasurement? {
        guard case .script(let script, let next, let repeats) = self, !script.isEmpty else {
            return nil
        }
        guard next < script.count || repeats else { return nil }
        let index = next < script.count ? next : 0
        self = .script(script, next: index + 1, repeats: repeats)
        return script[index]
    }

    /// What a heart does in a span; nothing if it is a script.
    mutating func heard(
        from start: Moment, to end: Moment, by clock: SensorClock, isWorn: Bool
    ) -> (rate: UInt16, intervals: [UInt16])? {
        switch self {
        case .wearer(var heart):
            let rate = heart.rate(at: clock.second(of: end).time)
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

    /// Nothing is heard any more: the next beat has none before it.
    mutating func lose() {
        switch self {
        case .wearer(var heart):
            heart.lose()
            self = .wearer(heart)
        case .steady(var heart):
            heart.lose()
            self = .steady(heart)
        case .script: break
        }
    }
}
