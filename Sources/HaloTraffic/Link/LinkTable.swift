import HaloCapture
import HaloProtocol

/// The connections that stand, and the numbers that they are told by.
///
/// Numbers begin at 0 in the order in which connections are met, and are not used again; a
/// classic link has none. Where two adapters of one computer talk to each other, as a Linux
/// monitor may show it, each of them has a connection of its own: there are two.
///
/// No record costs an allocation or a copy of a link: links are changed where they lie, and the
/// one of the last record is found without a search.
struct LinkTable<Attributes: AttributeFollower>: Sendable {
    /// How many connections may stand at once; a controller has fewer.
    static var mostLinks: Int { 64 }
    /// How many connections of one recording are followed.
    static var mostNumbers: Int { 4096 }

    private var keys = ContiguousArray<LinkKey>()
    var links = ContiguousArray<Link<Attributes>>()
    private var lastSlot = 0
    private var nextNumber = 0

    /// Where the link lies until the next one opens or closes.
    @inline(__always) mutating func slot(of key: LinkKey) -> Int? {
        if lastSlot < keys.count, keys[lastSlot] == key { return lastSlot }
        guard let slot = keys.firstIndex(of: key) else { return nil }
        lastSlot = slot
        return slot
    }

    /// Opens a link, and tells of it if its kind is known; there is none beyond the limits.
    mutating func open(
        _ key: LinkKey, _ kind: LinkKind, _ role: DeviceRole, _ address: DeviceAddress?,
        at place: RecordPlace, into sink: inout some ConversationSink
    ) -> Int? {
        if let slot = slot(of: key) { close(slot, nil, at: place, into: &sink) }
        if links.count >= Self.mostLinks,
            let slot = links.firstIndex(where: { $0.kind == .undetermined })
        {
            close(slot, nil, at: place, into: &sink)
        }
        guard links.count < Self.mostLinks else {
            sink.take(.odd(.beyondLimits), Span(), on: noConnection, at: place)
            return nil
        }
        keys.append(key)
        links.append(Link(key, .undetermined, role))
        lastSlot = links.count - 1
        if kind != .undetermined {
            determine(lastSlot, kind, address, at: place, into: &sink)
        }
        return lastSlot
    }

    /// Says of which kind a link is.
    mutating func determine(
        _ slot: Int, _ kind: LinkKind, _ address: DeviceAddress?, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        links[slot].kind = kind
        switch kind {
        case .undetermined, .unfollowed:
            break
        case .classic:
            sink.take(.odd(.classicLink), Span(), on: noConnection, at: place)
        case .lowEnergy:
            guard nextNumber < Self.mostNumbers else {
                links[slot].kind = .unfollowed
                sink.take(.odd(.beyondLimits), Span(), on: noConnection, at: place)
                return
            }
            links[slot].number = nextNumber
            nextNumber += 1
            sink.take(
                .connected(address, links[slot].role), Span(), on: links[slot].number, at: place)
            if links[slot].isEncrypted {
                // Said while nobody knew yet what kind of connection it is.
                sink.take(
                    .encrypted(isReadable: true), Span(), on: links[slot].number, at: place)
            }
        }
    }

    /// Ends a link; the reason is the one that the app's side would have been told.
    mutating func close(
        _ slot: Int, _ reason: UInt8?, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        endPackets(slot, at: place, into: &sink)
        let number = links[slot].number
        if number != noConnection {
            sink.take(.disconnected(reason: reason), Span(), on: number, at: place)
        }
        links.swapAt(slot, links.count - 1)
        links.removeLast()
        keys.swapAt(slot, keys.count - 1)
        keys.removeLast()
    }

    /// Ends all links of an adapter: it was reset or taken away.
    mutating func closeAll(
        of adapter: UInt16, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        while let slot = keys.firstIndex(where: { $0.belongs(to: adapter) }) {
            close(slot, nil, at: place, into: &sink)
        }
    }

    /// Tells what is not whole: the recording is over, though the connections are not.
    mutating func finish(at place: RecordPlace, into sink: inout some ConversationSink) {
        for slot in links.indices { endPackets(slot, at: place, into: &sink) }
    }

    private mutating func endPackets(
        _ slot: Int, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        let number = links[slot].number
        if links[slot].outward.isOpen {
            sink.take(.odd(.unfinishedPacket), Span(), on: number, at: place)
        }
        if links[slot].inward.isOpen {
            sink.take(.odd(.unfinishedPacket), Span(), on: number, at: place)
        }
        links[slot].outward.drop()
        links[slot].inward.drop()
        if number != noConnection {
            links[slot].attributes.end(on: number, at: place, into: &sink)
        }
        for bearer in links[slot].bearers.bearers.indices {
            endBearer(bearer, of: slot, at: place, into: &sink)
        }
    }
}
