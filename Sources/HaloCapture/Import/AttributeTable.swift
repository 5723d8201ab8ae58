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

    /// How much is in it.
    var count: Int { services.count + characteristics.count + types.count }

    mutating func addService(_ service: Service) {
        let same = services.firstIndex { $0.handles.lowerBound == service.handles.lowerBound }
        guard let same else { return services.append(service) }
        if service.isPrimary || !services[same].isPrimary { services[same] = service }
    }

    mutating func addCharacteristic(_ characteristic: Characteristic, value: UInt16) {
        characteristics[value] = characteristic
    }

    mutating func addType(_ uuid: BluetoothUUID, handle: UInt16) {
        types[handle] = uuid
    }

    /// Takes over what another table has and this one has not.
    mutating func fill(from other: AttributeTable) {
        for service in other.services where !services.contains(where: { $0 == service }) {
            services.append(service)
        }
        characteristics.merge(other.characteristics) { own, _ in own }
        types.merge(other.types) { own, _ in own }
    }

    /// What an attribute is.
    func uuid(of handle: UInt16) -> BluetoothUUID? {
        characteristics[handle]?.uuid ?? types[handle]
    }

    /// The service that an attribute belongs to: the smallest one around it.
    func service(of handle: UInt16) -> BluetoothUUID? {
        services.filter { $0.handles.contains(handle) }
            .min { $0.handles.count < $1.handles.count }?.uuid
    }

    /// The value of the characteristic that a descriptor belongs to.
    func value(before handle: UInt16) -> UInt16? {
        characteristics.keys.filter { $0 < handle }.max()
    }
}
