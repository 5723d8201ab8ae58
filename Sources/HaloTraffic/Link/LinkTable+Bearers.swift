import HaloProtocol

/// Other bearers of attributes than the fixed channel: how they are opened, and what they carry.
extension LinkTable {
    /// Takes in commands of a signalling channel.
    mutating func takeCommands(
        _ commands: Span<UInt8>, _ way: HCIDirection, of slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        var rest = commands
        while let code = rest.byte(at: 0), let identifier = rest.byte(at: 1),
            let length = rest.littleEndian16(at: 2)
        {
            let body = rest.extracting(droppingFirst: L2CAPCommand.headerLength)
                .extracting(first: Int(length))
            takeCommand(code, identifier, body, way, of: slot, at: place, into: &sink)
            rest = rest.extracting(droppingFirst: L2CAPCommand.headerLength + Int(length))
        }
    }

    private mutating func takeCommand(
        _ code: UInt8, _ identifier: UInt8, _ body: Span<UInt8>, _ way: HCIDirection,
        of slot: Int, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        let port = body.littleEndian16(at: 0)
        guard links[slot].kind == .lowEnergy else {
            let isBearer =
                code == L2CAPCommand.connectionRequest && port == L2CAPCommand.attributes
                || code == L2CAPCommand.creditBasedConnectionRequest
                    && port == L2CAPCommand.enhancedAttributes
            guard isBearer, !links[slot].hasOtherBearer else { return }
            links[slot].hasOtherBearer = true
            return note(.otherBearer, on: slot, at: place, into: &sink)
        }
        switch code {
        case L2CAPCommand.creditBasedConnectionRequest
        where port == L2CAPCommand.enhancedAttributes:
            links[slot].bearers.ask(identifier, way, Self.channels(body))
        case L2CAPCommand.lowEnergyConnectionRequest
        where port == L2CAPCommand.enhancedAttributes:
            guard let channel = body.littleEndian16(at: 2) else { return }
            links[slot].bearers.ask(identifier, way, [channel])
        case L2CAPCommand.creditBasedConnectionResponse:
            answer(identifier, way, Self.channels(body), of: slot, at: place, into: &sink)
        case L2CAPCommand.lowEnergyConnectionResponse:
            guard let channel = body.littleEndian16(at: 0) else { return }
            answer(identifier, way, [channel], of: slot, at: place, into: &sink)
        case L2CAPCommand.disconnectionRequest:
            // The first number is the one that packets of this way carry.
            guard let channel = body.littleEndian16(at: 0),
                let index = links[slot].bearers.index(of: channel, way)
            else { return }
            endBearer(index, of: slot, at: place, into: &sink)
            links[slot].bearers.bearers.remove(at: index)
        default:
            break
        }
    }

    private mutating func answer(
        _ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16], of slot: Int,
        at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        let isFollowed = links[slot].bearers.answer(identifier, way, channels)
        links[slot].followsDynamicChannels()
        if !isFollowed { note(.beyondLimits, on: slot, at: place, into: &sink) }
    }

    private static func channels(_ body: Span<UInt8>) -> [UInt16] {
        var channels: [UInt16] = []
        var offset = L2CAPCommand.channelsOffset
        while let channel = body.littleEndian16(at: offset),
            channels.count < BearerTable<Attributes>.mostChannels
        {
            channels.append(channel)
            offset += 2
        }
        return channels
    }

    /// Takes in what a packet of a bearer carries.
    mutating func takeSegment(
        _ payload: Span<UInt8>, _ way: HCIDirection, of slot: Int, bearer: Int,
        at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        let progress =
            way == .toController
            ? links[slot].bearers.bearers[bearer].outward.append(payload)
            : links[slot].bearers.bearers[bearer].inward.append(payload)
        switch progress {
        case .incomplete, .passed:
            break
        case .stray:
            note(.strayFragment, on: slot, at: place, into: &sink)
        case .whole where way == .toController:
            let unit = links[slot].bearers.bearers[bearer].outward.takeUnit()
            takeUnit(unit.span, way, of: slot, bearer: bearer, at: place, into: &sink)
            links[slot].bearers.bearers[bearer].outward.restore(unit)
        case .whole:
            let unit = links[slot].bearers.bearers[bearer].inward.takeUnit()
            takeUnit(unit.span, way, of: slot, bearer: bearer, at: place, into: &sink)
            links[slot].bearers.bearers[bearer].inward.restore(unit)
        }
    }

    private mutating func takeUnit(
        _ packet: Span<UInt8>, _ way: HCIDirection, of slot: Int, bearer: Int,
        at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        guard !packet.isEmpty else {
            return note(.shortPacket, on: slot, at: place, into: &sink)
        }
        let direction = links[slot].direction(packet, way)
        links[slot].bearers.bearers[bearer].attributes.take(
            packet, direction, on: links[slot].number, at: place, into: &sink)
    }

    /// Tells what is open on a bearer that ends.
    mutating func endBearer(
        _ bearer: Int, of slot: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        if links[slot].bearers.bearers[bearer].outward.isOpen {
            note(.unfinishedPacket, on: slot, at: place, into: &sink)
        }
        if links[slot].bearers.bearers[bearer].inward.isOpen {
            note(.unfinishedPacket, on: slot, at: place, into: &sink)
        }
        guard links[slot].number != noConnection else { return }
        links[slot].bearers.bearers[bearer].attributes.end(
            on: links[slot].number, at: place, into: &sink)
    }
}
