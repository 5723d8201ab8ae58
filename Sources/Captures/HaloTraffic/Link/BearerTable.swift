struct BearerTable<Attributes: AttributeDecoder>: Sendable {
    static var mostBearers: Int { 16 }
    static var mostRequests: Int { 4 }
    static var mostChannels: Int { 5 }

    var bearers = ContiguousArray<EnhancedBearer<Attributes>>()
    private var requests: [(identifier: UInt8, way: HCIDirection, channels: [UInt16])] = []

    @inline(__always) func index(of channel: UInt16, _ way: HCIDirection) -> Int? {
        if bearers.isEmpty { return nil }
        return bearers.firstIndex { $0.channels[way] == channel }
    }

    /// Notes a request for bearers, with the channel numbers of the requesting side.
    mutating func request(_ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16]) {
        requests.removeAll { $0.identifier == identifier && $0.way == way }
        if requests.count >= Self.mostRequests { requests.removeFirst() }
        requests.append((identifier, way, channels))
    }

    /// Opens the bearers in the response to a request. A channel number of 0 means a refusal.
    /// Returns `false` beyond the limit of bearers.
    mutating func respond(_ identifier: UInt8, _ way: HCIDirection, _ channels: [UInt16]) -> Bool {
        let index = requests.firstIndex {
            $0.identifier == identifier && $0.way == way.opposite
        }
        guard let index else { return true }
        for (requester, responder) in zip(requests.remove(at: index).channels, channels)
        where requester != 0 && responder != 0 {
            var channels = ByWay(requester)
            channels[way.opposite] = responder
            bearers.removeAll { bearer in
                HCIDirection.allCases.contains { bearer.channels[$0] == channels[$0] }
            }
            guard bearers.count < Self.mostBearers else { return false }
            bearers.append(EnhancedBearer(channels: channels))
        }
        return true
    }
}
