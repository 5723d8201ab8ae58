import HaloCapture
import HaloProtocol

enum LinkKind: Hashable, Sendable {
    /// Not known yet, as the connection was open when the recording began.
    case undetermined
    case lowEnergy
    /// Classic (BR/EDR), which is not decoded.
    case classic
    /// Low energy, but beyond the number of decoded connections.
    case unfollowed
}

/// Decodes records of every kind down to the attribute protocol.
///
/// ```
/// controller: command, event, ACL ─┐
/// Linux' monitor: the same ────────┼→ connection → L2CAP → attribute protocol → sink
/// air: advertising, data channels ─┘
/// ```
///
/// The event `connected` precedes all other events of a connection. Classic links are counted as
/// oddities and left out; they have no numbers.
///
/// Connections are numbered from 0 in the order of their first records. Numbers are not reused, and
/// a classic link has none. A connection between two adapters of one computer, as recorded by a
/// Linux monitor, counts as two: one for each adapter.
///
/// A record needs no allocation and no copy of a link: links are changed in place, and the link of
/// the last record is found without a search.
struct TrafficDecoder<Attributes: AttributeDecoder, Sink: ConversationSink>: RecordSink, Sendable {
    var output: ConversationOutput<Sink>
    /// The open connections.
    var links = ContiguousArray<DecodedLink<Attributes>>()
    var adapters = AdapterTable()
    /// The beginning of an extended advertisement, which may come in several reports.
    var advertising: (report: AdvertisingReport, set: UInt8, data: ContiguousArray<UInt8>)?
    /// The requests in the air for connections that have not begun.
    var requests: [(accessAddress: UInt32, device: DeviceAddress)] = []

    private(set) var last: FilePosition?
    private(set) var firstMicroseconds: Int64?
    /// The latest time of a record; the minimum before the first.
    private(set) var latestMicroseconds: Int64 = .min

    private var keys = ContiguousArray<LinkKey>()
    private var lastSlot = 0
    private var nextNumber = 0
    private var ended: [(key: LinkKey, position: FilePosition)] = []
    private let roles: KnownRoles

    init(_ sink: Sink, _ roles: KnownRoles = KnownRoles()) {
        output = ConversationOutput(sink)
        self.roles = roles
    }

    /// The index of a link, valid until the next one opens or closes; `nil` if it is not open.
    @inline(__always) mutating func slot(of key: LinkKey) -> Int? {
        if lastSlot < keys.count, keys[lastSlot] == key { return lastSlot }
        guard let slot = keys.firstIndex(of: key) else { return nil }
        lastSlot = slot
        return slot
    }

    var sink: Sink {
        _read { yield output.sink }
        _modify { yield &output.sink }
    }

