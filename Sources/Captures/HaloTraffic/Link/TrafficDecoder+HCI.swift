import HaloCapture

/// Decodes the packets between hosts and their controllers (Core Specification, volume 4, part E).
///
/// ```
/// command: opcode (2)  length (1)  parameters
/// ACL:     handle (12 bits)  boundary (2 bits)  broadcast (2 bits)  length (2)  fragment
/// event:   code (1)  length (1)  parameters
/// ```
///
/// The opcodes and codes that are decoded:
///
///     commands  0C03 reset · 2005 random address · 2006, 2036 parameters of advertising
///               200A, 2039 advertising · 200C, 2042 scanning · 200D, 2043 connecting
///               2019 encryption · 201A, 201B the key for it, or a refusal of that
///     events    03 classic connection · 05 disconnection · 08, 59 encryption · 30 new key
///               0E end of a command: of 1009, the adapter's address
///     3E, low energy  01, 0A, 29 connection · 02 advertisements · 0B directed · 0D extended
extension TrafficDecoder {
    /// Receives a record of Linux' Bluetooth monitor: packets of several adapters, and adapters
    /// that are added and removed. The opcodes are `BTSNOOP_OPCODE_*` of BlueZ, `HCI_MON_*` of the
    /// kernel; voice and isochronous data, notes, and the control sockets are skipped.
    ///
    /// ```
    /// 0     new index:          type (1)  bus (1)  address (6)  name (8)
    /// 1, 9  deleted, closed index
    /// 2, 3  command, event
    /// 4, 5  ACL sent, ACL received
    /// 10    index information:  address (6)  manufacturer (2)
    /// …19   the others up to the last, isochronous data that was received: skipped
    /// ```
    @inline(__always) mutating func receiveMonitor(
        _ opcode: UInt16, _ adapter: UInt16, _ bytes: Span<UInt8>
    ) {
        switch opcode {
        case 5: receiveACL(.toHost, adapter, bytes)
        case 4: receiveACL(.toController, adapter, bytes)
        case 3: receiveEvent(adapter, bytes)
        case 2: receiveCommand(adapter, bytes)
        case 0: note(bytes.littleEndian48(at: 2), of: adapter)
        case 10: note(bytes.littleEndian48(at: 0), of: adapter)
        case 1, 9:
            closeAll(of: adapter)
            adapters.reset(adapter)
        case ...19: break
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
        guard let count = parameterCount(bytes, at: 2), let opcode = bytes.littleEndian16(at: 0)
        else { return }
        let parameters = bytes.extracting(droppingFirst: 3).extracting(first: count)
        switch opcode {
        case 0x0C03:
            closeAll(of: adapter)
            adapters.reset(adapter)
        case 0x200C, 0x200D, 0x2042, 0x2043:
            hint(.remote, of: adapter)
        case 0x200A, 0x2039:
            hint(.local, of: adapter)
        case 0x2019:
            note(certain: .remote, adapter, handle: parameters.littleEndian16(at: 0))
        case 0x201A, 0x201B:
            note(certain: .local, adapter, handle: parameters.littleEndian16(at: 0))
        case 0x2005:
            adapters.change(adapter) { $0.random = parameters.littleEndian48(at: 0) }
        case 0x2006:
            adapters.change(adapter) { $0.addressType = parameters.byte(at: 5) }
        case 0x2036:
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
        case 0x3E:
            switch event.byte(at: 0) {
            case 0x01: receiveConnection(adapter, event, nil)
            case 0x0A, 0x29: receiveConnection(adapter, event, event.littleEndian48(at: 12))
            case 0x02: receiveReports(event, .usual)
            case 0x0B: receiveReports(event, .directed)
            case 0x0D: receiveReports(event, .extended)
            default: break
            }
        case 0x05:
            guard event.byte(at: 0) == 0, let handle = event.littleEndian16(at: 1),
                let slot = slot(of: LinkKey(adapter: adapter, handle: handle))
            else { return }
            decideRole(slot)
            let reason = event.byte(at: 3)
            let isOther = links[slot].role == .local
            close(slot, isOther ? reason.map(ControllerReason.atOtherEnd) : reason)
        case 0x08, 0x59:
            if event.byte(at: 3) != 0 { receiveEncryption(adapter, event) }
        case 0x30:
            receiveEncryption(adapter, event)
        case 0x03:
            // Type 1 is not a voice link. A voice link belongs to a link of type 1, and is skipped.
            guard event.byte(at: 0) == 0, event.byte(at: 9) == 1,
                let handle = event.littleEndian16(at: 1)
            else { return }
            _ = open(LinkKey(adapter: adapter, handle: handle), .classic, .unknown, nil)
        case 0x0E:
            guard event.byte(at: 3) == 0, event.littleEndian16(at: 1) == 0x1009 else { return }
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
                join(report, rest.byte(at: 11) ?? 0, isIncomplete: kind >> 5 & 0x3 == 1, data)
            } else {
                report.emit(data, to: &output)
            }
            rest = rest.extracting(droppingFirst: form.strength == nil ? end + 1 : end)
        }
    }

    /// Joins the data of an extended advertisement. A truncated one has a status of its own, and no
    /// further report.
    ///
    /// One advertisement is joined at a time: where reports of two are mixed, the unfinished one is
    /// dropped.
    private mutating func join(
        _ report: AdvertisingReport, _ set: UInt8, isIncomplete: Bool, _ bytes: Span<UInt8>
    ) {
        if let (first, firstSet, _) = advertising,
            firstSet != set || first.address != report.address
                || first.isScanResponse != report.isScanResponse
        {
            dropAdvertisement()
        }
        if advertising == nil, !isIncomplete { return report.emit(bytes, to: &output) }
        var data = advertising?.data ?? []
        guard data.count + bytes.count <= ConnectionLimits.advertisement else {
            return dropAdvertisement()
        }
        // So that the bytes are appended in place.
        advertising = nil
        bytes.withUnsafeBufferPointer { data.append(contentsOf: $0) }
        if isIncomplete {
            advertising = (report, set, data)
        } else {
            report.emit(data.span, to: &output)
        }
    }

    mutating func dropAdvertisement() {
        guard advertising != nil else { return }
        advertising = nil
        note(.unfinishedPacket)
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
