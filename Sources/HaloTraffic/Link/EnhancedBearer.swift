/// A bearer of the attribute protocol on its own channel with credits (Enhanced ATT). Several such
/// channels can have pending requests at once, so each has its own decoder.
struct EnhancedBearer<Attributes: AttributeDecoder>: Sendable {
    /// The channel number in packets to the controller, assigned by the other side.
    let outwardChannel: UInt16
    /// The channel number in packets to the host, assigned by this side.
    let inwardChannel: UInt16
    var outward = SegmentAssembly()
    var inward = SegmentAssembly()
    var attributes = Attributes()
}

/// The bearers of one connection, and the pending requests for more.
struct BearerTable<Attributes: AttributeDecoder>: Sendable {
    /// The maximum number of decoded bearers of a connection.
    static var mostBearers: Int { 16 }
    /// The maximum number of remembered requests.
    static var mostRequests: Int { 4 }
    /// The maximum number of channels in one request.
    static var mostChannels: Int { 5 }

    private struct Request: Sendable {
        var identifier: UInt8
        var way: HCIDirection
        var channels: [UInt16]
    }

    var bearers = ContiguousArray<EnhancedBearer<Attributes>>()
    private var requests: [Request] = []

    /// The index of the bearer with a channel number in one direction.
    @inline(__always) func index(of channel: UInt16, _ way: HCIDirection) -> Int? {
        if bearers.isEmpty { return nil }
        return bearers.firstIndex {
            way == .toController ? $0.outwardChannel == channel : $0.inwardChannel == channel
        }
    }

    /// Notes a request for bearers, with the channel numbers of the requesting side.
    mutating func request(_ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16]) {
        requests.removeAll { $0.identifier == identifier && $0.way == way }
        if requests.count >= Self.mostRequests { requests.removeFirst() }
        requests.append(
            Request(
                identifier: identifier, way: way,
                channels: Array(channels.prefix(Self.mostChannels))))
    }

    /// Opens the bearers in the response to a request. A channel number of 0 means a refusal.
    /// Returns `false` beyond the limit of bearers.
    mutating func respond(_ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16]) -> Bool {
        let isAnswered = { (request: Request) in
            request.identifier == identifier && request.way == way.opposite
        }
        guard let index = requests.firstIndex(where: isAnswered) else { return true }
        for (requester, responder) in zip(requests.remove(at: index).channels, channels)
        where requester != 0 && responder != 0 {
            let bearer =
                way == .toHost
                ? EnhancedBearer<Attributes>(
                    outwardChannel: responder, inwardChannel: requester)
                : EnhancedBearer<Attributes>(
                    outwardChannel: requester, inwardChannel: responder)
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

/// Joins the units (SDUs) of one direction of a channel with credits. The first packet of each unit
/// begins with the unit's length, in two bytes.
struct SegmentAssembly: Sendable {
    /// The length of the length field in bytes.
    static let headerLength = 2

    private var bytes = ContiguousArray<UInt8>()
    private var length = 0
    /// `true` if a unit has begun and is not whole.
    private(set) var isOpen = false

    /// Appends the payload of a packet.
    mutating func append(_ payload: Span<UInt8>) -> L2CAPAssembly.Progress {
        var rest = payload
        if !isOpen {
            guard let length = payload.littleEndian16(at: 0) else { return .stray }
            self.length = Int(length)
            isOpen = true
            rest = payload.extracting(droppingFirst: Self.headerLength)
        }
        guard rest.count <= length - bytes.count else {
            drop()
            return .stray
        }
        rest.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        if bytes.count < length { return .incomplete }
        isOpen = false
        return .whole
    }

    /// Drops the unit that is not whole.
    mutating func drop() {
        isOpen = false
        bytes.removeAll(keepingCapacity: true)
    }

    /// Moves out the storage with the whole unit; ``restore(_:)`` moves it back.
    mutating func removeUnit() -> ContiguousArray<UInt8> {
        var unit = ContiguousArray<UInt8>()
        swap(&unit, &bytes)
        return unit
    }

    /// Moves the storage back, so that the next unit needs no allocation.
    mutating func restore(_ storage: consuming ContiguousArray<UInt8>) {
        bytes = storage
        drop()
    }
}
