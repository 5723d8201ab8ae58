import HaloCapture

/// Decodes the packets between hosts and their controllers (Core Specification, volume 4, part E).
///
/// ```
/// command: opcode (2)  length (1)  parameters
/// ACL:     handle (12 bits)  boundary (2 bits)  broadcast (2 bits)  length (2)  fragment
/// event:   code (1)  length (1)  parameters
/// ```
extension TrafficDecoder {
    /// Receives a record of Linux' Bluetooth monitor: packets of several adapters, and adapters
    /// that are added and removed.
    ///
    /// ```
    /// new index:          type (1)  bus (1)  address (6)  name (8)
    /// index information:  address (6)  manufacturer (2)
    /// ```
    @inline(__always) mutating func receiveMonitor(
        _ opcode: UInt16, _ adapter: UInt16, _ bytes: Span<UInt8>
    ) {
        switch opcode {
        case MonitorOpcode.aclReceived: receiveACL(.toHost, adapter, bytes)
        case MonitorOpcode.aclSent: receiveACL(.toController, adapter, bytes)
        case MonitorOpcode.event: receiveEvent(adapter, bytes)
        case MonitorOpcode.command: receiveCommand(adapter, bytes)
        case MonitorOpcode.newIndex: note(bytes.littleEndian48(at: 2), of: adapter)
        case MonitorOpcode.indexInformation: note(bytes.littleEndian48(at: 0), of: adapter)
        case MonitorOpcode.deleteIndex, MonitorOpcode.closeIndex:
            closeAll(of: adapter)
            adapters.reset(adapter)
        case ...MonitorOpcode.last: break
        default: note(.unknownPacket)
        }
    }

    /// Notes the address of an adapter. An adapter that has not been started may have none yet.
    private mutating func note(_ address: UInt64?, of adapter: UInt16) {
        guard let address, address != 0 else { return }
        adapters.change(adapter) { $0.address = address }
    }

    // MARK: Data

    @inline(__always) mutating func receiveACL(
        _ direction: HCIDirection?, _ adapter: UInt16, _ bytes: Span<UInt8>
    ) {
        guard let header = bytes.littleEndian16(at: 0), let length = bytes.littleEndian16(at: 2)
        else { return note(.shortPacket) }
        let boundary = header >> 12 & 0x3
        // Broadcasts occur only on classic links, and belong to no connection.
        guard header >> 14 == 0 else { return }
        let key = LinkKey(adapter: adapter, handle: header)
        guard let slot = slot(of: key) ?? open(key) else { return }
        let way = direction ?? way(boundary, of: slot)
        let fragment = bytes.extracting(droppingFirst: 4)
        guard fragment.count == Int(length), boundary <= Boundary.beginning else {
            note(
                fragment.count < Int(length)
                    ? .shortPacket : fragment.count > Int(length) ? .longPacket : .unknownPacket,
                on: slot)
            return drop(way, of: slot)
        }
        receive(fragment, isStart: boundary != Boundary.continuation, way, of: slot)
    }

    /// Opens the connection of a packet, which was open before the recording began.
    private mutating func open(_ key: LinkKey) -> Int? {
        if hasJustEnded(key) {
            note(.afterEnd)
            return nil
        }
        return open(key, .undetermined, .unknown, nil)
    }

    /// The way of a fragment without a recorded direction.
    ///
    /// On low energy links the boundary bits of a first fragment differ by direction. A further
    /// fragment belongs to the packet that is not whole. If there is one in each direction, the
    /// fragment is assumed to come out of the air, as most long packets do.
    private func way(_ boundary: UInt16, of slot: Int) -> HCIDirection {
        switch boundary {
        case Boundary.beginningKept: .toController
        case Boundary.continuation where !links[slot].packets.toHost.isOpen: .toController
        default: .toHost
        }
    }

    // MARK: Commands and events

    mutating func receiveCommand(_ adapter: UInt16, _ bytes: Span<UInt8>) {
        guard let count = parameterCount(bytes, at: 2),
            let opcode = bytes.littleEndian16(at: 0)
        else { return }
        let parameters = bytes.extracting(droppingFirst: 3).extracting(first: count)
        switch opcode {
        case HCICommand.reset:
            closeAll(of: adapter)
            adapters.reset(adapter)
        case HCICommand.createConnection, HCICommand.createExtendedConnection,
            HCICommand.setScanning, HCICommand.setExtendedScanning:
            hint(.remote, of: adapter)
        case HCICommand.setAdvertising, HCICommand.setExtendedAdvertising:
            hint(.local, of: adapter)
        case HCICommand.enableEncryption:
            note(certain: .remote, adapter, handle: parameters.littleEndian16(at: 0))
        case HCICommand.replyLongTermKey, HCICommand.refuseLongTermKey:
            note(certain: .local, adapter, handle: parameters.littleEndian16(at: 0))
        case HCICommand.setRandomAddress:
            adapters.change(adapter) { $0.random = parameters.littleEndian48(at: 0) }
        case HCICommand.setAdvertisingParameters:
            adapters.change(adapter) { $0.addressType = parameters.byte(at: 5) }
        case HCICommand.setExtendedAdvertisingParameters:
            // Each advertising set has an address of its own, so the random one is not known.
            adapters.change(adapter) {
                $0.addressType = parameters.byte(at: 10).flatMap { $0 & 1 == 0 ? $0 : nil }
            }
        default:
            break
        }
    }

