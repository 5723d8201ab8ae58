/// An irregularity in a file of traffic, with its count and its first record.
public struct TrafficFinding: Hashable, Sendable {
    package let oddity: TrafficOddity
    /// The number of occurrences.
    public internal(set) var count: Int
    /// The number of the first record with it, counted from 1.
    package let firstRecord: Int
    package let firstOffset: Int

    /// The irregularity in words.
    public var reason: String { oddity.description }
}
