/// An answer that says nothing but that the request arrived.
///
///     ← op 00 …
public struct Acknowledgement<Owner: Command>: ReplyPacket {
    /// What follows the opcode; kept, where a ring says more than is known.
    public let unclaimed: InlineBytes

    /// An empty answer.
    @inlinable @inline(__always)
    public init() {
        unclaimed = InlineBytes()
    }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        unclaimed = try reader.unclaimed()
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        writer.unclaimed(unclaimed)
    }
}
