import HaloTransport

struct RecordedLinks {
    /// The connections of one device, one after another.
    struct Link {
        let name: CaptureName?
        let tags: [CaptureText]
        var transcriber: LinkTranscriber
        var history = LinkHistory()
        var isConnected = false
    }

    var links: [PeripheralIdentity: Link] = [:]
    private var heard: [PeripheralIdentity: Discovery] = [:]
    private var heardOrder = Queue<PeripheralIdentity>()
    private var unnamedCount = 0

    /// The maximum number of devices whose advertisements are kept before a connection.
    private static let heardLimit = 64
    /// The number of devices beyond which unconnected devices without kept lines are dropped.
    private static let usualCount = 64

    /// Stores the last advertisement of a device.
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

    /// Adds a device, if it is new, and returns its last advertisement.
    mutating func open(_ identity: PeripheralIdentity, _ options: RecordingOptions) -> Discovery? {
        let discovery = heard[identity]
        if links[identity] == nil {
            if links.count >= Self.usualCount {
                links = links.filter { $0.value.isConnected || $0.value.history.first != nil }
            }
            let name = name(of: identity, options)
            links[identity] = Link(
                name: name, tags: Self.tags(identity, discovery, name),
                transcriber: LinkTranscriber(name))
        }
        return discovery
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
        let tags = [("address", identity.rawValue), ("name", discovery?.name)]
        return tags.compactMap { tag, value in
            value.map { CaptureText("\(tag): \(CaptureText.harmless($0))\(suffix)") }
        }
    }
}
