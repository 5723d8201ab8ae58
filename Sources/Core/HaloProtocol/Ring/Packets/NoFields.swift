/// An empty group of fields: a reply to a write that is empty in captures, or is not known.
@frozen
public struct NoFields: FrameFields {
    @inlinable @inline(__always)
    public init() {}

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {}
}
