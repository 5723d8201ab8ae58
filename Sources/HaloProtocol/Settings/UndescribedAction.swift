/// The first byte of a setting's answer, where it is neither that of a read nor of a write.
///
/// What such an answer means nobody has described; its other bytes are kept beside it.
@frozen
public struct UndescribedAction: Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    @inlinable @inline(__always)
    init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
