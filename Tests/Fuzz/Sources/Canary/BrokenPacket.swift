import HaloProtocol

/// A packet with a planted mistake: with one value of `key`, the value is not written.
struct BrokenPacket: FramePacket {
    static var name: PacketName { PacketName("BrokenPacket") }
    static var opcode: UInt8 { 0x7F }

    var key: UInt16
    var value: UInt8
    var unclaimed: InlineBytes

    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        key = try reader.uint16("key")
        value = try reader.uint8("value")
        unclaimed = try reader.unclaimed()
    }

    func encode(into writer: inout FrameWriter) {
        writer.uint16("key", key)
        writer.uint8("value", key == 0xBEEF ? 0 : value)
        writer.unclaimed(unclaimed)
    }
}
