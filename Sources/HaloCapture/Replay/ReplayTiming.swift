/// How fast a recording is played.
public struct ReplayTiming: Hashable, Sendable {
    /// What recorded times are multiplied by.
    public let factor: Double

    /// The largest factor.
    public static let largestFactor: Double = 1_000

    private init(factor: Double) {
        self.factor = factor
    }

    /// As fast as it was.
    public static let recorded = ReplayTiming(factor: 1)
    /// Everything at once.
    public static let immediate = ReplayTiming(factor: 0)

    /// So many times slower; a factor below 1 is faster. Below 0 and above ``largestFactor``
    /// there is nothing, and what is no number is 1.
    public static func scaled(by factor: Double) -> ReplayTiming {
        ReplayTiming(factor: factor.isNaN ? 1 : min(max(factor, 0), largestFactor))
    }

    /// A recorded time in microseconds as it is played.
    package func microseconds(_ recorded: Int64) -> Int64 {
        let recorded = max(recorded, 0)
        if factor == 1 { return recorded }
        return Int64(exactly: (Double(recorded) * factor).rounded()) ?? .max
    }
}