    @inline(__always)
    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        enterRecord(position)
        switch kind {
        case .hci(let type, let direction, let adapter):
            switch type {
            case .acl: receiveACL(direction, adapter, bytes)
            case .event: receiveEvent(adapter, bytes)
            case .command: receiveCommand(adapter, bytes)
            case .synchronous, .isochronous: break
            }
        case .monitor(let opcode, let adapter):
            receiveMonitor(opcode, adapter, bytes)
        case .air(let reception):
            receive(reception, bytes)
        case .attribute(let direction, let handle, let action):
            let action = action ?? (direction == .toDevice ? .command : .notified)
            output.connection = 0
            if case .read = action { output.emit(.readBegun(handle)) }
            output.emit(.transferred(handle, action), bytes)
        case .value(let direction, let channel, let action):
            output.connection = 0
            output.emit(.value(direction, channel, action), bytes)
        }
    }

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {
        enterRecord(position)
        note(oddity)
    }

    /// Ends the unfinished packets at the end of the recording. The connections stay open.
    mutating func finish() {
        dropAdvertisement()
        for slot in links.indices {
            decideRole(slot)
            endPackets(slot)
            emitRole(slot)
        }
        output.sink.finish()
    }

    @inline(__always)
    private mutating func enterRecord(_ position: FilePosition) {
        if last == nil { firstMicroseconds = position.microseconds }
        latestMicroseconds = max(latestMicroseconds, position.microseconds)
        last = position
        output.position = position
    }

    // MARK: Links

    mutating func note(_ oddity: TrafficOddity, on slot: Int? = nil) {
        output.emit(.odd(oddity), on: slot.map { links[$0].number } ?? noConnection)
    }

    // MARK: Opening and closing

    /// Opens a link, and emits its connection if its kind is known. Returns `nil` beyond the
    /// limits.
    mutating func open(
        _ key: LinkKey, _ kind: LinkKind, _ role: DeviceRole, _ address: DeviceAddress?
    ) -> Int? {
        if let slot = slot(of: key) { close(slot, nil) }
        if links.count >= ConnectionLimits.links,
            let slot = links.firstIndex(where: { $0.kind == .undetermined })
        {
            close(slot, nil)
        }
        guard links.count < ConnectionLimits.links else {
            note(.beyondLimits)
            return nil
        }
        keys.append(key)
        links.append(DecodedLink(role))
        lastSlot = links.count - 1
        if kind != .undetermined { determine(lastSlot, kind, address) }
        return lastSlot
    }

    private mutating func determine(_ slot: Int, _ kind: LinkKind, _ address: DeviceAddress?) {
        links[slot].kind = kind
        switch kind {
        case .undetermined, .unfollowed:
            break
        case .classic:
            note(.classicLink)
        case .lowEnergy:
            guard nextNumber < ConnectionLimits.numbers else {
                links[slot].kind = .unfollowed
                return note(.beyondLimits)
            }
            let number = nextNumber
            nextNumber += 1
            links[slot].number = number
            output.emit(.connected(address, links[slot].role), on: number)
            if links[slot].role == .unknown, let role = roles.role(of: number) {
                links[slot].role = role
                if roles.given != nil { links[slot].evidence = nil }
                output.emit(.role(role, .given), on: number)
            }
            // The event of encryption came before the kind of the connection was known.
            if links[slot].isEncrypted { output.emit(.encrypted(isReadable: true), on: number) }
        }
    }

    /// Marks a link as encrypted, and emits the event once.
    mutating func encrypt(_ slot: Int, isReadable: Bool) {
        guard !links[slot].isEncrypted else { return }
        links[slot].isEncrypted = true
        guard links[slot].number != noConnection else { return }
        output.emit(.encrypted(isReadable: isReadable), on: links[slot].number)
    }

    /// `true` if the connection of a key has just ended: a controller may pass on a packet that it
    /// had received before.
    func hasJustEnded(_ key: LinkKey) -> Bool {
        ended.contains { end in
            let passed = output.position.microseconds.subtractingReportingOverflow(
                end.position.microseconds)
            return end.key == key && !passed.overflow
                && (0...ConnectionLimits.afterEnd).contains(passed.partialValue)
                && output.position.number - end.position.number <= ConnectionLimits.recordsAfterEnd
        }
    }

    /// Ends a link, with the reason that the app's controller would report.
    mutating func close(_ slot: Int, _ reason: UInt8?) {
        decideRole(slot)
        endPackets(slot)
        emitRole(slot)
        let number = links[slot].number
        if number != noConnection { output.emit(.disconnected(reason: reason), on: number) }
        if ended.count >= ConnectionLimits.endedLinks { ended.removeFirst() }
        ended.append((keys[slot], output.position))
        links.swapAt(slot, links.count - 1)
        links.removeLast()
        keys.swapAt(slot, keys.count - 1)
        keys.removeLast()
    }

    mutating func closeAll(of adapter: UInt16) {
        while let slot = keys.firstIndex(where: { $0.belongs(to: adapter) }) { close(slot, nil) }
    }

    private mutating func endPackets(_ slot: Int) {
        for way in HCIDirection.allCases where links[slot].packets[way].isOpen {
            note(.unfinishedPacket, on: slot)
        }
        if links[slot].number != noConnection {
            output.connection = links[slot].number
            links[slot].attributes.end(into: &output)
        }
    }

    // MARK: Roles that were not recorded

    /// Notes a packet that only one role sends: the role of the device at the given end of the
    /// connection is certain.
    mutating func note(certain role: DeviceRole, of slot: Int) {
        links[slot].evidence?.note(certain: role)
        decideRole(slot)
    }

    mutating func hint(_ role: DeviceRole, of adapter: UInt16) {
        for slot in keys.indices where keys[slot].belongs(to: adapter) {
            links[slot].evidence?.hint(role)
        }
    }

    /// Decides the role of a connection, if packets wait for that, and decodes them.
    mutating func decideRole(_ slot: Int) {
        guard links[slot].wayToDevice == nil, links[slot].number != noConnection,
            let evidence = links[slot].evidence, !evidence.held.isEmpty || evidence.isDecisive
        else { return }
        links[slot].role = evidence.role
        emitRole(slot)
        let position = output.position
        links[slot].evidence?.held = []
        for packet in evidence.held {
            let isToDevice = packet.way == links[slot].wayToDevice
            output.position = packet.position
            let direction: Direction = isToDevice ? .toDevice : .fromDevice
            decode(packet.bytes.span, direction, of: slot)
        }
        output.position = position
    }

    private mutating func emitRole(_ slot: Int) {
        guard links[slot].wayToDevice != nil, let evidence = links[slot].evidence else { return }
        let role = links[slot].role
        output.emit(.role(role, evidence.basis(of: role)), on: links[slot].number)
    }

    @inline(never)
    private mutating func hold(_ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int) {
        links[slot].evidence?.hold(packet, way, at: output.position)
        if links[slot].evidence?.isDecisive == true { decideRole(slot) }
    }

    // MARK: Packets

    /// Receives a fragment of a packet. Whole packets, as nearly all are, are not copied.
    @inline(__always) mutating func receive(
        _ fragment: Span<UInt8>, isStart: Bool, _ way: HCIDirection, of slot: Int
    ) {
        if isStart, L2CAPAssembly.length(of: fragment) == fragment.count,
            !links[slot].packets[way].isOpen
        {
            receivePacket(fragment, way, of: slot)
        } else {
            join(fragment, isStart: isStart, way, of: slot)
        }
    }

    /// Drops the unfinished packet, as a fragment of it is known to be lost.
    mutating func drop(_ way: HCIDirection, of slot: Int) {
        guard links[slot].packets[way].isOpen else { return }
        links[slot].packets[way].drop()
        note(.unfinishedPacket, on: slot)
    }

    private mutating func join(
        _ fragment: Span<UInt8>, isStart: Bool, _ way: HCIDirection, of slot: Int
    ) {
        if isStart { drop(way, of: slot) }
        switch links[slot].packets[way].append(fragment, isStart: isStart) {
        case .incomplete:
            break
        case .stray:
            note(.strayFragment, on: slot)
        case .whole:
            let packet = links[slot].packets[way].removePacket()
            receivePacket(packet.span, way, of: slot)
            links[slot].packets[way].restore(packet)
        }
    }

    @inline(__always) private mutating func receivePacket(
        _ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int
    ) {
        let payload = packet.extracting(droppingFirst: L2CAPAssembly.headerLength)
        if packet.littleEndian16(at: 2) == L2CAPChannel.attributes.rawValue,
            links[slot].kind == .lowEnergy, !payload.isEmpty
        {
            receiveAttributes(payload, way, of: slot)
        } else {
            receiveOther(packet, way, of: slot)
        }
    }

    @inline(__always) private mutating func receiveAttributes(
        _ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int
    ) {
        guard let direction = links[slot].direction(packet, way) else {
            return hold(packet, way, of: slot)
        }
        decode(packet, direction, of: slot)
    }

    @inline(__always) private mutating func decode(
        _ packet: Span<UInt8>, _ direction: Direction, of slot: Int
    ) {
        output.connection = links[slot].number
        links[slot].attributes.receive(packet, direction, into: &output)
    }

    private mutating func receiveOther(_ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int) {
        // A dynamic channel, which both kinds of links have, is not decoded.
        guard let channel = packet.littleEndian16(at: 2).flatMap(L2CAPChannel.init) else { return }
        let payload = packet.extracting(droppingFirst: L2CAPAssembly.headerLength)
        if links[slot].kind == .undetermined {
            determine(slot, channel.isLowEnergy ? .lowEnergy : .classic, nil)
        }
        guard links[slot].kind != .unfollowed else { return }
        guard channel.isLowEnergy == (links[slot].kind == .lowEnergy) else {
            return note(.unknownPacket, on: slot)
        }
        switch channel {
        case .attributes where payload.isEmpty:
            note(.shortPacket, on: slot)
        case .attributes:
            receiveAttributes(payload, way, of: slot)
        case .signalling, .lowEnergySignalling:
            var rest = payload
            while let code = rest.byte(at: 0), let length = rest.littleEndian16(at: 2) {
                let body = rest.extracting(droppingFirst: 4)
                receiveCommand(code, body.extracting(first: Int(length)), way, of: slot)
                rest = body.extracting(droppingFirst: Int(length))
            }
        case .security:
            // A packet of the security manager shows the role of its sender: 01, a request to
            // pair, is a central's; 02, its response, and 0B, a request for security, are not.
            switch payload.byte(at: 0) {
            case 0x01: note(certain: way == .toController ? .remote : .local, of: slot)
            case 0x02, 0x0B: note(certain: way == .toHost ? .remote : .local, of: slot)
            default: break
            }
        case .connectionless, .classicSecurity:
            break
        }
    }

    /// Receives a command of a signalling channel (volume 3, part A, 4).
    ///
    /// ```
    /// code (1)  identifier (1)  length (2)  then, of a request for a channel or several:  PSM (2)
    ///
    /// 12      a peripheral's request for other parameters of the connection
    /// 02      request for a channel of a classic link: with PSM 1F, for attributes
    /// 14, 17  low energy and credit based requests: with PSM 27, for attributes
    /// ```
    ///
    /// By the specification, 17 opens bearers of attributes. Linux (BlueZ 5.66) was seen to open
    /// them with 14.
    private mutating func receiveCommand(
        _ code: UInt8, _ body: Span<UInt8>, _ way: HCIDirection, of slot: Int
    ) {
        let isBearer: Bool
        switch code {
        case 0x12 where links[slot].kind == .lowEnergy:
            return note(certain: way == .toHost ? .remote : .local, of: slot)
        case 0x02: isBearer = body.littleEndian16(at: 0) == 0x1F
        case 0x14, 0x17: isBearer = body.littleEndian16(at: 0) == 0x27
        default: return
        }
        guard isBearer, !links[slot].hasOtherBearer else { return }
        links[slot].hasOtherBearer = true
        note(.otherBearer, on: slot)
    }
}
