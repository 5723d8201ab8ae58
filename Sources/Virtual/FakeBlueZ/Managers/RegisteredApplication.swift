#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A program's application, decoded from its objects.
///
/// The requirements were seen on 5.66: each service has `UUID` and `Primary`, each characteristic
/// `UUID`, `Service` and `Flags`, each descriptor `UUID`, `Characteristic` and `Flags`; there is at
/// least one flag, and all are known; and the service 1800 is the daemon's own (1801, too, by its
/// source).
struct RegisteredApplication: Sendable {
    /// The key of a registration: the program's unique name on the bus, and its object's path.
    struct Key: Hashable, Sendable {
        let owner: String
        let path: DBusObjectPath
    }

    /// A characteristic or a descriptor.
    struct Attribute: Sendable {
        let owner: String
        let path: DBusObjectPath
        let interface: String
        let uuid: BluetoothUUID
        /// The service of a characteristic, or the characteristic of a descriptor.
        let parent: DBusObjectPath
        let properties: GATTProperties
        let permissions: GATTPermissions
    }

    let key: Key
    private(set) var services: [GATTService] = []
    private(set) var attributes: [AttributeID: Attribute] = [:]
    private(set) var characteristics: [DBusObjectPath: AttributeID] = [:]

    private static let daemonsOwn = [BluetoothUUID(0x1800), BluetoothUUID(0x1801)]

    /// Decodes an application; attributes are numbered after `lastAttribute`.
    init(
        _ key: Key, _ objects: [DBusEntry], lastAttribute: inout UInt32
    ) throws(DBusRefusal) {
        self.key = key
        let all = objects.filter { ($0.value.entries ?? []).isEmpty == false }
        guard !all.isEmpty else { throw .noObject }
        let characteristics = try Self.attributes(
            all, of: key, GattCharacteristic1.interfaceName, parent: GattCharacteristic1.service)
        let descriptors = try Self.attributes(
            all, of: key, GattDescriptor1.interfaceName, parent: GattDescriptor1.characteristic)
        let services = all.compactMap { entry in
            entry.key.objectPath.flatMap { path in
                entry.value[GattService1.interfaceName].map { (path, $0) }
            }
        }
        // An application without services may request connections to devices: it is accepted, and
        // has no effect here.
        let wantsDevices = all.contains { entry in
            let uuids = entry.value[GattProfile1.interfaceName]?[GattProfile1.uuids]
            return uuids?.elements?.isEmpty == false
        }
        guard !services.isEmpty || wantsDevices else {
            throw .noService
        }
        let byService = Dictionary(grouping: characteristics, by: \.parent)
        let byCharacteristic = Dictionary(grouping: descriptors, by: \.parent)
        for (path, values) in services {
            guard let uuid = Self.uuid(values),
                let isPrimary = values[GattService1.primary]?.boolean
            else { throw .noEntry }
            let own = (byService[path] ?? []).map { characteristic in
                add(characteristic, byCharacteristic[characteristic.path] ?? [], &lastAttribute)
            }
            self.services.append(
                GATTService(uuid, isPrimary: isPrimary, characteristics: own))
        }
        let known = Set(services.map(\.0))
        guard characteristics.allSatisfy({ known.contains($0.parent) }) else {
            throw .noService
        }
    }

    private mutating func add(
        _ characteristic: Attribute, _ descriptors: [Attribute],
        _ lastAttribute: inout UInt32
    ) -> GATTCharacteristic {
        func next() -> AttributeID {
            lastAttribute &+= 1
            return AttributeID(lastAttribute)
        }
        let id = next()
        attributes[id] = characteristic
        characteristics[characteristic.path] = id
        let own = descriptors.map { descriptor in
            let id = next()
            attributes[id] = descriptor
            return GATTDescriptor(id, descriptor.uuid)
        }
        return GATTCharacteristic(
            id, characteristic.uuid, characteristic.properties,
            permissions: characteristic.permissions, descriptors: own)
    }

    /// Reads the attributes with an interface; `parent` is the property with the parent's path.
    private static func attributes(
        _ objects: [DBusEntry], of key: Key, _ interface: String, parent: String
    ) throws(DBusRefusal) -> [Attribute] {
        var attributes: [Attribute] = []
        for object in objects {
            guard let path = object.key.objectPath, let values = object.value[interface] else {
                continue
            }
            guard let parent = values[parent]?.objectPath,
                let flags = flags(values[GattCharacteristic1.flags])
            else { throw .noService }
            guard let uuid = uuid(values) else { throw .noEntry }
            attributes.append(
                Attribute(
                    owner: key.owner, path: path, interface: interface, uuid: uuid, parent: parent,
                    properties: AttributeFlags.properties(of: flags),
                    permissions: AttributeFlags.permissions(of: flags)))
        }
        return attributes
    }

    private static func uuid(_ values: DBusValue) -> BluetoothUUID? {
        guard let text = values[GattService1.uuid]?.string,
            let uuid = try? BluetoothUUID(parsing: text), !daemonsOwn.contains(uuid)
        else { return nil }
        return uuid
    }

    private static func flags(_ value: DBusValue?) -> [String]? {
        let flags = value?.elements?.compactMap(\.string) ?? []
        return AttributeFlags.areAccepted(flags) ? flags : nil
    }
}
#endif
