#if canImport(CoreBluetooth) && !os(tvOS) && !os(watchOS) && !os(visionOS)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

struct HostedDatabase {
    private var unpublished: [CBMutableService] = []
    /// What is left out.
    private(set) var notes: [HostingNote] = []
    private var characteristics: [AttributeID: CBMutableCharacteristic] = [:]
    private var numbers: [ObjectIdentifier: AttributeID] = [:]

    /// The services of the system itself: an app cannot have them.
    static let ofTheSystem: [BluetoothUUID] = [BluetoothUUID(0x1800), BluetoothUUID(0x1801)]
    /// The descriptors that an app can have: a text and a format.
    static let description = BluetoothUUID(0x2901)
    static let format = BluetoothUUID(0x2904)

    /// Returns the descriptors whose values must be known before the services are made.
    static func descriptors(of services: [GATTService]) -> [GATTDescriptor] {
        services.flatMap(\.characteristics).flatMap(\.descriptors).filter {
            $0.uuid == description || $0.uuid == format
        }
    }

    /// Makes new objects, because the system does not accept one twice.
    ///
    /// - Parameters:
    ///   - services: The services of the device.
    ///   - values: The values of descriptors; a descriptor without a value is left out.
    init(_ services: [GATTService], values: [AttributeID: [UInt8]]) {
        for service in services {
            if Self.ofTheSystem.contains(service.uuid) {
                notes.append(
                    HostingNote(.service, uuid: service.uuid, "the system has this service"))
                continue
            }
            // The system refuses the short form of some services that it has, too.
            let made = CBMutableService(
                type: service.uuid.systemInFull, primary: service.isPrimary)
            made.characteristics = service.characteristics.map { add($0, values) }
            unpublished.append(made)
        }
    }

    private mutating func add(
        _ characteristic: GATTCharacteristic, _ values: [AttributeID: [UInt8]]
    ) -> CBMutableCharacteristic {
        // The system itself answers for a characteristic that has a value here.
        let made = CBMutableCharacteristic(
            type: characteristic.uuid.system, properties: Self.properties(characteristic),
            value: nil, permissions: Self.permissions(characteristic))
        var descriptors: [CBMutableDescriptor] = []
        for descriptor in characteristic.descriptors {
            guard let value = values[descriptor.id] else {
                let isPublished = [Self.description, Self.format].contains(descriptor.uuid)
                notes.append(
                    HostingNote(
                        .descriptor, uuid: descriptor.uuid,
                        isPublished
                            ? "the device has not responded with its value"
                            : "the system publishes descriptions and formats only"))
                continue
            }
            let object: Any =
                descriptor.uuid == Self.description
                ? String(decoding: value, as: UTF8.self) : Data(value)
            descriptors.append(
                CBMutableDescriptor(type: descriptor.uuid.system, value: object))
        }
        made.descriptors = descriptors.isEmpty ? nil : descriptors
        characteristics[characteristic.id] = made
        numbers[ObjectIdentifier(made)] = characteristic.id
        return made
    }

    private static func properties(
        _ characteristic: GATTCharacteristic
    ) -> CBCharacteristicProperties {
        var properties = characteristic.properties.system
        properties.remove([.broadcast, .extendedProperties])
        guard characteristic.permissions.contains(.subscribeEncrypted) else { return properties }
        if properties.remove(.notify) != nil { properties.insert(.notifyEncryptionRequired) }
        if properties.remove(.indicate) != nil { properties.insert(.indicateEncryptionRequired) }
        return properties
    }

    private static func permissions(
        _ characteristic: GATTCharacteristic
    ) -> CBAttributePermissions {
        var permissions: CBAttributePermissions = []
        if characteristic.properties.contains(.read) {
            permissions.insert(
                characteristic.permissions.contains(.readEncrypted)
                    ? .readEncryptionRequired : .readable)
        }
        if characteristic.properties.canWrite {
            permissions.insert(
                characteristic.permissions.contains(.writeEncrypted)
                    ? .writeEncryptionRequired : .writeable)
        }
        return permissions
    }

    func object(_ id: AttributeID) -> CBMutableCharacteristic? { characteristics[id] }

    func number(_ characteristic: CBCharacteristic) -> AttributeID? {
        numbers[ObjectIdentifier(characteristic)]
    }

    mutating func nextService() -> CBMutableService? {
        unpublished.isEmpty ? nil : unpublished.removeFirst()
    }
}
#endif
