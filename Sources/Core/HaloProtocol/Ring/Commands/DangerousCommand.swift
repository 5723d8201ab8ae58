/// A command that can destroy data or a ring: it decodes, so that logs can name it.
///
/// Sessions and clients of this package send one only if the caller builds its request, and `halo`
/// only with `--dangerous`. The names of the types and of their initialisers warn of it.
public protocol DangerousCommand: RequestCommand {
    /// The request; only bytes if the layout is not known.
    associatedtype Request = DangerousRequest<Self>
}

/// The bytes of a ``DangerousCommand`` whose layout is not known.
public struct DangerousRequest<Owner: DangerousCommand>: RequestPacket {
    /// The bytes after the opcode, without the zeros at the end: up to fourteen.
    public let unclaimed: InlineBytes

    /// Creates a request of up to fourteen bytes; the caller must know their effect on the ring.
    public init(knowinglySending bytes: InlineBytes) throws(ValueError) {
        try ValueError.check("unclaimed", bytes.count, in: 0...Int64(Frame.payloadLength))
        unclaimed = bytes.trimmingZeros
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
