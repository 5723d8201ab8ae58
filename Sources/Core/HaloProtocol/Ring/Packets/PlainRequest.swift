/// A request without known fields: only an opcode, or bytes of an unknown layout.
@frozen
public struct PlainRequest<Owner: Command>: RequestPacket {
    /// The bytes after the opcode, at most fourteen, without trailing zeros.
    public let unclaimed: InlineBytes

    @inlinable @inline(__always)
    public init() {
        unclaimed = InlineBytes()
    }

    /// Creates a request of up to fourteen bytes; zeros follow.
    public init(_ bytes: InlineBytes) throws(ValueError) {
        try ValueError.check("unclaimed", bytes.count, in: 0...Frame.payloadLength)
        unclaimed = bytes.trimmingZeros
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
