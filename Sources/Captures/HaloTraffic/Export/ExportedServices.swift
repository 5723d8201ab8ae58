import HaloCapture
import HaloProtocol
import HaloTransport

/// The services of a device, as far as the capture has them. Handles are assigned in the order in
/// which offers are added. After a change of services, new handles follow the old ones.
struct ExportedServices: Sendable {
    private(set) var services: [ExportedService] = []
    private var characteristics: [BluetoothUUID: ExportedCharacteristic] = [:]
    var descriptors: [BluetoothUUID: [BluetoothUUID]] = [:]
    private var lastHandle: UInt16

    init(above handle: UInt16) {
        lastHandle = handle
    }

    func characteristic(_ uuid: BluetoothUUID) -> ExportedCharacteristic? { characteristics[uuid] }

    /// Adds offers, grouped into new services.
    ///
    /// Adjacent offers of the same service form one service, unless a characteristic occurs twice.
    mutating func add(
        _ offers: some Sequence<Offer>
    ) throws(ExportError) -> ArraySlice<ExportedService> {
        let start = services.count
        var group: [Offer] = []
        var members: Set<BluetoothUUID> = []
        for offer in offers {
            let isSame = group.first?.service == offer.service && offer.service != nil
            if !group.isEmpty, !isSame || members.contains(offer.characteristic) {
                try addService(group)
                group = []
                members = []
            }
            group.append(offer)
            members.insert(offer.characteristic)
        }
        if !group.isEmpty { try addService(group) }
        return services[start...]
    }

    /// Removes the services, but keeps their handles reserved.
    mutating func clear() {
        services = []
        characteristics = [:]
    }

    private mutating func addService(_ offers: [Offer]) throws(ExportError) {
        let first = try nextHandle()
        var members: [ExportedCharacteristic] = []
        for offer in offers {
            let declaration = try nextHandle()
            let value = try nextHandle()
            let configuration = AttributeUUIDs.clientConfiguration
            var types = offer.properties.canSubscribe ? [configuration] : []
            types += (descriptors[offer.characteristic] ?? []).filter { !types.contains($0) }
            for _ in types { _ = try nextHandle() }
            let member = ExportedCharacteristic(
                uuid: offer.characteristic, properties: offer.properties, declaration: declaration,
                value: value, descriptors: types)
            members.append(member)
            if characteristics[offer.characteristic] == nil {
                characteristics[offer.characteristic] = member
            }
        }
        let uuid = offers.first?.service ?? .unnamed(handle: first)
        services.append(
            ExportedService(uuid: uuid, first: first, last: lastHandle, characteristics: members))
    }

    private mutating func nextHandle() throws(ExportError) -> UInt16 {
        guard lastHandle < .max - 1 else { throw .tooManyAttributes }
        lastHandle += 1
        return lastHandle
    }
}

/// The changes of subscriptions that the device refuses: a refusal is of a pending read or write of
/// its channel, or else of the last change, unless a value came since.
struct SubscriptionChanges: Sendable {
    private struct Requests: Sendable {
        var readCount = 0
        var writeCount = 0
        var change: Int?
    }

    /// The codes of the refused changes, by their numbers in the capture, counted from 1.
    private(set) var refusals: [Int: UInt8] = [:]
    private var count = 0
    private var requests: [CaptureChannel: Requests] = [:]

    /// The maximum number of remembered channels, and of refusals.
    private static let limit = 4096

    mutating func note(_ step: ExportStep) {
        switch step {
        case .event(.connected), .event(.disconnected): requests = [:]
        case .event(.subscribed(let channel)), .event(.unsubscribed(let channel)):
            count += 1
            change(channel) { [count] in $0.change = count }
        case .event(.read(let channel)): change(channel) { $0.readCount += 1 }
        case .value(.write, let channel, _): change(channel) { $0.writeCount += 1 }
        // Such a line may also be a write without an action, which the device can refuse.
        case .value(.command, let channel, _): change(channel) { $0.change = nil }
        case .event(.acknowledged(let channel)):
            change(channel) { $0.writeCount = max($0.writeCount - 1, 0) }
        case .value(.read, let channel, _):
            change(channel) { $0.readCount = max($0.readCount - 1, 0) }
        case .value(.notified, let channel, _), .value(.indicated, let channel, _):
            change(channel) { $0.change = nil }
        case .event(.refused(let channel, let code)): refuse(channel, code)
        default: break
        }
    }

    private mutating func change(_ channel: CaptureChannel, _ change: (inout Requests) -> Void) {
        guard requests[channel] != nil || requests.count < Self.limit else { return }
        change(&requests[channel, default: Requests()])
    }

    private mutating func refuse(_ channel: CaptureChannel, _ code: UInt8) {
        guard var pending = requests[channel] else { return }
        if pending.readCount > 0 {
            pending.readCount -= 1
        } else if pending.writeCount > 0 {
            pending.writeCount -= 1
        } else if let change = pending.change, refusals.count < Self.limit {
            refusals[change] = code
            pending.change = nil
        }
        requests[channel] = pending
    }
}
