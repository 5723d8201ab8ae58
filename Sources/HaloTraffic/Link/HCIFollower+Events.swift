import HaloCapture
import HaloProtocol

/// Commands and events: how links come and go.
extension HCIFollower {
    private enum Command {
        static let reset: UInt16 = 0x0C03
        static let readAddress: UInt16 = 0x1009
        static let setRandomAddress: UInt16 = 0x2005
        static let setAdvertisingParameters: UInt16 = 0x2006
        static let setExtendedAdvertisingParameters: UInt16 = 0x2036
    }

    private enum Event {
        static let connectionComplete: UInt8 = 0x03
        static let disconnectionComplete: UInt8 = 0x05
        static let encryptionChange: UInt8 = 0x08
        static let commandComplete: UInt8 = 0x0E
        static let encryptionKeyRefreshComplete: UInt8 = 0x30
        static let lowEnergy: UInt8 = 0x3E
        static let encryptionChangeWithKeySize: UInt8 = 0x59
    }

    private enum LowEnergyEvent {
        static let connectionComplete: UInt8 = 0x01
        static let advertisingReport: UInt8 = 0x02
        static let enhancedConnectionComplete: UInt8 = 0x0A
        static let extendedAdvertisingReport: UInt8 = 0x0D
        static let enhancedConnectionComplete2: UInt8 = 0x29
    }

    mutating func takeCommand(
        _ adapter: UInt16, _ bytes: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        guard let count = parameterCount(bytes, at: 2, at: place, into: &sink),
            let opcode = bytes.littleEndian16(at: 0)
        else { return }
        let parameters = bytes.extracting(droppingFirst: 3).extracting(first: count)
        switch opcode {
        case Command.reset:
            links.closeAll(of: adapter, at: place, into: &sink)
            adapters.reset(adapter)
        case Command.setRandomAddress:
            adapters.change(adapter) { $0.random = parameters.littleEndian48(at: 0) }
        case Command.setAdvertisingParameters:
            adapters.change(adapter) { $0.addressType = parameters.byte(at: 5) }
        case Command.setExtendedAdvertisingParameters:
            // Each of its sets has an address of its own: the random one is not known.
            adapters.change(adapter) {
                $0.addressType = parameters.byte(at: 10).flatMap { $0 & 1 == 0 ? $0 : nil }
            }
        default:
            break
        }
    }

    mutating func takeEvent(
        _ adapter: UInt16, _ bytes: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        guard let count = parameterCount(bytes, at: 1, at: place, into: &sink),
            let code = bytes.byte(at: 0)
        else { return }
        let event = bytes.extracting(droppingFirst: 2).extracting(first: count)
        switch code {
        case Event.lowEnergy:
            takeLowEnergyEvent(adapter, event, at: place, &links, into: &sink)
        case Event.disconnectionComplete:
            guard event.byte(at: 0) == 0, let handle = event.littleEndian16(at: 1),
                let slot = links.slot(of: LinkKey(adapter: adapter, handle: handle & 0x0FFF))
            else { return }
            let reason = event.byte(at: 3)
            links.close(
                slot,
                links.links[slot].role == .local
                    ? reason.map(ControllerReason.atOtherEnd) : reason,
                at: place, into: &sink)
        case Event.encryptionChange, Event.encryptionChangeWithKeySize:
            guard event.byte(at: 3) != 0 else { return }
            takeEncryption(adapter, event, at: place, &links, into: &sink)
        case Event.encryptionKeyRefreshComplete:
            takeEncryption(adapter, event, at: place, &links, into: &sink)
        case Event.connectionComplete:
            // Type 1: not a voice link, which hangs on one of these.
            guard event.byte(at: 0) == 0, event.byte(at: 9) == 1,
                let handle = event.littleEndian16(at: 1)
            else { return }
            let key = LinkKey(adapter: adapter, handle: handle & 0x0FFF)
            _ = links.open(key, .classic, .unknown, nil, at: place, into: &sink)
        case Event.commandComplete:
            guard event.littleEndian16(at: 1) == Command.readAddress, event.byte(at: 3) == 0
            else { return }
            adapters.change(adapter) { $0.address = event.littleEndian48(at: 4) }
        default:
            break
        }
    }

    private mutating func takeLowEnergyEvent(
        _ adapter: UInt16, _ event: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        switch event.byte(at: 0) {
        case LowEnergyEvent.connectionComplete:
            takeConnection(adapter, event, at: place, &links, into: &sink)
        case LowEnergyEvent.enhancedConnectionComplete,
            LowEnergyEvent.enhancedConnectionComplete2:
            takeConnection(
                adapter, event, event.littleEndian48(at: 12), at: place, &links, into: &sink)
        case LowEnergyEvent.advertisingReport:
            takeReports(event, at: place, into: &sink)
        case LowEnergyEvent.extendedAdvertisingReport:
            takeExtendedReports(event, at: place, into: &sink)
        default:
            break
        }
    }

    /// Takes in the event that a connection stands; all its forms begin alike.
    ///
    /// ```
    /// form (1)  status (1)  handle (2)  role (1)  type (1) and address (6) of the other side
    /// ```
    private mutating func takeConnection(
        _ adapter: UInt16, _ event: Span<UInt8>, _ ownAddress: UInt64? = nil,
        at place: RecordPlace, _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        guard event.byte(at: 1) == 0 else { return }
        guard let handle = event.littleEndian16(at: 2), let role = event.byte(at: 4),
            let type = event.byte(at: 5), let address = event.littleEndian48(at: 6)
        else {
            return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
        }
        let isCentral = role == 0
        let device =
            isCentral
            ? DeviceAddress(address, isRandom: type & 1 == 1)
            : adapters.advertisedAddress(of: adapter, resolvable: ownAddress)
        _ = links.open(
            LinkKey(adapter: adapter, handle: handle & 0x0FFF), .lowEnergy,
            isCentral ? .remote : .local, device, at: place, into: &sink)
    }

    /// A link is encrypted; its own host can read it all the same.
    private func takeEncryption(
        _ adapter: UInt16, _ event: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable<some AttributeFollower>,
        into sink: inout some ConversationSink
    ) {
        guard event.byte(at: 0) == 0, let handle = event.littleEndian16(at: 1),
            let slot = links.slot(of: LinkKey(adapter: adapter, handle: handle & 0x0FFF)),
            !links.links[slot].isEncrypted
        else { return }
        links.links[slot].isEncrypted = true
        guard links.links[slot].number != noConnection else { return }
        sink.take(
            .encrypted(isReadable: true), Span(), on: links.links[slot].number, at: place)
    }

    /// How many bytes of parameters follow the length, which stands there; none if they are
    /// not all there.
    private func parameterCount(
        _ bytes: Span<UInt8>, at offset: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) -> Int? {
        let available = bytes.count - offset - 1
        guard let length = bytes.byte(at: offset), available >= Int(length) else {
            sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
            return nil
        }
        if available > Int(length) {
            sink.take(.odd(.longPacket), Span(), on: noConnection, at: place)
        }
        return Int(length)
    }
}
