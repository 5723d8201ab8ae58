package struct LineCounts: Hashable, Sendable {
    package private(set) var packetCount = 0
    /// The number of connections; packets of a device that has not connected before count as one.
    package private(set) var connectionCount = 0
    private var connected: Set<CaptureName?> = []

    package init() {}

    package mutating func add(_ line: CaptureLine) {
        switch line {
        case .packet(let packet):
            packetCount += 1
            // Advertisements come without a connection.
            if packet.channel != .advertisement { connect(packet.link, isNew: false) }
        case .event(.connected, let link): connect(link, isNew: true)
        case .event(.disconnected, let link): connected.remove(link)
        case .version, .blank, .name, .elapsed, .reading, .error, .comment, .event: break
        }
    }

    private mutating func connect(_ link: CaptureName?, isNew: Bool) {
        if connected.insert(link).inserted || isNew { connectionCount += 1 }
    }
}
