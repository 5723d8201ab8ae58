import HaloCapture
import HaloProtocol

/// Decodes packets of the low energy link layer in the air, as the Core Specification has them in
/// volume 6, part B.
///
/// ```
/// access address (4)  header (1)  length (1)  payload (length)
///
/// advertising header:  type (4 bits)  –  –  sender's (40), receiver's (80) address is random
///   0, 2, 6, 4:        address (6)  data, of advertisements and, 4, of a scan response
///   1, directed:       address (6)  addressee (6)
///   5, connect:        initiator (6)  advertiser (6)  access address (4)  …  (34 in all)
/// data header:         kind (2 bits)  next expected  sequence  more  tone extension  –  –
/// ```
///
/// **Connections.** The event `connected` is emitted at the first data packet, as many connection
/// requests in the air lead to no connection. A connection that was open before the recording
/// begins with the first payload that starts a packet of a low energy channel. Extended advertising
/// is left out: the advertiser of a packet on a secondary channel could only be found by its time.
///
/// **The sender.** The record has the sender if the sniffer followed the connection. Else a further
/// fragment belongs to the side whose packet is not whole. An attribute packet whose opcode only
/// one side can send belongs to that side, with the peripheral as the server. Else time decides
/// (``RadioState/wayByTime(_:)``). A request for a central's own attributes is then assigned to the
/// wrong side.
///
/// **Encryption** begins after the peripheral's `START_ENC_REQ`; from there on only packets
/// decrypted by the sniffer are read. Packets of less than five bytes are too short to be
/// encrypted, as the integrity check has four.
extension TrafficDecoder {
    mutating func receive(_ reception: AirReception, _ bytes: Span<UInt8>) {
        guard let accessAddress = bytes.littleEndian32(at: 0), let header = bytes.byte(at: 4),
            let length = bytes.byte(at: 5).map(Int.init)
        else { return note(.shortPacket) }
        let slot = slot(of: LinkKey(accessAddress: accessAddress))
        guard reception.isIntact != false else { return note(.wrongCRC, on: slot) }
        let isAdvertising = accessAddress == AirPackets.advertising
        let hasToneExtension = !isAdvertising && header & 0x20 != 0
        let payload = bytes.extracting(droppingFirst: hasToneExtension ? 7 : 6)
        guard payload.count >= length else { return note(.shortPacket, on: slot) }
        if payload.count > length { note(.longPacket, on: slot) }
        let whole = payload.extracting(first: length)
        if isAdvertising { return receiveAdvertising(header, whole, reception.strength) }
        let packet = AirData(header: header, reception: reception)
        if let slot = slot ?? open(accessAddress, packet, whole) {
            receive(packet, whole, of: slot)
        }
    }

    private mutating func receiveAdvertising(
        _ header: UInt8, _ payload: Span<UInt8>, _ strength: Int8?
    ) {
        let type = header & 0x0F
        switch type {
        case 0, 1, 2, 4, 6:
            guard let address = payload.littleEndian48(at: 0) else { return note(.shortPacket) }
            let report = AdvertisingReport(
                address: DeviceAddress(address, isRandom: header & 0x40 != 0), strength: strength,
                isScanResponse: type == 4)
            // A directed one has the addressee in place of data.
            let data = payload.extracting(droppingFirst: type == 1 ? 12 : 6)
            report.emit(data, to: &output)
        case 5:
            guard payload.count == 34, let address = payload.littleEndian48(at: 6),
                let accessAddress = payload.littleEndian32(at: 12)
            else { return note(.shortPacket) }
            if let slot = slot(of: LinkKey(accessAddress: accessAddress)) { close(slot, nil) }
            requests.removeAll { $0.accessAddress == accessAddress }
            if requests.count >= ConnectionLimits.requests { requests.removeFirst() }
            let isRandom = header & 0x80 != 0
            requests.append((accessAddress, DeviceAddress(address, isRandom: isRandom)))
        default:
            break
        }
    }

    /// Opens the connection of a data packet, if it was requested or the packet itself shows it.
    private mutating func open(
        _ accessAddress: UInt32, _ packet: AirData, _ payload: Span<UInt8>
    ) -> Int? {
        let key = LinkKey(accessAddress: accessAddress)
        if let index = requests.firstIndex(where: { $0.accessAddress == accessAddress }) {
            return open(key, .lowEnergy, .overheard, requests.remove(at: index).device)
        }
        guard packet.kind != .control, !payload.isEmpty else { return nil }
        guard packet.kind == .start, packet.isLowEnergyPacket(payload) else {
            note(.strayFragment)
            return nil
        }
        return open(key, .lowEnergy, .overheard, nil)
    }

    private mutating func receive(_ packet: AirData, _ payload: Span<UInt8>, of slot: Int) {
        let time = output.position.microseconds
        let way = packet.way(payload, links[slot], at: time)
        let (sequence, content) = (packet.header & 0x08 != 0, packet.content(payload))
        let succession = links[slot].radio.note(sequence: sequence, content: content, way, at: time)
        guard !payload.isEmpty else { return }
        switch succession {
        case .repeated:
            return note(.repeated, on: slot)
        case .afterGap where packet.reception.direction != nil:
            note(.lostByRecorder, on: slot)
        case .afterGap, .new:
            break
        }
        guard let count = readableCount(packet, payload, of: slot) else { return }
        let plain = payload.extracting(first: count)
        switch packet.kind {
        case .start: receive(plain, isStart: true, way, of: slot)
        case .continuation: receive(plain, isStart: false, way, of: slot)
        case .control:
            switch (plain.byte(at: 0), plain.count) {
            case (Control.terminate, 2):
                // The reason is the one that the central's controller would report, which differs
                // for its own disconnection.
                let reason = plain.byte(at: 1)
                close(
                    slot, way == .toController ? reason.map(ControllerReason.atOtherEnd) : reason)
            case (Control.encryptionResponse, Control.encryptionResponseLength):
                links[slot].radio.encryption = .agreed
            case (Control.startEncryptionRequest, 1):
                links[slot].radio.encryption = .begun
            case (Control.reject, 2), (Control.rejectExtended, 3):
                if links[slot].radio.encryption == .agreed { links[slot].radio.encryption = .none }
            default:
                break
            }
        case .reserved: note(.unknownPacket, on: slot)
        }
    }

