/// A reply without known fields: an acknowledgement, or bytes of an unknown layout.
///
///     ← op …
@frozen
public struct PlainReply<Owner: Command>: ReplyPacket {
    /// The bytes after the opcode, at most fourteen, without trailing zeros.
    public let unclaimed: InlineBytes

    @inlinable @inline(__always)
    public init() {
        unclaimed = InlineBytes()
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
