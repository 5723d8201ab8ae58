/// A group of fields that is repeated in a packet.
protocol ByteFields {
    /// The number of bytes of the shortest group.
    static var leastLength: Int { get }
    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}