    /// The number of readable bytes of a payload, without its integrity check; `nil` if the payload
    /// cannot be read.
    private mutating func readableCount(
        _ packet: AirData, _ payload: Span<UInt8>, of slot: Int
    ) -> Int? {
        let isDecrypted = packet.reception.isDecrypted
        switch links[slot].radio.encryption {
        case .none where !isDecrypted:
            return payload.count
        case .agreed where !isDecrypted && packet.isSentInClear(payload):
            return payload.count
        case .none, .agreed, .begun:
            links[slot].radio.encryption = .running
            encrypt(slot, isReadable: isDecrypted)
        case .running:
            break
        }
        if !isDecrypted, payload.count <= AirData.checkLength { return payload.count }
        if isDecrypted, links[slot].radio.checkLength == nil {
            links[slot].radio.checkLength = packet.learnedCheckLength(payload)
        }
        if isDecrypted, let checkLength = links[slot].radio.checkLength,
            payload.count > checkLength
        {
            return payload.count - checkLength
        }
        if !links[slot].radio.hasNotedUnreadable {
            links[slot].radio.hasNotedUnreadable = true
            note(.encrypted, on: slot)
        }
        return nil
    }
}

private enum Control {
    static let terminate: UInt8 = 0x02
    static let encryptionResponse: UInt8 = 0x04
    static let startEncryptionRequest: UInt8 = 0x05
    static let startEncryptionResponse: UInt8 = 0x06
    static let unknownResponse: UInt8 = 0x07
    static let reject: UInt8 = 0x0D
    static let rejectExtended: UInt8 = 0x11
    static let encryptionResponseLength = 13
}

private struct AirData {
    let header: UInt8
    let reception: AirReception

    enum Kind: UInt8 {
        case reserved = 0
        /// A further fragment, or an empty packet.
        case continuation
        /// A whole packet, or its beginning.
        case start
        /// A control message between the two link layers.
        case control
    }

    /// The length of the integrity check after an encrypted payload, in bytes.
    static let checkLength = 4

    var kind: Kind { Kind(rawValue: header & 0x3) ?? .reserved }

    /// `true` if the payload begins a packet of a low energy channel, judged by its length and
    /// channel.
    func isLowEnergyPacket(_ payload: Span<UInt8>) -> Bool {
        guard let length = L2CAPAssembly.length(of: payload),
            let channel = payload.littleEndian16(at: 2).flatMap(L2CAPChannel.init)
        else { return false }
        return channel.isLowEnergy
            && length + (reception.isDecrypted ? Self.checkLength : 0) >= payload.count
    }

    func way(
        _ payload: Span<UInt8>, _ link: DecodedLink<some AttributeDecoder>,
        at microseconds: Int64
    ) -> HCIDirection {
        if let direction = reception.direction {
            return direction == .toDevice ? .toController : .toHost
        }
        let isClear = link.radio.encryption != .running || reception.isDecrypted
        switch kind {
        case .continuation
        where !payload.isEmpty && link.packets.toController.isOpen != link.packets.toHost.isOpen:
            return link.packets.toController.isOpen ? .toController : .toHost
        case .start where isClear:
            guard payload.littleEndian16(at: 2) == L2CAPChannel.attributes.rawValue,
                let opcode = payload.byte(at: L2CAPAssembly.headerLength)
                    .flatMap(ATTOpcode.init)
            else { break }
            return opcode.isFromServer ? .toHost : .toController
        default:
            break
        }
        return link.radio.wayByTime(microseconds)
    }

    /// A hash of the content (FNV-1a).
    func content(_ payload: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(header & 0x3)
        for index in payload.indices {
            hash = (hash ^ UInt64(payload[index])) &* 0x100_0000_01B3
        }
        return hash
    }

    /// The length of the integrity check after a decrypted packet; `nil` if the packet does not
    /// have its own length.
    func learnedCheckLength(_ payload: Span<UInt8>) -> Int? {
        let isResponse =
            kind == .control && payload.byte(at: 0) == Control.startEncryptionResponse
        let length: Int? =
            kind == .start ? L2CAPAssembly.length(of: payload) : isResponse ? 1 : nil
        guard let rest = length.map({ payload.count - $0 }), rest == 0 || rest == Self.checkLength
        else { return nil }
        return rest
    }

    /// `true` for a control message that is sent in clear even after encryption was agreed.
    func isSentInClear(_ payload: Span<UInt8>) -> Bool {
        guard kind == .control, let opcode = payload.byte(at: 0) else { return false }
        return switch opcode {
        case Control.startEncryptionRequest: payload.count == 1
        case Control.terminate, Control.reject, Control.unknownResponse: payload.count == 2
        case Control.rejectExtended: payload.count == 3
        case Control.encryptionResponse: payload.count == Control.encryptionResponseLength
        default: false
        }
    }
}
