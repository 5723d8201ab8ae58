import HaloProtocol

/// Takes packets of a host and its controller apart.
enum LinkPackets {
    /// Takes a packet of a link type.
    ///
    /// - Parameter direction: What the file says of it beside the packet, if it does.
    static func take(
        _ type: LinkType, _ packet: Span<UInt8>, _ direction: HCIDirection?, adapter: UInt16,
        at place: RecordPlace, into sink: inout some RecordSink
    ) {
        switch type {
        case .uart:
            takeUART(packet, direction, adapter: adapter, at: place, into: &sink)
        case .uartWithDirection:
            guard packet.count >= 4 else { return sink.note(.shortPacket, at: place) }
            let rest = packet.extracting(4..<packet.count)
            let isReceived = packet.uint32(at: 0, .big) & 1 == 1
            takeUART(
                rest, isReceived ? .toHost : .toController, adapter: adapter, at: place,
                into: &sink)
        case .monitor:
            guard packet.count >= 4 else { return sink.note(.shortPacket, at: place) }
            let kind = RecordKind.monitor(
                opcode: packet.uint16(at: 2, .big), adapter: packet.uint16(at: 0, .big))
            sink.take(kind, packet.extracting(4..<packet.count), at: place)
        case .air:
            AirPackets.take(packet, AirReception(), at: place, into: &sink)
        case .airWithHeader:
            AirPackets.takeWithHeader(packet, at: place, into: &sink)
        case .nordic:
            NordicPackets.take(packet, at: place, into: &sink)
        }
    }

    /// Takes a packet behind the byte that says what it is.
    ///
    /// Commands go one way and events the other, whatever the file says.
    static func takeUART(
        _ packet: Span<UInt8>, _ direction: HCIDirection?, adapter: UInt16, at place: RecordPlace,
        into sink: inout some RecordSink
    ) {
        guard !packet.isEmpty else { return sink.note(.shortPacket, at: place) }
        guard let type = HCIPacketType(rawValue: packet[0]) else {
            return sink.note(.unknownPacket, at: place)
        }
        let way: HCIDirection? =
            switch type {
            case .command: .toController
            case .event: .toHost
            case .acl, .synchronous, .isochronous: direction
            }
        let rest = packet.extracting(1..<packet.count)
        sink.take(.hci(type, way, adapter: adapter), rest, at: place)
    }
}

/// What the packets of a pcap or pcapng file are: a number out of tcpdump.org's list of link types.
enum LinkType: UInt32, Hashable, Sendable, CaseIterable {
    /// Packets of a UART (H4), behind the byte that tells their type.
    case uart = 187
    /// The same behind four bytes that tell the direction.
    case uartWithDirection = 201
    /// Packets of the link layer, as they were in the air.
    case air = 251
    /// What Linux tells its monitors, behind four bytes that say what it is.
    case monitor = 254
    /// Packets of the link layer behind ten bytes that say how they were received.
    case airWithHeader = 256
    /// What Nordic's nRF Sniffer tells.
    case nordic = 272

    /// The link type of a field that says more in its highest bits: whether packets end with a
    /// checksum, and how long that is, which no packets of Bluetooth have.
    init?(field: UInt32) {
        self.init(rawValue: field & 0x03FF_FFFF)
    }
}
