/// What looks wrong in a file of traffic, how often, and where first.
public struct TrafficFinding: Hashable, Sendable {
    /// What looks wrong.
    public let oddity: TrafficOddity
    /// How often.
    public internal(set) var count: Int
    /// The record where it was seen first, counted from 1.
    public let firstRecord: Int
    /// Where in the file that record begins, in bytes.
    public let firstOffset: Int
}
