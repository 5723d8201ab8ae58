/// The number of a stream within its session.
public struct StreamNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64
}
