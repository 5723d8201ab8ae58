import HaloCapture
import HaloProtocol
import HaloTransport

enum ExportStep: Hashable, Sendable {
    case event(CaptureEvent)
    case value(CaptureAction, CaptureChannel, [UInt8])
    case advertisement(CaptureChannel, [UInt8])
    /// A change of a subscription that the device refuses.
    case refusedChange(CaptureChannel, isOn: Bool, code: UInt8)
    case discovery([ExportedService])

    /// The channel of a value, of a request or of a response; `nil` for other steps.
    var channel: CaptureChannel? {
        switch self {
        case .event(let event): event.channel
        case .value(_, let channel, _), .refusedChange(let channel, _, _): channel
        case .advertisement, .discovery: nil
        }
    }

    /// The characteristic that the step uses, and the property that it needs; `nil` for other
    /// steps.
    var use: (BluetoothUUID, GATTProperties)? {
        if case .descriptor(_, of: let uuid)? = channel { return (uuid, []) }
        return switch self {
        case .event(.subscribed(let channel)), .event(.unsubscribed(let channel)),
            .refusedChange(let channel, _, _):
            channel.uuid(.fromDevice).map { ($0, .notify) }
        case .event(.read(let channel)):
            channel.uuid(.fromDevice).map { ($0, .read) }
        case .event(.servicesChanged):
            (AttributeUUIDs.serviceChanged, .indicate)
        case .value(let action, let channel, _):
            channel.uuid(action.direction).map { ($0, action.property) }
        default:
            nil
        }
    }

    /// `true` if the step is or needs a request, and so waits for the response to the last one.
    var isRequest: Bool {
        switch self {
        case .event(.connected), .event(.mtu), .event(.subscribed), .event(.unsubscribed),
            .event(.read), .refusedChange, .discovery:
            true
        case .value(let action, _, _): action == .write
        default: false
        }
    }

    func answers(_ request: ExportStep) -> Bool {
        switch (self, request) {
        case (.event(.acknowledged(let one)), .value(.write, let other, _)),
            (.event(.refused(let one, _)), .value(.write, let other, _)),
            (.event(.refused(let one, _)), .event(.read(let other))),
            (.value(.read, let one, _), .event(.read(let other))):
            one == other
        default:
            false
        }
    }
}
