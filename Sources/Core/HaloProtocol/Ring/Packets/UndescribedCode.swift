/// The first byte of a frame whose other bytes are not described, and are kept as `unclaimed`.
///
/// Only a decoder creates one, so that it is never a code with fields.
@frozen
public struct UndescribedCode: Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable @inline(__always)
    init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
