import HaloCapture
import HaloProtocol
import HaloTransport

/// One thing that happened on a connection.
enum ExportStep: Hashable, Sendable {
    case connected(mtu: UInt16?)
    case mtu(UInt16)
    case offered(Offer)
    case subscribed(CaptureChannel, isOn: Bool)
    case value(CaptureAction, CaptureChannel, [UInt8])
    case acknowledged(CaptureChannel)
    case refused(CaptureChannel, code: UInt8)
    case asked(CaptureChannel)
    case confirmed(CaptureChannel)
    case servicesChanged
    case encrypted
    case disconnected(reason: UInt8?)
    /// New services are looked at.
    case discovered([ExportedService])
    /// An advertisement, which is of no connection; its data may follow.
    case announced(strength: Int8?)
    /// The data of an advertisement.
    case heard(CaptureChannel, [UInt8])

    /// The characteristic that it concerns, and what that must be able to do.
    var use: (BluetoothUUID, GATTProperties)? {
        switch self {
        case .subscribed(let channel, _):
            channel.uuid(.fromDevice).map { ($0, .notify) }
        case .value(let action, let channel, _):
            channel.uuid(action.direction).map { ($0, action.property) }
        case .asked(let channel):
            channel.uuid(.fromDevice).map { ($0, .read) }
        case .servicesChanged:
            (AttributeUUIDs.serviceChanged, .indicate)
        default:
            nil
        }
    }

    /// Whether it is a request, or takes some: then it waits for the answer to the last one.
    var isRequest: Bool {
        switch self {
        case .connected, .mtu, .subscribed, .asked, .discovered: true
        case .value(let action, _, _): action == .write
        default: false
        }
    }

    /// Whether it is the answer to that request.
    func answers(_ request: ExportStep) -> Bool {
        switch (self, request) {
        case (.acknowledged(let one), .value(.write, let other, _)),
            (.refused(let one, _), .value(.write, let other, _)),
            (.refused(let one, _), .asked(let other)),
            (.value(.read, let one, _), .asked(let other)):
            one == other
        default:
            false
        }
    }
}

extension ExportStep {
    /// What an event of a capture says.
    init(_ event: CaptureEvent) {
        switch event {
        case .connected(let mtu): self = .connected(mtu: mtu)
        case .mtu(let mtu): self = .mtu(mtu)
        case .subscribed(let channel): self = .subscribed(channel, isOn: true)
        case .unsubscribed(let channel): self = .subscribed(channel, isOn: false)
        case .read(let channel): self = .asked(channel)
        case .acknowledged(let channel): self = .acknowledged(channel)
        case .refused(let channel, let code): self = .refused(channel, code: code)
        case .confirmed(let channel): self = .confirmed(channel)
        case .offers(let service, let characteristic, let properties):
            self = .offered(
                Offer(service: service, characteristic: characteristic, properties: properties))
        case .servicesChanged: self = .servicesChanged
        case .encrypted: self = .encrypted
        case .disconnected(let reason): self = .disconnected(reason: reason)
        case .advertised(let strength):
            self = .announced(strength: strength)
        }
    }
}

extension CaptureAction {
    /// What a characteristic must be able to do for it.
    fileprivate var property: GATTProperties {
        switch self {
        case .read: .read
        case .write: .write
        case .command: .writeWithoutResponse
        case .signed: .signedWrite
        case .notified: .notify
        case .indicated: .indicate
        }
    }
}
