import HaloProtocol

/// A packet with a planted mistake: with one value of `key`, the value is not written.
struct BrokenPacket: FramePacket {
    static var name: PacketName { PacketName("BrokenPacket") }
    static var opcode: UInt8 { 0x7F }

    var key: UInt16
    var value: UInt8
    var unclaimed: InlineBytes

    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        key = try io.uint16("key", packet?.key, .open)
        value = try io.uint8("value", packet?.key == 0xBEEF ? 0 : packet?.value, .open)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
