import HaloCapture
import HaloProtocol

/// One packet on a data channel: whose it is, whether it is new, and whether it can be read.
///
/// **Who sent it.** The record says it, where the recorder followed the connection. Else a
/// further fragment belongs to the side whose packet is not whole; an attribute packet whose
/// opcode only one side can send belongs to that side, the peripheral being taken for the one
/// that holds the attributes; and else time tells (``RadioState/wayByTime(_:)``). A central
/// whose own attributes are asked for is mistaken then.
///
/// **Whether it can be read.** Encryption begins when the peripheral has said `START_ENC_REQ`;
/// from there on only packets are read that the recorder has decrypted. Packets of less than
/// five bytes are too short to be encrypted, for the check has four.
struct AirData {
    let header: UInt8
    let reception: AirReception

    /// What a packet carries.
    enum Kind: Hashable, Sendable {
        case reserved
        /// A further fragment, or nothing.
        case continuation
        /// A packet, or its beginning.
        case start
        /// A word between the two link layers.
        case control
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

    private static let checkLength = 4

    static func kind(_ header: UInt8) -> Kind {
        switch header & 0x3 {
        case 1: .continuation
        case 2: .start
        case 3: .control
        default: .reserved
        }
    }

    /// How many bytes stand between the header and the payload: one, if a tone follows.
    static func extensionLength(_ header: UInt8) -> Int { header & 0x20 == 0 ? 0 : 1 }

    /// Whether this is the beginning of a packet of a low energy channel, by its own numbers.
    static func isLowEnergyPacket(_ payload: Span<UInt8>, isDecrypted: Bool) -> Bool {
        guard let length = L2CAPAssembly.length(of: payload),
            let channel = payload.littleEndian16(at: 2).flatMap(L2CAPChannel.init)
        else { return false }
        return channel.isLowEnergy
            && length + (isDecrypted ? checkLength : 0) >= payload.count
    }

    private var kind: Kind { Self.kind(header) }

    func take(
        _ payload: Span<UInt8>, of slot: Int, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        let way = way(payload, links.links[slot], at: place)
        let sent = RadioState.Sent(sequence: header & 0x08 != 0, content: content(payload))
        let succession = links.links[slot].radio.note(sent, way, at: place.microseconds)
        guard !payload.isEmpty else { return }
        switch succession {
        case .repeated:
            return links.note(.repeated, on: slot, at: place, into: &sink)
        case .afterGap where reception.direction != nil:
            links.note(.lostByRecorder, on: slot, at: place, into: &sink)
        case .afterGap, .new:
            break
        }
        guard let count = readableCount(payload, of: slot, at: place, &links, into: &sink)
        else { return }
        let plain = payload.extracting(first: count)
        switch kind {
        case .start:
            links.take(plain, isStart: true, way, of: slot, at: place, into: &sink)
        case .continuation:
            links.take(plain, isStart: false, way, of: slot, at: place, into: &sink)
        case .control:
            takeControl(plain, way, of: slot, at: place, &links, into: &sink)
        case .reserved:
            links.note(.unknownPacket, on: slot, at: place, into: &sink)
        }
    }

    private func way(
        _ payload: Span<UInt8>, _ link: Link<some AttributeFollower>, at place: RecordPlace
    ) -> HCIDirection {
        if let direction = reception.direction {
            return direction == .toDevice ? .toController : .toHost
        }
        let isClear = link.radio.encryption != .running || reception.isDecrypted
        switch kind {
        case .continuation where !payload.isEmpty && link.outward.isOpen != link.inward.isOpen:
            return link.outward.isOpen ? .toController : .toHost
        case .start where isClear:
            guard payload.littleEndian16(at: 2) == L2CAPChannel.attributes.rawValue,
                let opcode = payload.byte(at: L2CAPAssembly.headerLength)
                    .flatMap(ATTOpcode.init)
            else { break }
            return opcode.isFromServer ? .toHost : .toController
        default:
            break
        }
        return link.radio.wayByTime(place.microseconds)
    }

    /// A number that differs, nearly always, if the content does (FNV-1a).
    private func content(_ payload: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(header & 0x3)
        for index in payload.indices {
            hash = (hash ^ UInt64(payload[index])) &* 0x100_0000_01B3
        }
        return hash
    }

    /// How many bytes of the payload are readable, without the check of what was encrypted; none
    /// if nobody can read it.
    private func readableCount(
        _ payload: Span<UInt8>, of slot: Int, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) -> Int? {
        switch links.links[slot].radio.encryption {
        case .none where !reception.isDecrypted:
            return payload.count
        case .agreed where !reception.isDecrypted && isSaidInClear(payload):
            return payload.count
        case .none, .agreed, .begun:
            links.links[slot].radio.encryption = .running
            tellEncrypted(slot, at: place, &links, into: &sink)
        case .running:
            break
        }
        if !reception.isDecrypted, payload.count <= Self.checkLength { return payload.count }
        if reception.isDecrypted, links.links[slot].radio.checkLength == nil {
            links.links[slot].radio.checkLength = learnedCheckLength(payload)
        }
        if reception.isDecrypted, let checkLength = links.links[slot].radio.checkLength,
            payload.count > checkLength
        {
            return payload.count - checkLength
        }
        if !links.links[slot].radio.hasSaidUnreadable {
            links.links[slot].radio.hasSaidUnreadable = true
            links.note(.encrypted, on: slot, at: place, into: &sink)
        }
        return nil
    }

    private func tellEncrypted(
        _ slot: Int, at place: RecordPlace, _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        let number = links.links[slot].number
        guard number != noConnection, !links.links[slot].isEncrypted else { return }
        links.links[slot].isEncrypted = true
        sink.take(
            .encrypted(isReadable: reception.isDecrypted), Span(), on: number, at: place)
    }

    /// Whether a decrypted packet that tells its own length ends there, or with the check.
    private func learnedCheckLength(_ payload: Span<UInt8>) -> Int? {
        let length: Int?
        switch kind {
        case .start: length = L2CAPAssembly.length(of: payload)
        case .control:
            length = payload.byte(at: 0) == Control.startEncryptionResponse ? 1 : nil
        case .continuation, .reserved: length = nil
        }
        switch length.map({ payload.count - $0 }) {
        case 0: return 0
        case Self.checkLength: return Self.checkLength
        default: return nil
        }
    }

    /// What can still be said before encryption begins, when it is agreed on.
    private func isSaidInClear(_ payload: Span<UInt8>) -> Bool {
        guard kind == .control, let opcode = payload.byte(at: 0) else { return false }
        return switch opcode {
        case Control.startEncryptionRequest: payload.count == 1
        case Control.terminate, Control.reject, Control.unknownResponse: payload.count == 2
        case Control.rejectExtended: payload.count == 3
        case Control.encryptionResponse: payload.count == Control.encryptionResponseLength
        default: false
        }
    }

    private func takeControl(
        _ payload: Span<UInt8>, _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        switch (payload.byte(at: 0), payload.count) {
        case (Control.terminate, 2):
            // The central knows by itself that it was the one.
            let reason = payload.byte(at: 1)
            links.close(
                slot, way == .toController ? reason.map(ControllerReason.atOtherEnd) : reason,
                at: place, into: &sink)
        case (Control.encryptionResponse, Control.encryptionResponseLength):
            links.links[slot].radio.encryption = .agreed
        case (Control.startEncryptionRequest, 1):
            links.links[slot].radio.encryption = .begun
        case (Control.reject, 2), (Control.rejectExtended, 3):
            if links.links[slot].radio.encryption == .agreed {
                links.links[slot].radio.encryption = .none
            }
        default:
            break
        }
    }
}
