internal import HaloProtocol

/// Where a virtual heart-rate sensor has its values from.
enum HeartRateSource: Sendable {
    /// A heart that always beats at one rate.
    case steady(UInt16)
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
}
