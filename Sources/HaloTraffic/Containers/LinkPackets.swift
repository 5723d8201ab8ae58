import HaloProtocol

/// Parses the packets of pcap and pcapng files by their link type.
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

/// The link type of a pcap or pcapng file, as numbered by tcpdump.org.
enum LinkType: UInt32, Hashable, Sendable, CaseIterable {
    /// UART packets (H4), with their type in the first byte.
    case uart = 187
    /// Packets of another link type after CACE's per-packet information.
    case perPacketInformation = 192
    /// UART packets (H4) after four bytes with the direction.
    case uartWithDirection = 201
    /// Packets of the link layer.
    case air = 251
    /// Records of Linux' monitor, after four bytes with their type.
    case monitor = 254
    /// Packets of the link layer after ten bytes of metadata.
    case airWithHeader = 256
    /// Packets of Nordic's nRF Sniffer.
    case nordic = 272

    /// Returns the link type of a field. The highest bits describe a checksum, which Bluetooth
    /// packets do not have, and are ignored.
    init?(field: UInt32) {
        self.init(rawValue: field & 0x03FF_FFFF)
    }
}

/// Parses packets of the link layer, as sniffers write them.
///
/// All numbers are little-endian. Described by tcpdump.org as LINKTYPE_BLUETOOTH_LE_LL and
/// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR:
///
///     header  channel · signal in dBm · noise in dBm · wrong bits of the access address
///             expected access address, 32 bits · flags, 16 bits
///     packet  access address, 32 bits · [coding] · header · length · payload · CRC, 24 bits
///
/// The coding byte exists only for packets of the coded radio (LE Coded).
enum AirPackets {
    /// The lengths of the parts of a packet around its payload: access address, header and length,
    /// CRC.
    private static let addressLength = 4
    private static let headerLength = 6
    private static let checksumLength = 3
    /// The access address of advertisements.
    private static let advertising: UInt32 = 0x8E89_BED6

    /// Bits of the flags.
    private enum Flag {
        static let isReadable: UInt16 = 0x0001
        static let hasSignal: UInt16 = 0x0002
        static let isDecrypted: UInt16 = 0x0008
        static let type: UInt16 = 0x0380
        static let toPeripheral: UInt16 = 0x0100
        static let toCentral: UInt16 = 0x0180
        /// The first packet type of isochronous streams, which have no attributes.
        static let isochronous: UInt16 = 0x0200
        static let isChecked: UInt16 = 0x0400
        static let isIntact: UInt16 = 0x0800
        static let radio: UInt16 = 0xC000
        static let coded: UInt16 = 0x8000
    }

    /// Receives a packet with the header of ten bytes.
    static func receiveWithHeader(
        _ packet: Span<UInt8>, at position: FilePosition, into sink: inout some RecordSink
    ) {
        guard packet.count >= 10 else { return sink.note(.shortPacket, at: position) }
        let flags = packet.uint16(at: 8, .little)
        guard flags & Flag.isReadable != 0 else { return sink.note(.unknownPacket, at: position) }
        guard flags & Flag.type < Flag.isochronous else { return }
        var reception = AirReception(isDecrypted: flags & Flag.isDecrypted != 0)
        if flags & Flag.hasSignal != 0 { reception.strength = Int8(bitPattern: packet[1]) }
        if flags & Flag.isChecked != 0 { reception.isIntact = flags & Flag.isIntact != 0 }
        switch flags & Flag.type {
        case Flag.toPeripheral: reception.direction = .toDevice
        case Flag.toCentral: reception.direction = .fromDevice
        default: break
        }
        let rest = packet.extracting(10..<packet.count)
        let isCoded = flags & Flag.radio == Flag.coded
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
enum NordicPackets {
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
        guard packet.count > headerLength, packet[headerLength] == partLength,
            packet.count >= headerLength + partLength
        else { return sink.note(.shortPacket, at: position) }
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
