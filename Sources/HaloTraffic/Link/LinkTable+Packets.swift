import HaloProtocol

/// What goes over the links: fragments, packets, attributes.
extension LinkTable {
    /// Takes in a fragment of a packet; whole ones, which nearly all are, are not copied.
    @inline(__always) mutating func take(
        _ fragment: Span<UInt8>, isStart: Bool, _ way: HCIDirection, of slot: Int,
        at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        if isStart, L2CAPAssembly.length(of: fragment) == fragment.count,
            !isOpen(way, of: slot)
        {
            takePacket(fragment, way, of: slot, at: place, into: &sink)
        } else {
            join(fragment, isStart: isStart, way, of: slot, at: place, into: &sink)
        }
    }

    /// Whether a packet has begun that way and is not whole.
    @inline(__always) func isOpen(_ way: HCIDirection, of slot: Int) -> Bool {
        way == .toController ? links[slot].outward.isOpen : links[slot].inward.isOpen
    }

    /// Gives up the packet that is not whole: a fragment of it is known to be lost.
    mutating func drop(
        _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        guard isOpen(way, of: slot) else { return }
        switch way {
        case .toController: links[slot].outward.drop()
        case .toHost: links[slot].inward.drop()
        }
        note(.unfinishedPacket, on: slot, at: place, into: &sink)
    }

    /// Says that something looks wrong on a link.
    func note(
        _ oddity: TrafficOddity, on slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        sink.take(.odd(oddity), Span(), on: links[slot].number, at: place)
    }

    private mutating func join(
        _ fragment: Span<UInt8>, isStart: Bool, _ way: HCIDirection, of slot: Int,
        at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        if isStart { drop(way, of: slot, at: place, into: &sink) }
        let progress: L2CAPAssembly.Progress
        switch (way, isStart) {
        case (.toController, true): progress = links[slot].outward.begin(fragment)
        case (.toController, false): progress = links[slot].outward.append(fragment)
        case (.toHost, true): progress = links[slot].inward.begin(fragment)
        case (.toHost, false): progress = links[slot].inward.append(fragment)
        }
        switch progress {
        case .incomplete, .passed:
            break
        case .stray:
            note(.strayFragment, on: slot, at: place, into: &sink)
        case .whole where way == .toController:
            let packet = links[slot].outward.takePacket()
            takePacket(packet.span, way, of: slot, at: place, into: &sink)
            links[slot].outward.restore(packet)
        case .whole:
            let packet = links[slot].inward.takePacket()
            takePacket(packet.span, way, of: slot, at: place, into: &sink)
            links[slot].inward.restore(packet)
        }
    }

    @inline(__always) private mutating func takePacket(
        _ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        let payload = packet.extracting(droppingFirst: L2CAPAssembly.headerLength)
        if packet.littleEndian16(at: 2) == L2CAPChannel.attributes.rawValue,
            links[slot].kind == .lowEnergy, !payload.isEmpty
        {
            takeAttributes(payload, way, of: slot, at: place, into: &sink)
        } else {
            takeOther(packet, way, of: slot, at: place, into: &sink)
        }
    }

    @inline(__always) private mutating func takeAttributes(
        _ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        let direction = links[slot].direction(packet, way)
        links[slot].attributes.take(
            packet, direction, on: links[slot].number, at: place, into: &sink)
    }

    private mutating func takeOther(
        _ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        guard let number = packet.littleEndian16(at: 2) else { return }
        let payload = packet.extracting(droppingFirst: L2CAPAssembly.headerLength)
        guard let channel = L2CAPChannel(rawValue: number) else {
            // A number that the two sides agreed on: both kinds of links have those.
            if let bearer = links[slot].bearers.index(of: number, way) {
                takeSegment(payload, way, of: slot, bearer: bearer, at: place, into: &sink)
            }
            return
        }
        if links[slot].kind == .undetermined {
            determine(
                slot, channel.isLowEnergy ? .lowEnergy : .classic, nil, at: place, into: &sink)
        }
        guard links[slot].kind != .unfollowed else { return }
        guard channel.isLowEnergy == (links[slot].kind == .lowEnergy) else {
            return note(.unknownPacket, on: slot, at: place, into: &sink)
        }
        switch channel {
        case .attributes where payload.isEmpty:
            note(.shortPacket, on: slot, at: place, into: &sink)
        case .attributes:
            takeAttributes(payload, way, of: slot, at: place, into: &sink)
        case .signalling, .lowEnergySignalling:
            takeCommands(payload, way, of: slot, at: place, into: &sink)
        case .connectionless, .security, .classicSecurity:
            break
        }
    }
}
