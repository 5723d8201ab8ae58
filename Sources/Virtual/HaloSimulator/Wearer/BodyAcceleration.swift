/// The reading of an accelerometer on the hand, in thousandths of gravity.
package struct BodyAcceleration: Hashable, Sendable {
    /// The acceleration along the first axis.
    package let x: Int
    /// The acceleration along the second axis.
    package let y: Int
    /// The acceleration along the third axis.
    package let z: Int
}