    mutating func receiveEvent(_ adapter: UInt16, _ bytes: Span<UInt8>) {
        guard let count = parameterCount(bytes, at: 1), let code = bytes.byte(at: 0) else { return }
        let event = bytes.extracting(droppingFirst: 2).extracting(first: count)
        switch code {
        case Event.lowEnergy:
            switch event.byte(at: 0) {
            case LowEnergyEvent.connectionComplete: receiveConnection(adapter, event, nil)
            case LowEnergyEvent.enhancedConnectionComplete,
                LowEnergyEvent.enhancedConnectionComplete2:
                receiveConnection(adapter, event, event.littleEndian48(at: 12))
            case LowEnergyEvent.advertisingReport: receiveReports(event, .usual)
            case LowEnergyEvent.directedAdvertisingReport: receiveReports(event, .directed)
            case LowEnergyEvent.extendedAdvertisingReport: receiveReports(event, .extended)
            default:
                break
            }
        case Event.disconnectionComplete:
            guard event.byte(at: 0) == 0, let handle = event.littleEndian16(at: 1),
                let slot = slot(of: LinkKey(adapter: adapter, handle: handle))
            else { return }
            decideRole(slot)
            let reason = event.byte(at: 3)
            let isOther = links[slot].role == .local
            close(slot, isOther ? reason.map(ControllerReason.atOtherEnd) : reason)
        case Event.encryptionChange, Event.encryptionChangeWithKeySize:
            if event.byte(at: 3) != 0 { receiveEncryption(adapter, event) }
        case Event.encryptionKeyRefreshComplete:
            receiveEncryption(adapter, event)
        case Event.connectionComplete:
            // Type 1 is not a voice link. A voice link belongs to a link of type 1, and is skipped.
            guard event.byte(at: 0) == 0, event.byte(at: 9) == 1,
                let handle = event.littleEndian16(at: 1)
            else { return }
            _ = open(LinkKey(adapter: adapter, handle: handle), .classic, .unknown, nil)
        case Event.commandComplete:
            guard event.byte(at: 3) == 0, event.littleEndian16(at: 1) == HCICommand.readAddress
            else { return }
            note(event.littleEndian48(at: 4), of: adapter)
        default:
            break
        }
    }

    /// Receives the event of a new connection. All its forms begin with the same fields.
    ///
    /// ```
    /// form (1)  status (1)  handle (2)  role (1)  type (1) and address (6) of the other side
    /// ```
    private mutating func receiveConnection(
        _ adapter: UInt16, _ event: Span<UInt8>, _ ownAddress: UInt64?
    ) {
        guard event.byte(at: 1) == 0 else { return }
        guard let handle = event.littleEndian16(at: 2), let role = event.byte(at: 4),
            let type = event.byte(at: 5), let address = event.littleEndian48(at: 6)
        else { return note(.shortPacket) }
        let isCentral = role == 0
        let device =
            isCentral
            ? DeviceAddress(address, isRandom: type & 1 == 1)
            : adapters.advertisedAddress(of: adapter, resolvable: ownAddress)
        _ = open(
            LinkKey(adapter: adapter, handle: handle), .lowEnergy, isCentral ? .remote : .local,
            device)
    }

    /// Receives the event that a link is encrypted. The recording host can still read it.
    private mutating func receiveEncryption(_ adapter: UInt16, _ event: Span<UInt8>) {
        guard event.byte(at: 0) == 0, let handle = event.littleEndian16(at: 1),
            let slot = slot(of: LinkKey(adapter: adapter, handle: handle))
        else { return }
        encrypt(slot, isReadable: true)
    }

    private mutating func note(certain role: DeviceRole, _ adapter: UInt16, handle: UInt16?) {
        guard let handle, let slot = slot(of: LinkKey(adapter: adapter, handle: handle))
        else { return }
        note(certain: role, of: slot)
    }

    /// The number of parameter bytes, from the length at an offset; `nil` if some are missing.
    private mutating func parameterCount(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        let available = bytes.count - offset - 1
        guard let length = bytes.byte(at: offset), available >= Int(length) else {
            note(.shortPacket)
            return nil
        }
        if available > Int(length) { note(.longPacket) }
        return Int(length)
    }

