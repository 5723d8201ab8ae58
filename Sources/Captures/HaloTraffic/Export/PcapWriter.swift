/// Writes pcap files with H4 packets and their direction. The direction is big-endian; all other
/// numbers are little-endian.
///
///     A1B2C3D4 | version 2.4 | 0 | 0 | longest packet | link type 201
///     seconds | microseconds | length kept | length | direction | type, packet
enum PcapWriter {
    /// Bluetooth HCI H4 with a big-endian direction of four bytes before each packet.
    static let linkType: UInt16 = 201

    static func putFileHeader(_ bytes: inout [UInt8]) {
        bytes.putLittle(0xA1B2_C3D4 as UInt32)
        bytes.putLittle(2 as UInt16)
        bytes.putLittle(4 as UInt16)
        bytes.putLittle(0 as UInt64)
        bytes.putLittle(262_144 as UInt32)
        bytes.putLittle(UInt32(linkType))
    }

    static func put(_ record: HCIRecord, _ packet: [UInt8], into bytes: inout [UInt8]) {
        let time = UInt64(max(record.time, 0))
        bytes.putLittle(UInt32(truncatingIfNeeded: time / 1_000_000))
        bytes.putLittle(UInt32(truncatingIfNeeded: time % 1_000_000))
        let length = UInt32(truncatingIfNeeded: length(packet))
        bytes.putLittle(length)
        bytes.putLittle(length)
        putDirected(record, packet, into: &bytes)
    }

    /// The length of a packet with its direction and its type, in bytes.
    static func length(_ packet: [UInt8]) -> Int { packet.count + 5 }

    /// Appends the direction (0 for packets of the host), the type, and the packet.
    static func putDirected(_ record: HCIRecord, _ packet: [UInt8], into bytes: inout [UInt8]) {
        bytes.putBig(record.isSent ? 0 : 1 as UInt32)
        bytes.append(record.type.rawValue)
        bytes += packet
    }
}
