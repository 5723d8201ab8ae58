/// The speed of a replay.
public struct ReplayTiming: Hashable, Sendable {
    /// The factor by which recorded times are multiplied.
    package let factor: Double

    package static let largestFactor: Double = 1_000

    /// The recorded times.
    public static let recorded = ReplayTiming(factor: 1)
    /// No pauses.
    public static let immediate = ReplayTiming(factor: 0)

    /// Returns recorded times multiplied by a factor: slower above 1, faster below. The factor is
    /// clamped to 0...1000; NaN counts as 1.
    public static func scaled(by factor: Double) -> ReplayTiming {
        ReplayTiming(factor: factor.isNaN ? 1 : min(max(factor, 0), largestFactor))
    }

    package func microseconds(_ recorded: Int64) -> Int64 {
        let recorded = max(recorded, 0)
        if factor == 1 { return recorded }
        return Int64(exactly: (Double(recorded) * factor).rounded()) ?? .max
    }
}
