import HaloProtocol

/// Takes apart what Nordic's nRF Sniffer tells, in the versions 1 to 3 of its protocol.
///
/// All numbers are little-endian. The layout is the one that Nordic gave to tcpdump.org and
/// Wireshark (LINKTYPE_NORDIC_BLE):
///
///     version 1  board · length of this part: 6 · length · version · number, 16 bits · what it is
///     since 2    board · length, 16 bits · version · number, 16 bits · what it is
///     packet     length of this part: 10 · flags · channel · −dBm · event, 16 bits · 32 bits
///                packet from the access address to the CRC
///
/// What is heard are packets (06), in version 3 also of advertising (02); the rest is talk between
/// the sniffer and its host.
enum NordicPackets {
    private static let headerLength = 7
    private static let partLength = 10

    static func take(
        _ packet: Span<UInt8>, at place: RecordPlace, into sink: inout some RecordSink
    ) {
        guard packet.count >= headerLength else { return sink.note(.shortPacket, at: place) }
        let version = packet[3]
        guard (1...3).contains(version) else { return sink.note(.unknownPacket, at: place) }
        let isAdvertising = version == 3 && packet[6] == 0x02
        guard isAdvertising || packet[6] == 0x06 else { return }
        guard packet.count > headerLength, packet[headerLength] == partLength,
            packet.count >= headerLength + partLength
        else { return sink.note(.shortPacket, at: place) }
        let flags = packet[8]
        let magnitude = Int8(clamping: packet[10])
        var reception = AirReception(strength: -magnitude, isIntact: flags & 0x01 != 0)
        if !isAdvertising {
            reception.direction = flags & 0x02 != 0 ? .toDevice : .fromDevice
            let isEncrypted = flags & 0x04 != 0
            reception.isDecrypted = isEncrypted && flags & 0x08 != 0
        }
        let isCoded = flags >> 4 & 0x07 == 2
        let rest = packet.extracting(headerLength + partLength..<packet.count)
        AirPackets.take(rest, reception, isCoded: isCoded, at: place, into: &sink)
    }
}
