import HaloTransport

/// A body that has nothing to do with the one that was measured.
///
/// Each quantity wanders through its range by small steps, and no value depends on one that was
/// measured.
struct SeededBody: Sendable {
    private var current: [BodySample: UInt64] = [:]

    /// The next value of a quantity.
    mutating func next(_ sample: BodySample, _ random: inout SplitMix) -> UInt64 {
        let range = sample.range
        guard let step = sample.step, let last = current[sample] else {
            let value = random.remainder(in: range)
            current[sample] = value
            return value
        }
        let least = last > range.lowerBound &+ step ? last &- step : range.lowerBound
        let most = min(last &+ step, range.upperBound)
        let value = random.remainder(in: least...max(least, most))
        current[sample] = value
        return value
    }
}

extension SplitMix {
    /// A byte that is not zero.
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: remainder(in: 1...255)) }
}
