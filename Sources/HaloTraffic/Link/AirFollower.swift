import HaloCapture
import HaloProtocol

/// Follows packets of the low energy link layer in the air, as the Core Specification has them
/// in volume 6, part B.
///
/// ```
/// access address (4)  header (1)  length (1)  payload (length)
///
/// advertising header:  type (4 bits)  –  –  sender's, receiver's address is random
///   advertisement:     address (6)  data
///   connect:           initiator (6)  advertiser (6)  access address (4)  …  (34 in all)
/// data header:         kind (2 bits)  next expected  sequence  more  tone extension  –  –
/// ```
///
/// A connection is told of with its first data packet: that somebody asked for one is not enough,
/// and a sniffer hears many ask. One that stood already is told of with the first whole beginning
/// of a packet of a low energy channel. Extended advertising is left out: to which of its
/// advertisers a packet on a secondary channel belongs follows from its time alone.
struct AirFollower: Sendable {
    /// The access address of all advertising.
    static let advertisingAddress: UInt32 = 0x8E89_BED6
    /// How many requests for a connection are remembered.
    static let mostRequests = 32

    /// Somebody asked for a connection.
    private struct Request: Sendable {
        var accessAddress: UInt32
        var device: DeviceAddress
    }

    private var requests: [Request] = []

    private enum Advertising {
        static let connectable: UInt8 = 0x0
        static let notConnectable: UInt8 = 0x2
        static let scanResponse: UInt8 = 0x4
        static let connect: UInt8 = 0x5
        static let scannable: UInt8 = 0x6
        static let senderIsRandom: UInt8 = 0x40
        static let receiverIsRandom: UInt8 = 0x80
        static let connectLength = 34
    }

    /// Takes in one packet.
    mutating func take(
        _ reception: AirReception, _ bytes: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        guard let accessAddress = bytes.littleEndian32(at: 0), let header = bytes.byte(at: 4),
            let length = bytes.byte(at: 5).map(Int.init)
        else {
            return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
        }
        let slot = links.slot(of: LinkKey(accessAddress: accessAddress))
        let number = slot.map { links.links[$0].number } ?? noConnection
        guard reception.isIntact != false else {
            return sink.take(.odd(.wrongCRC), Span(), on: number, at: place)
        }
        let isAdvertising = accessAddress == Self.advertisingAddress
        let start = isAdvertising ? 6 : 6 + AirData.extensionLength(header)
        let payload = bytes.extracting(droppingFirst: start)
        guard payload.count >= length else {
            return sink.take(.odd(.shortPacket), Span(), on: number, at: place)
        }
        if payload.count > length {
            sink.take(.odd(.longPacket), Span(), on: number, at: place)
        }
        let whole = payload.extracting(first: length)
        if isAdvertising {
            takeAdvertising(header, whole, reception.strength, at: place, &links, into: &sink)
        } else if let slot = slot
            ?? open(accessAddress, header, whole, reception, at: place, &links, into: &sink)
        {
            AirData(header: header, reception: reception)
                .take(whole, of: slot, at: place, &links, into: &sink)
        }
    }

    private mutating func takeAdvertising(
        _ header: UInt8, _ payload: Span<UInt8>, _ strength: Int8?, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        let type = header & 0x0F
        switch type {
        case Advertising.connectable, Advertising.notConnectable, Advertising.scannable,
            Advertising.scanResponse:
            guard let address = payload.littleEndian48(at: 0) else {
                return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
            }
            let device = DeviceAddress(
                address, isRandom: header & Advertising.senderIsRandom != 0)
            sink.take(
                .advertised(
                    device, strength: strength,
                    isScanResponse: type == Advertising.scanResponse),
                payload.extracting(droppingFirst: 6), on: noConnection, at: place)
        case Advertising.connect:
            guard payload.count == Advertising.connectLength,
                let address = payload.littleEndian48(at: 6),
                let accessAddress = payload.littleEndian32(at: 12)
            else {
                return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
            }
            let device = DeviceAddress(
                address, isRandom: header & Advertising.receiverIsRandom != 0)
            if let slot = links.slot(of: LinkKey(accessAddress: accessAddress)) {
                links.close(slot, nil, at: place, into: &sink)
            }
            remember(Request(accessAddress: accessAddress, device: device))
        default:
            break
        }
    }

    private mutating func remember(_ request: Request) {
        requests.removeAll { $0.accessAddress == request.accessAddress }
        if requests.count >= Self.mostRequests { requests.removeFirst() }
        requests.append(request)
    }

    /// Opens the connection of a data packet, if it was asked for, or surely is one.
    private mutating func open(
        _ accessAddress: UInt32, _ header: UInt8, _ payload: Span<UInt8>,
        _ reception: AirReception, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) -> Int? {
        let key = LinkKey(accessAddress: accessAddress)
        if let index = requests.firstIndex(where: { $0.accessAddress == accessAddress }) {
            let device = requests.remove(at: index).device
            return links.open(key, .lowEnergy, .overheard, device, at: place, into: &sink)
        }
        guard AirData.kind(header) != .control, !payload.isEmpty else { return nil }
        guard AirData.kind(header) == .start,
            AirData.isLowEnergyPacket(payload, isDecrypted: reception.isDecrypted)
        else {
            sink.take(.odd(.strayFragment), Span(), on: noConnection, at: place)
            return nil
        }
        return links.open(key, .lowEnergy, .overheard, nil, at: place, into: &sink)
    }
}
