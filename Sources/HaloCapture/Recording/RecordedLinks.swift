import HaloProtocol
import HaloTransport

/// The connections that are recorded, by the devices that they lead to.
struct RecordedLinks {
    /// One device's connections, one after another.
    struct Link {
        let name: CaptureName?
        let tags: [CaptureText]
        var transcriber = LinkTranscriber()
        var lane = RecordedLane()
        var isConnected = false
    }

    private(set) var links: [PeripheralIdentity: Link] = [:]
    private var heard: [PeripheralIdentity: Discovery] = [:]
    private var heardOrder = FIFO<PeripheralIdentity>()
    private var unnamedCount = 0

    /// Of so many devices that are not connected to, the advertisements are remembered.
    private static let heardLimit = 64
    /// Of more devices than that, those are forgotten of which nothing is kept.
    private static let usualCount = 64

    /// Remembers what a device advertised last.
    mutating func hear(_ discovery: Discovery) {
        let identity = discovery.identity
        if heard[identity] == nil {
            heardOrder.append(identity)
            if heardOrder.count > Self.heardLimit, let oldest = heardOrder.popFirst() {
                heard[oldest] = nil
            }
        }
        heard[identity] = discovery
    }

    /// The device's connections; they begin when there is none.
    mutating func open(_ identity: PeripheralIdentity, _ options: RecordingOptions) -> Discovery? {
        let discovery = heard[identity]
        if links[identity] == nil {
            if links.count >= Self.usualCount {
                links = links.filter { $0.value.isConnected || $0.value.lane.first != nil }
            }
            let name = name(of: identity, options)
            links[identity] = Link(
                name: name, tags: Self.tags(identity, discovery, name))
        }
        return discovery
    }

    /// Changes what is known of a device's connections, if there were any.
    mutating func change<Result>(
        _ identity: PeripheralIdentity, _ body: (inout Link) -> Result
    ) -> Result? {
        guard let index = links.index(forKey: identity) else { return nil }
        return body(&links.values[index])
    }

    private mutating func name(
        of identity: PeripheralIdentity, _ options: RecordingOptions
    ) -> CaptureName? {
        if let name = options.linkNames[identity] { return name }
        unnamedCount += 1
        return unnamedCount == 1 ? nil : try? CaptureName("link-\(unnamedCount)")
    }

    private static func tags(
        _ identity: PeripheralIdentity, _ discovery: Discovery?, _ name: CaptureName?
    ) -> [CaptureText] {
        let suffix = CaptureText.ending(name)
        let words = discovery?.name.map(CaptureText.harmless)
        let called = words.map { CaptureText("name: \($0)\(suffix)") }
        let address = CaptureText.harmless(identity.rawValue)
        return [CaptureText("address: \(address)\(suffix)")] + (called.map { [$0] } ?? [])
    }
}
