/// Parses packets with CACE's per-packet information (PPI), as Ubertooth writes them.
///
/// All numbers are little-endian. Described by CACE's "Per-Packet Information Header
/// Specification" and by tcpdump.org (LINKTYPE_PPI):
///
///     packet  version: 00 · flags · length of all before the content, 16 bits
///             link type of the content, 32 bits · fields · content
///     field   type, 16 bits · length, 16 bits · value [padding to 4 bytes, if flag 01 is set]
///
/// Ubertooth had no link type of its own at first: its packets have 147, for private use, and a
/// field of type 30006 (seen in the test files of crackle). Packets of the link layer have 251 or
/// 256. The strength in Ubertooth's field is that of its receiver, not in dBm, and is left out.
enum PPIPackets {
    private static let headerLength = 8

    static func receive(
        _ packet: Span<UInt8>, at position: FilePosition, into sink: inout some RecordSink
    ) {
        guard packet.count >= headerLength else { return sink.note(.shortPacket, at: position) }
        let length = Int(packet.uint16(at: 2, .little))
        guard packet[0] == 0 else { return sink.note(.unknownPacket, at: position) }
        guard length >= headerLength, length <= packet.count else {
            return sink.note(.shortPacket, at: position)
        }
        let content = packet.extracting(length..<packet.count)
        let type = packet.uint32(at: 4, .little)
        if type == LinkType.airWithHeader.rawValue {
            AirPackets.receiveWithHeader(content, at: position, into: &sink)
        } else if type == LinkType.air.rawValue
            || type == 147 && hasField(30006, packet.extracting(0..<length))
        {
            AirPackets.receive(content, AirReception(), at: position, into: &sink)
        } else {
            sink.note(.unknownPacket, at: position)
        }
    }

    private static func hasField(_ type: UInt16, _ header: Span<UInt8>) -> Bool {
        let isPadded = header[1] & 0x01 != 0
        var offset = headerLength
        while offset <= header.count - 4 {
            if header.uint16(at: offset, .little) == type { return true }
            let length = Int(header.uint16(at: offset + 2, .little))
            offset += 4 + (isPadded ? (length + 3) & ~3 : length)
        }
        return false
    }
}
