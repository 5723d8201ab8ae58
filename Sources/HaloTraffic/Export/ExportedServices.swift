import HaloProtocol
import HaloTransport

/// What can be offered: a characteristic of a service.
struct Offer: Hashable, Sendable {
    /// The service; nothing where it is not known.
    let service: BluetoothUUID?
    let characteristic: BluetoothUUID
    var properties: GATTProperties
}

/// A characteristic with the handles that the export gave it.
struct ExportedCharacteristic: Hashable, Sendable {
    let uuid: BluetoothUUID
    let properties: GATTProperties
    let declaration: UInt16
    let value: UInt16
    /// The descriptor that switches notifications; behind the value, where there is one.
    let configuration: UInt16?

    /// What its attributes are, behind the one that declares it.
    var attributes: [(handle: UInt16, type: BluetoothUUID)] {
        guard let configuration else { return [(value, uuid)] }
        return [(value, uuid), (configuration, AttributeUUIDs.clientConfiguration)]
    }
}

/// A service with its handles.
struct ExportedService: Hashable, Sendable {
    let uuid: BluetoothUUID
    let first: UInt16
    let last: UInt16
    let characteristics: [ExportedCharacteristic]
}

/// What a device has, as far as the capture tells: gives out handles in the order in
/// which things are added. Where there were others before, its handles are behind theirs.
struct ExportedServices: Sendable {
    private(set) var services: [ExportedService] = []
    private var characteristics: [BluetoothUUID: ExportedCharacteristic] = [:]
    private var lastHandle: UInt16

    /// A device whose handles are above the given one.
    init(above handle: UInt16) {
        lastHandle = handle
    }

    func characteristic(_ uuid: BluetoothUUID) -> ExportedCharacteristic? { characteristics[uuid] }

    /// Adds what is offered, in services of their own.
    ///
    /// Offers of a service that follow one another are of one service, unless one comes twice.
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

    /// Forgets everything but the handles that were given out.
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
            let configuration = offer.properties.canSubscribe ? try nextHandle() : nil
            let member = ExportedCharacteristic(
                uuid: offer.characteristic, properties: offer.properties, declaration: declaration,
                value: value, configuration: configuration)
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
