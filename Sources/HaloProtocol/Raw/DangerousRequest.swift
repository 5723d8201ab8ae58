/// The bytes of a ``DangerousCommand`` whose layout is not known.
public struct DangerousRequest<Owner: DangerousCommand>: RequestPacket {
    /// All that follows the opcode, without the zeros at the end: up to fourteen bytes.
    public let unclaimed: InlineBytes

    /// Up to fourteen bytes, from a caller who knows what they do to the ring.
    public init(knowinglySending bytes: InlineBytes) throws(ValueError) {
        guard bytes.count <= Frame.payloadLength else {
            throw ValueError(
                "unclaimed", allowed: 0...Int64(Frame.payloadLength), found: Int64(bytes.count))
        }
        unclaimed = bytes.trimmingZeros
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
