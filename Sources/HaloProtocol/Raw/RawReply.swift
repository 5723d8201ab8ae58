/// The bytes that a ring sends under the opcode of a command whose layout is not known.
public struct RawReply<Owner: Command>: ReplyPacket {
    /// All that follows the opcode, without the zeros at the end: up to fourteen bytes.
    public let unclaimed: InlineBytes

    /// An answer without anything behind its opcode.
    @inlinable @inline(__always)
    public init() {
        unclaimed = InlineBytes()
    }

    /// Up to fourteen bytes; zeros follow.
    public init(_ bytes: InlineBytes) throws(ValueError) {
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
