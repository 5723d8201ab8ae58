/// A request that says all with its opcode.
public struct PlainRequest<Owner: Command>: RequestPacket {
    /// What follows the opcode; apps differ, rings do not care.
    public let unclaimed: InlineBytes

    /// A request without anything behind its opcode.
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
