/// No fields: what answers a write where captures show an empty answer, or none is known.
@frozen
public struct NoFields: FrameFields {
    /// Nothing.
    @inlinable @inline(__always)
    public init() {}

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {}

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {}
}
