/// Attributes on a channel of their own, with credits (Enhanced ATT): requests on several such
/// channels may be under way at once, so each has a follower of its own.
struct EnhancedBearer<Attributes: AttributeFollower>: Sendable {
    /// The channel's number in packets to the controller: the other side has given it out.
    let outwardChannel: UInt16
    /// The channel's number in packets to the host: this side has given it out.
    let inwardChannel: UInt16
    var outward = SegmentAssembly()
    var inward = SegmentAssembly()
    var attributes = Attributes()

    init(outwardChannel: UInt16, inwardChannel: UInt16) {
        self.outwardChannel = outwardChannel
        self.inwardChannel = inwardChannel
    }
}

/// The bearers of one connection, and those that were asked for.
struct BearerTable<Attributes: AttributeFollower>: Sendable {
    /// How many bearers of a connection are followed.
    static var mostBearers: Int { 16 }
    /// How many requests are remembered.
    static var mostRequests: Int { 4 }
    /// How many channels one request can ask for.
    static var mostChannels: Int { 5 }

    private struct Request: Sendable {
        var identifier: UInt8
        var way: HCIDirection
        var channels: [UInt16]
    }

    var bearers = ContiguousArray<EnhancedBearer<Attributes>>()
    private var requests: [Request] = []

    /// Which bearer packets with that channel's number belong to, on their way.
    @inline(__always) func index(of channel: UInt16, _ way: HCIDirection) -> Int? {
        if bearers.isEmpty { return nil }
        return bearers.firstIndex {
            way == .toController ? $0.outwardChannel == channel : $0.inwardChannel == channel
        }
    }

    /// Somebody asks for bearers, under numbers of his own.
    mutating func ask(_ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16]) {
        requests.removeAll { $0.identifier == identifier && $0.way == way }
        if requests.count >= Self.mostRequests { requests.removeFirst() }
        requests.append(
            Request(
                identifier: identifier, way: way,
                channels: Array(channels.prefix(Self.mostChannels))))
    }

    /// The other side answers with its numbers, 0 for those it refuses.
    ///
    /// False if there are more than are followed.
    mutating func answer(_ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16]) -> Bool {
        let isAnswered = { (request: Request) in
            request.identifier == identifier && request.way == way.opposite
        }
        guard let index = requests.firstIndex(where: isAnswered) else { return true }
        for (asker, answerer) in zip(requests.remove(at: index).channels, channels)
        where asker != 0 && answerer != 0 {
            let bearer =
                way == .toHost
                ? EnhancedBearer<Attributes>(outwardChannel: answerer, inwardChannel: asker)
                : EnhancedBearer<Attributes>(outwardChannel: asker, inwardChannel: answerer)
            bearers.removeAll {
                $0.outwardChannel == bearer.outwardChannel
                    || $0.inwardChannel == bearer.inwardChannel
            }
            guard bearers.count < Self.mostBearers else { return false }
            bearers.append(bearer)
        }
        return true
    }
}
