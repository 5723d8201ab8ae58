/// What an accelerometer on the hand reads, in thousandths of the earth's pull.
public struct BodyAcceleration: Hashable, Sendable {
    /// Along the first axis.
    public let x: Int
    /// Along the second axis.
    public let y: Int
    /// Along the third axis.
    public let z: Int
}
