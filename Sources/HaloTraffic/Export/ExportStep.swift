import HaloCapture
import HaloProtocol
import HaloTransport

/// One thing that happened on a connection, with what only later lines tell.
enum ExportStep: Hashable, Sendable {
    case connected(mtu: UInt16?)
    case mtu(UInt16)
    case offered(Offer)
    case subscribed(CaptureChannel, isOn: Bool)
    case written(CaptureChannel, [UInt8], isRequest: Bool)
    case acknowledged(CaptureChannel)
    case refused(CaptureChannel, code: UInt8, isRead: Bool)
    case asked(CaptureChannel)
    case answered(CaptureChannel, [UInt8])
    case sent(CaptureChannel, [UInt8], isIndication: Bool)
    case confirmed(CaptureChannel)
    case servicesChanged
    case encrypted
    case disconnected(reason: UInt8?)
    /// New services are looked at.
    case discovered([ExportedService])
    /// An advertisement, which is of no connection; its data may follow.
    case announced(strength: Int8?)
    /// The data of an advertisement, with the strength that it was announced with.
    case heard(CaptureChannel, [UInt8], strength: Int8?)
    /// Something that a later step says, too.
    case nothing

    /// The characteristic that it concerns, and what that must be able to do.
    var use: (BluetoothUUID, GATTProperties)? {
        switch self {
        case .subscribed(let channel, _):
            channel.uuid(.fromDevice).map { ($0, .notify) }
        case .written(let channel, _, let isRequest):
            channel.uuid(.toDevice).map { ($0, isRequest ? .write : .writeWithoutResponse) }
        case .asked(let channel):
            channel.uuid(.fromDevice).map { ($0, .read) }
        case .sent(let channel, _, let isIndication):
            channel.uuid(.fromDevice).map { ($0, isIndication ? .indicate : .notify) }
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
        case .written(_, _, let isRequest): isRequest
        default: false
        }
    }

    /// Whether it is the answer to that request.
    func answers(_ request: ExportStep) -> Bool {
        switch (self, request) {
        case (.acknowledged(let one), .written(let other, _, _)),
            (.refused(let one, _, isRead: false), .written(let other, _, _)),
            (.refused(let one, _, isRead: true), .asked(let other)),
            (.answered(let one, _), .asked(let other)):
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
        case .refused(let channel, let code): self = .refused(channel, code: code, isRead: false)
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
