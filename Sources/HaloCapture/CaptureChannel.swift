public import HaloProtocol

/// Where a value was written, or where it came from.
public enum CaptureChannel: Hashable, Sendable {
    /// The 16-byte frames of a ring.
    case uart
    /// The long frames of a ring.
    case bigData
    /// The frames of an LED controller.
    case ledStrip
    /// The data of an advertisement.
    case advertisement
    /// The data of a scan response.
    case scanResponse
    /// Any other characteristic.
    case characteristic(ChannelUUID)

    static let known: [(name: String, channel: CaptureChannel)] = [
        ("uart", .uart), ("bigdata", .bigData), ("ledstrip", .ledStrip),
        ("adv", .advertisement), ("scan", .scanResponse),
    ]

    /// The name of a channel that needs no declaration.
    var knownName: String? {
        Self.known.first { $0.channel == self }?.name
    }
}

extension CaptureChannel {
    /// The channel of a characteristic, whichever way it carries values.
    public init(_ uuid: ChannelUUID) {
        let known = Self.known.first { $0.channel.uuids.contains(uuid) }
        self = known?.channel ?? .characteristic(uuid)
    }

    /// The characteristic that carries values of the channel in a direction.
    public func uuid(_ direction: Direction) -> ChannelUUID? {
        let uuids = uuids
        return direction == .toDevice ? uuids.first : uuids.last
    }

    /// The channel's characteristics: the one to write to, then the one that notifies.
    var uuids: [ChannelUUID] {
        switch self {
        case .uart:
            [
                ChannelUUID(unchecked: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"),
                ChannelUUID(unchecked: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"),
            ]
        case .bigData:
            [
                ChannelUUID(unchecked: "DE5BF72A-D711-4E47-AF26-65E3012A5DC7"),
                ChannelUUID(unchecked: "DE5BF729-D711-4E47-AF26-65E3012A5DC7"),
            ]
        case .ledStrip: [ChannelUUID(unchecked: "FFD9"), ChannelUUID(unchecked: "FFD4")]
        case .advertisement, .scanResponse: []
        case .characteristic(let uuid): [uuid]
        }
    }

    static func isKnown(_ name: CaptureName) -> Bool { known.contains { $0.name == name.text } }
}
