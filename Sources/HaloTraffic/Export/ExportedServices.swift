import HaloCapture
import HaloProtocol
import HaloTransport

/// A characteristic of a service, as offered by a device.
struct Offer: Hashable, Sendable {
    /// The service, or `nil` if it is unknown.
    let service: BluetoothUUID?
    let characteristic: BluetoothUUID
    var properties: GATTProperties
}

extension Offer {
    /// Returns the offer in an event of a capture, or `nil` for another event.
    init?(_ event: CaptureEvent) {
        guard case .offers(let service, let characteristic, let properties) = event else {
            return nil
        }
        self.init(service: service, characteristic: characteristic, properties: properties)
    }
}

/// A characteristic with the handles assigned by the export.
struct ExportedCharacteristic: Hashable, Sendable {
    let uuid: BluetoothUUID
    let properties: GATTProperties
    let declaration: UInt16
    let value: UInt16
    /// The descriptors: their types in the order of their handles, which follow the value.
    let descriptors: [BluetoothUUID]

    /// The handle of the descriptor that switches notifications, or `nil` without one.
    var configuration: UInt16? { handle(of: AttributeUUIDs.clientConfiguration) }

    /// The attributes after the declaration, with their types.
    var attributes: [(handle: UInt16, type: BluetoothUUID)] {
        ([uuid] + descriptors).enumerated().map { (handle(at: $0.offset), $0.element) }
    }

    /// The handle of a channel's values: that of the characteristic, or of a descriptor of it;
    /// `nil` if it has no such descriptor.
    func handle(of channel: CaptureChannel) -> UInt16? {
        guard case .descriptor(let type, of: _) = channel else { return value }
        return handle(of: type)
    }

    private func handle(of descriptor: BluetoothUUID) -> UInt16? {
        descriptors.firstIndex(of: descriptor).map { handle(at: $0 + 1) }
    }

    private func handle(at place: Int) -> UInt16 { value &+ UInt16(truncatingIfNeeded: place) }
}

/// A service with its handles.
struct ExportedService: Hashable, Sendable {
    let uuid: BluetoothUUID
    let first: UInt16
    let last: UInt16
    let characteristics: [ExportedCharacteristic]
}

/// The services of a device, as far as the capture has them. Handles are assigned in the order in
/// which offers are added. After a change of services, new handles follow the old ones.
struct ExportedServices: Sendable {
    private(set) var services: [ExportedService] = []
    private var characteristics: [BluetoothUUID: ExportedCharacteristic] = [:]
    /// The types of descriptors that the capture uses, by characteristic.
    var descriptors: [BluetoothUUID: [BluetoothUUID]] = [:]
    private var lastHandle: UInt16

    /// Creates a device whose handles follow the given one.
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
        guard lastHandle < ATTPacket.lastHandle - 1 else { throw ExportError(.tooManyAttributes) }
        lastHandle += 1
        return lastHandle
    }
}

/// The characteristics that each connection will use. They are collected from the whole capture
/// before the export, so that a device is discovered completely on connecting.
struct ExportForesight: Sendable {
    /// The part of a connection between changes of the services, from its beginning to its end.
    struct Part: Sendable {
        /// The offers of the capture.
        var offers: [Offer] = []
        /// The used characteristics.
        var uses: [Offer] = []
        /// The length of the longest value in one packet.
        var longestValue = 0
        /// `true` if the capture has the maximum transfer unit.
        var namesMTU = false

        private var indices: [BluetoothUUID: Int] = [:]

        /// The offers, then the characteristics used without an offer, grouped by service.
        var plan: [Offer] {
            let offered = Set(offers.map(\.characteristic))
            var services: [BluetoothUUID] = []
            var members: [BluetoothUUID: [Offer]] = [:]
            for use in uses where !offered.contains(use.characteristic) {
                let key = use.service ?? use.characteristic
                if members[key] == nil { services.append(key) }
                members[key, default: []].append(use)
            }
            return offers + services.flatMap { members[$0] ?? [] }
        }

        mutating func note(_ uuid: BluetoothUUID, _ properties: GATTProperties) {
            if let index = indices[uuid] {
                uses[index].properties.formUnion(properties)
            } else if uses.count < ExportForesight.longestPart {
                indices[uuid] = uses.count
                uses.append(
                    Offer(
                        service: ServiceCatalog.service(ofCharacteristic: uuid),
                        characteristic: uuid,
                        properties: properties))
            }
        }
    }

    /// The maximum number of offers, and of uses, of a part. Further characteristics are discovered
    /// at their first use.
    static let longestPart = 4096
    private static let maximumPartCount = 4096
    /// The maximum number of offers and uses of all parts.
    private static let maximumCount = 1 << 16

    private var count = 0
    private var parts: [Part] = []
    private var nextPart = 0
    private var isConnected = false
    /// The types of descriptors that are used, by characteristic.
    private(set) var descriptors: [BluetoothUUID: [BluetoothUUID]] = [:]
    private var described: Set<CaptureChannel> = []
    private var changes = SubscriptionChanges()
    /// The number of changes of subscriptions that were put.
    private var changeCount = 0

    /// Notes a step that will be exported.
    mutating func note(_ step: ExportStep) {
        if case .event(.connected) = step { isConnected = false }
        if !isConnected { begin() }
        isConnected = true
        if case .descriptor(let type, of: let uuid)? = step.channel,
            described.count < Self.longestPart,
            described.insert(.descriptor(type, of: uuid)).inserted
        {
            descriptors[uuid, default: []].append(type)
        }
        changes.note(step)
        guard !parts.isEmpty else { return }
        let last = parts.count - 1
        if let (uuid, properties) = step.use, count < Self.maximumCount {
            count -= parts[last].uses.count
            parts[last].note(uuid, properties)
            count += parts[last].uses.count
        }
        switch step {
        case .event(.connected(let mtu)):
            parts[last].namesMTU = mtu != nil
        case .event(.mtu):
            parts[last].namesMTU = true
        case .event(.offers(let service, let characteristic, let properties)):
            guard parts[last].offers.count < Self.longestPart, count < Self.maximumCount else {
                break
            }
            parts[last].offers.append(
                Offer(service: service, characteristic: characteristic, properties: properties))
            count += 1
        case .value(.command, _, let bytes), .value(.signed, _, let bytes),
            .value(.notified, _, let bytes), .value(.indicated, _, let bytes):
            parts[last].longestValue = max(parts[last].longestValue, bytes.count)
        case .event(.servicesChanged):
            begin()
        case .event(.disconnected):
            isConnected = false
        default:
            break
        }
    }

    /// Returns the code with which the next change of a subscription will be refused; `nil` if it
    /// will not.
    mutating func nextRefusal() -> UInt8? {
        changeCount += 1
        return changes.refusals[changeCount]
    }

    /// Returns the next part, which begins now.
    mutating func next() -> Part {
        guard nextPart < parts.count else { return Part() }
        nextPart += 1
        return parts[nextPart - 1]
    }

    /// Begins a part. Beyond the limit, steps count for the last part, and are discovered too
    /// early.
    private mutating func begin() {
        if parts.count < Self.maximumPartCount { parts.append(Part()) }
    }
}

/// The changes of subscriptions that the device refuses: a refusal is of a pending read or write of
/// its channel, or else of the last change, unless a value came since.
private struct SubscriptionChanges: Sendable {
    /// The pending requests of a channel, and its last change.
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