    // MARK: Advertisements

    /// Receives reports of advertisements.
    private mutating func receiveReports(_ event: Span<UInt8>, _ form: ReportForm) {
        let unknownStrength: UInt8 = 127
        var rest = event.extracting(droppingFirst: 2)
        for _ in 0..<(event.byte(at: 1) ?? 0) {
            let length = form.hasData ? rest.byte(at: form.headLength - 1).map(Int.init) : 0
            let end = form.headLength + (length ?? 0)
            guard let length, let kind = rest.byte(at: 0),
                let type = rest.byte(at: form.addressType),
                let address = rest.littleEndian48(at: form.addressType + 1),
                let strength = rest.byte(at: form.strength ?? end), rest.count >= end
            else { return note(.shortPacket) }
            let isAnonymous = form.isExtended && type == 0xFF
            let report = AdvertisingReport(
                address: isAnonymous ? nil : DeviceAddress(address, isRandom: type & 1 == 1),
                strength: strength == unknownStrength ? nil : Int8(bitPattern: strength),
                isScanResponse: form.isExtended ? kind & 0x08 != 0 : form.hasData && kind == 4)
            let data = rest.extracting(droppingFirst: form.headLength).extracting(first: length)
            if form.isExtended {
                advertising.receive(
                    report, set: rest.byte(at: 11) ?? 0, isIncomplete: kind >> 5 & 0x3 == 1, data,
                    &output)
            } else {
                report.emit(data, to: &output)
            }
            rest = rest.extracting(droppingFirst: form.strength == nil ? end + 1 : end)
        }
    }
}

/// A form of the reports of advertisements, with the offsets of their fields.
///
/// ```
/// usual     kind (1)  address type (1)  address (6)  length (1)  data  strength (1)
/// directed  kind (1)  address type (1)  address (6)  type (1) and address (6) of the addressee
///           strength (1)
/// extended  kind (2)  address type (1)  address (6)  radio (2)  set (1)  power (1)  strength (1)
///           interval (2)  type (1) and address (6) of the addressee  length (1)  data
/// ```
private struct ReportForm {
    /// The offset of the type of the address, which the address follows.
    let addressType: Int
    /// The length of what is before the data.
    let headLength: Int
    /// The offset of the strength, or `nil` if it follows the data.
    let strength: Int?
    var hasData = true
    var isExtended = false

    static let usual = ReportForm(addressType: 1, headLength: 9, strength: nil)
    static let directed = ReportForm(
        addressType: 1, headLength: 16, strength: 15, hasData: false)
    static let extended = ReportForm(
        addressType: 2, headLength: 24, strength: 13, isExtended: true)
}

private enum Boundary {
    /// The beginning of a packet that cannot be flushed, as sent by hosts of low energy links.
    static let beginningKept: UInt16 = 0
    static let continuation: UInt16 = 1
    /// The beginning of a packet that can be flushed, as sent by controllers.
    static let beginning: UInt16 = 2
}

private enum HCICommand {
    static let reset: UInt16 = 0x0C03
    static let readAddress: UInt16 = 0x1009
    static let setRandomAddress: UInt16 = 0x2005
    static let setAdvertisingParameters: UInt16 = 0x2006
    static let setAdvertising: UInt16 = 0x200A
    static let setScanning: UInt16 = 0x200C
    static let createConnection: UInt16 = 0x200D
    static let enableEncryption: UInt16 = 0x2019
    static let replyLongTermKey: UInt16 = 0x201A
    static let refuseLongTermKey: UInt16 = 0x201B
    static let setExtendedAdvertisingParameters: UInt16 = 0x2036
    static let setExtendedAdvertising: UInt16 = 0x2039
    static let setExtendedScanning: UInt16 = 0x2042
    static let createExtendedConnection: UInt16 = 0x2043
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
    static let directedAdvertisingReport: UInt8 = 0x0B
    static let extendedAdvertisingReport: UInt8 = 0x0D
    static let enhancedConnectionComplete2: UInt8 = 0x29
}

/// The type of a record of Linux' Bluetooth monitor: `BTSNOOP_OPCODE_*` of BlueZ, `HCI_MON_*` of
/// the kernel. The others are skipped: voice and isochronous data, notes, and the control sockets.
private enum MonitorOpcode {
    static let newIndex: UInt16 = 0
    static let deleteIndex: UInt16 = 1
    static let command: UInt16 = 2
    static let event: UInt16 = 3
    static let aclSent: UInt16 = 4
    static let aclReceived: UInt16 = 5
    static let closeIndex: UInt16 = 9
    static let indexInformation: UInt16 = 10
    /// Isochronous data that was received.
    static let last: UInt16 = 19
}
