#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import HaloProtocol
internal import HaloTransport

/// The attributes of one link: the system's objects, and the numbers under which an app uses them.
///
/// An object keeps its number as long as the link uses it. The objects are retained, so that no
/// other object can take the place of one in memory.
///
/// The attributes of each service are remembered, because the system may empty a service that is no
/// longer valid.
struct PeripheralAttributes {
    private struct Service {
        let service: CBService
        var attributes: [CBAttribute] = []
    }

    private var services: [Service] = []
    private var objects: [AttributeID: CBAttribute] = [:]
    private var numbers: [ObjectIdentifier: AttributeID] = [:]
    private var last: UInt32 = 0

    subscript(id: AttributeID) -> CBAttribute? { objects[id] }

    func number(_ attribute: CBAttribute) -> AttributeID? { numbers[ObjectIdentifier(attribute)] }

    mutating func replace(with services: [CBService]) -> [GATTService] {
        let old = numbers
        var next = PeripheralAttributes()
        next.last = last
        let described = services.map { service in
            next.services.append(Service(service: service))
            return GATTService(
                BluetoothUUID(service.uuid), isPrimary: service.isPrimary,
                characteristics: (service.characteristics ?? []).map {
                    next.add($0, numberedBefore: old)
                })
        }
        self = next
        return described
    }

    private mutating func add(
        _ characteristic: CBCharacteristic, numberedBefore old: [ObjectIdentifier: AttributeID]
    ) -> GATTCharacteristic {
        let id = number(characteristic, old)
        var descriptors: [GATTDescriptor] = []
        for descriptor in characteristic.descriptors ?? [] {
            let uuid = BluetoothUUID(descriptor.uuid)
            if uuid == Self.clientConfiguration { continue }
            descriptors.append(GATTDescriptor(number(descriptor, old), uuid))
        }
        return GATTCharacteristic(
            id, BluetoothUUID(characteristic.uuid), GATTProperties(characteristic.properties),
            descriptors: descriptors)
    }

    private mutating func number(
        _ attribute: CBAttribute, _ old: [ObjectIdentifier: AttributeID]
    ) -> AttributeID {
        let object = ObjectIdentifier(attribute)
        services[services.count - 1].attributes.append(attribute)
        if old[object] == nil { last &+= 1 }
        let id = old[object] ?? AttributeID(last)
        numbers[object] = id
        objects[id] = attribute
        return id
    }

    /// Removes the attributes of services that are no longer valid.
    mutating func remove(_ invalid: [CBService]) {
        for known in services where invalid.contains(where: { $0 === known.service }) {
            for attribute in known.attributes {
                if let id = numbers.removeValue(forKey: ObjectIdentifier(attribute)) {
                    objects[id] = nil
                }
            }
        }
    }

    /// The descriptor that switches notifications: the system writes it.
    private static let clientConfiguration = BluetoothUUID(0x2902)
}
#endif
