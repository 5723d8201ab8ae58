/// The number of one write of a session; ``RingSession/writeFailed(_:at:)`` refers to it.
public struct WriteNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64
}
