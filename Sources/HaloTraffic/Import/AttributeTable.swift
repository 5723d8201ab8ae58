import HaloProtocol
import HaloTransport

/// What a device has said of its attributes.
struct AttributeTable: Hashable, Sendable {
    /// A service and the handles of its attributes.
    struct Service: Hashable, Sendable {
        var uuid: BluetoothUUID
        var handles: ClosedRange<UInt16>
        var isPrimary: Bool
    }

    /// A characteristic.
    struct Characteristic: Hashable, Sendable {
        var uuid: BluetoothUUID
        var properties: GATTProperties
    }

    /// The services, in the order in which they were told.
    private(set) var services: [Service] = []
    /// The characteristics by the handles of their values.
    private(set) var characteristics: [UInt16: Characteristic] = [:]
    /// The types of attributes that are no declarations.
    private(set) var types: [UInt16: BluetoothUUID] = [:]

    /// The services again, by what they are and by their first handle: a device may claim
    /// thousands.
    private var known: Set<Service> = []
    private var places: [UInt16: Int] = [:]

    /// How much is in it.
    var count: Int { services.count + characteristics.count + types.count }

    mutating func addService(_ service: Service) {
        guard let same = places[service.handles.lowerBound] else { return append(service) }
        guard service.isPrimary || !services[same].isPrimary else { return }
        known.remove(services[same])
        known.insert(service)
        services[same] = service
    }

    private mutating func append(_ service: Service) {
        let first = service.handles.lowerBound
        places[first] = places[first] ?? services.count
        known.insert(service)
        services.append(service)
    }

    mutating func addCharacteristic(_ characteristic: Characteristic, value: UInt16) {
        characteristics[value] = characteristic
    }

    mutating func addType(_ uuid: BluetoothUUID, handle: UInt16) {
        types[handle] = uuid
    }

    /// Takes over what another table has and this one has not.
    mutating func fill(from other: AttributeTable) {
        for service in other.services where !known.contains(service) { append(service) }
        characteristics.merge(other.characteristics) { own, _ in own }
        types.merge(other.types) { own, _ in own }
    }

    /// What an attribute is.
    func uuid(of handle: UInt16) -> BluetoothUUID? {
        characteristics[handle]?.uuid ?? types[handle]
    }
}
