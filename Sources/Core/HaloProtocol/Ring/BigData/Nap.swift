/// The stages of sleep by day.
///
///     ← 3E count naps…         each as in SleepPeriod; 00 is "none"
///
/// There is no request: newer firmware sends naps with the reply to ``Sleep``, an R12 before it.
public enum Nap: BigDataCommand {
    public static let facts = CommandFacts(0x3E, "Nap", "naps", .captured)

    /// The stored naps.
    public typealias Reply = SleepPeriods<Nap>
}
