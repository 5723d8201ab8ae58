internal import HaloProtocol

enum LinkPackets {
    /// Receives a packet of a link type.
    ///
    /// - Parameter direction: The direction of the packet by the file, or `nil` if it has none.
    static func receive(
        _ type: LinkType, _ packet: Span<UInt8>, _ direction: HCIDirection?, adapter: UInt16,
        at position: FilePosition, into sink: inout some RecordSink
    ) {
        switch type {
        case .uart:
            receiveUART(packet, direction, adapter: adapter, at: position, into: &sink)
        case .uartWithDirection:
            guard packet.count >= 4 else { return sink.note(.shortPacket, at: position) }
            let rest = packet.extracting(4..<packet.count)
            let isReceived = packet.uint32(at: 0, .big) & 1 == 1
            receiveUART(
                rest, isReceived ? .toHost : .toController, adapter: adapter, at: position,
                into: &sink)
        case .monitor:
            guard packet.count >= 4 else { return sink.note(.shortPacket, at: position) }
            let kind = RecordKind.monitor(
                opcode: packet.uint16(at: 2, .big), adapter: packet.uint16(at: 0, .big))
            sink.receive(kind, packet.extracting(4..<packet.count), at: position)
        case .air:
            AirPackets.receive(packet, AirReception(), at: position, into: &sink)
        case .airWithHeader:
            AirPackets.receiveWithHeader(packet, at: position, into: &sink)
        case .nordic:
            NordicPackets.receive(packet, at: position, into: &sink)
        case .perPacketInformation:
            PPIPackets.receive(packet, at: position, into: &sink)
        }
    }

    /// Receives a packet with its type in the first byte.
    ///
    /// Commands and events have a fixed direction, which overrides that of the file.
    static func receiveUART(
        _ packet: Span<UInt8>, _ direction: HCIDirection?, adapter: UInt16,
        at position: FilePosition, into sink: inout some RecordSink
    ) {
        guard !packet.isEmpty else { return sink.note(.shortPacket, at: position) }
        guard let type = HCIPacketType(rawValue: packet[0]) else {
            return sink.note(.unknownPacket, at: position)
        }
        let way: HCIDirection? =
            switch type {
            case .command: .toController
            case .event: .toHost
            case .acl, .synchronous, .isochronous: direction
            }
        let rest = packet.extracting(1..<packet.count)
        sink.receive(.hci(type, way, adapter: adapter), rest, at: position)
    }
}

/// Parses packets of Nordic's nRF Sniffer, in the versions 1 to 3 of its protocol.
///
/// All numbers are little-endian. The layout is the one that Nordic gave to tcpdump.org and
/// Wireshark (LINKTYPE_NORDIC_BLE):
///
///     version 1  board · length of this part: 6 · length · version · number, 16 bits · type
///     since 2    board · length, 16 bits · version · number, 16 bits · type
///     packet     length of this part: 10 · flags · channel · −dBm · event, 16 bits · 32 bits
///                packet from the access address to the CRC
///
/// Packets in the air have type 06, in version 3 those of advertising 02; the other types are
/// messages between the sniffer and its host.
private enum NordicPackets {
    private static let headerLength = 7
    private static let partLength = 10

    static func receive(
        _ packet: Span<UInt8>, at position: FilePosition, into sink: inout some RecordSink
    ) {
        guard packet.count >= headerLength else { return sink.note(.shortPacket, at: position) }
        let version = packet[3]
        guard (1...3).contains(version) else { return sink.note(.unknownPacket, at: position) }
        let isAdvertising = version == 3 && packet[6] == 0x02
        // Programs that write such files leave out the type of the first two versions.
        let hasNoType = version < 3 && packet[6] == 0
        guard isAdvertising || hasNoType || packet[6] == 0x06 else { return }
        guard packet.count >= headerLength + partLength, packet[headerLength] == partLength else {
            return sink.note(.shortPacket, at: position)
        }
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
        AirPackets.receive(rest, reception, isCoded: isCoded, at: position, into: &sink)
    }
}
