import HaloProtocol
import HaloTransport

extension BluetoothUUID {
    /// The number as captures write it.
    var lowercased: String { description.lowercased() }
}

extension GATTProperties {
    /// What can be done with a characteristic, in the words of captures.
    static let captureWords: [(word: String, property: GATTProperties)] = [
        ("broadcast", .broadcast), ("read", .read), ("command", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ("signed", .signedWrite), ("extended", .extended),
    ]

    /// The words, each with a space before it.
    var words: String {
        Self.captureWords.filter { contains($0.property) }.map { " \($0.word)" }.joined()
    }
}

extension CaptureEvent {
    /// The event as captures write it, where channels are called as `name` says.
    func words(_ name: (CaptureChannel) -> String) -> String {
        switch self {
        case .connected(let mtu): "connected" + (mtu.map { " mtu \($0)" } ?? "")
        case .mtu(let mtu): "mtu \(mtu)"
        case .subscribed(let channel): "subscribed \(name(channel))"
        case .unsubscribed(let channel): "unsubscribed \(name(channel))"
        case .read(let channel): "read \(name(channel))"
        case .acknowledged(let channel): "acknowledged \(name(channel))"
        case .refused(let channel, let code): "refused \(name(channel)) \(HexText.byte(code))"
        case .confirmed(let channel): "confirmed \(name(channel))"
        case .offers(let service, let characteristic, let properties):
            "offers \(service.lowercased) \(characteristic.lowercased)\(properties.words)"
        case .servicesChanged: "services-changed"
        case .encrypted: "encrypted"
        case .disconnected(let reason):
            "disconnected" + (reason.map { " \(HexText.byte($0))" } ?? "")
        case .advertised(let rssi): "advertised" + (rssi.map { " rssi \($0)" } ?? "")
        }
    }
}

extension CaptureEvent: CustomStringConvertible {
    /// The event as captures write it where no names are declared.
    public var description: String { words { $0.words } }
}
