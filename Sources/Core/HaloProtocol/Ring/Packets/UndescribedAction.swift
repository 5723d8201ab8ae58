/// The first byte of a setting's reply to neither a read nor a write.
///
/// The meaning of such a reply is not described; the other bytes are kept, too.
@frozen
public struct UndescribedAction: Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable @inline(__always)
    init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
