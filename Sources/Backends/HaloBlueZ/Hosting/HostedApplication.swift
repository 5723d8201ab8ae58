#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport
internal import Synchronization

/// A device's services as D-Bus objects.
///
/// Services 1800 and 1801 and the client characteristic configuration are left out: they are the
/// daemon's, which would refuse the whole application. Two more services can collide with the
/// daemon's, and are hosted all the same: 180A, of which the daemon has its own unless
/// `DeviceID=false` is set in `main.conf`; and 180F, which a daemon as central reads by itself and
/// shows as `Battery1`.
struct HostedApplication: Sendable {
    struct Object: Sendable {
        let path: DBusObjectPath
        let object: DBusObject
    }

    struct Attribute: Hashable, Sendable {
        let id: AttributeID
        let canRead: Bool
        let canWrite: Bool
    }

    /// The path of the object manager.
    let root: DBusObjectPath
    let services: [GATTService]
    /// All objects, the root last: once it is exported, the application is complete.
    private(set) var objects: [Object] = []
    private(set) var attributes: [DBusObjectPath: Attribute] = [:]
    private(set) var characteristics: [AttributeID: DBusObjectPath] = [:]

    private static let lastRoot = Atomic<UInt64>(0)

    static func nextRoot() -> DBusObjectPath {
        let number = lastRoot.wrappingAdd(1, ordering: .relaxed).newValue
        return DBusObjectPath.root.appending("halo").appending("device\(number)")
    }

    private static let daemonsServices = [BluetoothUUID(0x1800), BluetoothUUID(0x1801)]

    /// Returns the services without those that the daemon reserves.
    static func hostable(_ services: [GATTService]) -> [GATTService] {
        services.filter { !daemonsServices.contains($0.uuid) }
    }

    init(_ services: [GATTService], at root: DBusObjectPath) {
        self.root = root
        self.services = services
        // The daemon reads objects in the order of their paths: numbers of one length keep the
        // order of the device.
        for (index, service) in services.enumerated() {
            add(service, at: root.appending("service\(Self.number(index))"))
        }
        objects.append(Object(path: root, object: DBusObject(objectManager: .ownInterfaces)))
    }

    private mutating func add(_ service: GATTService, at path: DBusObjectPath) {
        add(
            GattService1.applicationInterface, at: path,
            [
                GattService1.uuid: .string(service.uuid.busText),
                GattService1.primary: .boolean(service.isPrimary),
                GattService1.includes: .array(.objectPath, []),
            ])
        for (index, characteristic) in service.characteristics.enumerated() {
            add(characteristic, of: path, at: path.appending("characteristic\(Self.number(index))"))
        }
    }

    private mutating func add(
        _ characteristic: GATTCharacteristic, of service: DBusObjectPath, at path: DBusObjectPath
    ) {
        let flags = AttributeFlags.words(
            for: characteristic.properties, requiring: characteristic.permissions)
        add(
            GattCharacteristic1.applicationInterface, at: path,
            [
                GattCharacteristic1.uuid: .string(characteristic.uuid.busText),
                GattCharacteristic1.service: .objectPath(service),
                GattCharacteristic1.flags: .strings(flags),
            ])
        attributes[path] = Attribute(
            id: characteristic.id, canRead: characteristic.properties.contains(.read),
            canWrite: characteristic.properties.canWrite)
        characteristics[characteristic.id] = path
        let own = characteristic.descriptors.filter {
            $0.uuid != AttributeUUIDs.clientConfiguration
        }
        for (index, descriptor) in own.enumerated() {
            let place = path.appending("descriptor\(Self.number(index))")
            add(
                GattDescriptor1.applicationInterface, at: place,
                [
                    GattDescriptor1.uuid: .string(descriptor.uuid.busText),
                    GattDescriptor1.characteristic: .objectPath(path),
                    GattDescriptor1.flags: .strings(AttributeFlags.words(for: .read)),
                ])
            attributes[place] = Attribute(id: descriptor.id, canRead: true, canWrite: false)
        }
    }

    private mutating func add(
        _ interface: DBusInterface, at path: DBusObjectPath, _ values: [String: DBusValue]
    ) {
        let object = DBusObject([interface], values: [interface.name: values])
        objects.append(Object(path: path, object: object))
    }

    private static func number(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
    }
}

extension DBusObjectPath {
    /// Appends an element, which must be valid, to the path.
    func appending(_ element: String) -> DBusObjectPath {
        let beginning = self == .root ? "" : text
        return (try? DBusObjectPath("\(beginning)/\(element)")) ?? self
    }
}
#endif
