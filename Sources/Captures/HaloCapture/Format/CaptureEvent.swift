public import HaloProtocol
public import HaloTransport

/// An event of a connection, or of the device before a connection.
public enum CaptureEvent: Hashable, Sendable {
    /// The connection is open. The maximum transfer unit is `nil` if not known.
    case connected(mtu: UInt16?)
    /// Both sides have agreed on a maximum transfer unit.
    case mtu(UInt16)
    /// The app has switched notifications or indications on.
    case subscribed(CaptureChannel)
    /// The app has switched notifications or indications off.
    case unsubscribed(CaptureChannel)
    /// A read was requested: the next value from the channel is the response.
    case read(CaptureChannel)
    /// The device has acknowledged the first unanswered write to the channel; of writes without an
    /// action, the last one.
    case acknowledged(CaptureChannel)
    /// The device has refused the first unanswered read of, or write to, the channel, with an error
    /// code. If none is unanswered, it has refused the last change of the subscription, unless it
    /// has sent a value since.
    case refused(CaptureChannel, code: UInt8)
    /// The last value of the channel was an indication, and the app has confirmed it.
    case confirmed(CaptureChannel)
    /// The device has a characteristic, in a service, with these properties.
    case offers(service: BluetoothUUID, characteristic: BluetoothUUID, GATTProperties)
    /// The device's services have changed: later offers are of the new services.
    case servicesChanged
    /// The connection is encrypted from here on.
    case encrypted
    /// The connection has ended. The controller's reason is `nil` if not known.
    case disconnected(reason: UInt8?)
    /// An advertisement was received. The RSSI in dBm is `nil` if not known.
    case advertised(rssi: Int8?)

    package static let mtuRange: ClosedRange<UInt16> = 23...517

    package var channel: CaptureChannel? {
        switch self {
        case .subscribed(let channel), .unsubscribed(let channel), .read(let channel),
            .acknowledged(let channel), .refused(let channel, _), .confirmed(let channel):
            channel
        case .connected, .mtu, .offers, .servicesChanged, .encrypted, .disconnected, .advertised:
            nil
        }
    }
}

extension BluetoothUUID {
    /// The UUID in the form of captures.
    var lowercased: String { description.lowercased() }
}

extension GATTProperties {
    static let captureWords: [(word: String, property: GATTProperties)] = [
        ("broadcast", .broadcast), ("read", .read), ("command", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ("signed", .signedWrite), ("extended", .extended),
    ]

    /// The words of the properties, each with a space before it.
    var words: String {
        Self.captureWords.filter { contains($0.property) }.map { " \($0.word)" }.joined()
    }
}

extension CaptureEvent {
    /// Returns the event in the form of captures; `name` returns the name of a channel.
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
    /// The event in the form of captures without declared names.
    public var description: String { words { $0.words } }
}
