internal import HaloProtocol

/// Parses packets of the link layer, as sniffers write them.
///
/// All numbers are little-endian. Described by tcpdump.org as LINKTYPE_BLUETOOTH_LE_LL and
/// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR:
///
///     header  channel · signal in dBm · noise in dBm · wrong bits of the access address
///             expected access address, 32 bits · flags, 16 bits
///     flags   0001 readable · 0002 has a signal · 0008 decrypted · 0380 type · 0400 CRC checked
///             0800 CRC correct · C000 radio: 8000 coded
///     type    0100 to the peripheral · 0180 to the central · from 0200 on isochronous
///     packet  access address, 32 bits · [coding] · header · length · payload · CRC, 24 bits
///
/// The coding byte exists only for packets of the coded radio (LE Coded).
enum AirPackets {
    /// The lengths of the parts of a packet around its payload: access address, header and length,
    /// CRC.
    private static let addressLength = 4
    private static let headerLength = 6
    private static let checksumLength = 3
    /// The access address of all advertising.
    static let advertising: UInt32 = 0x8E89_BED6

    static func receiveWithHeader(
        _ packet: Span<UInt8>, at position: FilePosition, into sink: inout some RecordSink
    ) {
        guard packet.count >= 10 else { return sink.note(.shortPacket, at: position) }
        let flags = packet.uint16(at: 8, .little)
        guard flags & 0x0001 != 0 else { return sink.note(.unknownPacket, at: position) }
        // Isochronous streams have no attributes.
        let type = flags & 0x0380
        guard type < 0x0200 else { return }
        var reception = AirReception(isDecrypted: flags & 0x0008 != 0)
        if flags & 0x0002 != 0 { reception.strength = Int8(bitPattern: packet[1]) }
        if flags & 0x0400 != 0 { reception.isIntact = flags & 0x0800 != 0 }
        if type == 0x0100 { reception.direction = .toDevice }
        if type == 0x0180 { reception.direction = .fromDevice }
        let rest = packet.extracting(10..<packet.count)
        let isCoded = flags & 0xC000 == 0x8000
        receive(rest, reception, isCoded: isCoded, at: position, into: &sink)
    }

    /// Receives a packet from the access address to the CRC.
    static func receive(
        _ packet: Span<UInt8>, _ reception: AirReception, isCoded: Bool = false,
        at position: FilePosition, into sink: inout some RecordSink
    ) {
        if isCoded {
            guard packet.count > addressLength else { return sink.note(.shortPacket, at: position) }
            var joined = packet.withUnsafeBufferPointer { ContiguousArray($0) }
            joined.remove(at: addressLength)
            return receive(joined.span, reception, at: position, into: &sink)
        }
        guard packet.count >= headerLength + checksumLength else {
            return sink.note(.shortPacket, at: position)
        }
        var end = headerLength + Int(packet[5])
        let hasDirectionFinding = packet[4] & 0x20 != 0
        if hasDirectionFinding, packet.uint32(at: 0, .little) != advertising { end += 1 }
        guard end <= packet.count - checksumLength else {
            return sink.note(.shortPacket, at: position)
        }
        sink.receive(.air(reception), packet.extracting(0..<end), at: position)
    }
}
