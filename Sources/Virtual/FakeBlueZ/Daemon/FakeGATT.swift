#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The services of a device as objects on the bus.
///
/// Handles are assigned as devices do: one to a service, two to a characteristic, one to a
/// descriptor; the client characteristic configuration is a characteristic's first. Objects are
/// named by the handles of their declarations. The generic services come first: 1800, which is not
/// exported, takes the handles up to 7, then 1801.
struct FakeGATT {
    static let genericAccess = BluetoothUUID(0x1800)
    static let genericAttribute = BluetoothUUID(0x1801)
    static let batteryLevel = CharacteristicCatalog.batteryLevel.uuid
    static let productID = CharacteristicCatalog.pnpID.uuid
    private static let serviceChanged = BluetoothUUID(0x2A05)
    private static let firstHandle = 8

    struct Service {
        let path: DBusObjectPath
        let uuid: BluetoothUUID
        let isPrimary: Bool
        let isHidden: Bool
        let characteristics: Range<Int>
        /// The remote's service; `nil` for one that the daemon adds.
        let source: GATTService?
        var isGone = false
    }

    struct Descriptor {
        let path: DBusObjectPath
        let uuid: BluetoothUUID
        /// The remote's attribute; `nil` for the client characteristic configuration.
        let attribute: AttributeID?
    }

    var source: [GATTService]
    private(set) var services: [Service] = []
    var characteristics: [FakeCharacteristic] = []
    /// The index of the characteristic of each attribute, removed ones included.
    private(set) var indices: [AttributeID: Int] = [:]
    private var nextHandle = Self.firstHandle

    init(_ source: [GATTService], of device: DBusObjectPath, _ quirks: FakeQuirks) {
        self.source = source
        if !source.contains(where: { $0.uuid == Self.genericAttribute }) {
            let changed = GATTCharacteristic(AttributeID(0), Self.serviceChanged, .indicate)
            let generic = GATTService(Self.genericAttribute, characteristics: [changed])
            add(generic, of: device, isOwn: true, quirks)
        }
        for service in source { add(service, of: device, isOwn: false, quirks) }
    }

    private mutating func add(
        _ service: GATTService, of device: DBusObjectPath, isOwn: Bool, _ quirks: FakeQuirks
    ) {
        var handle = nextHandle
        defer { nextHandle = handle }
        let path = Self.path(device, "service", handle)
        handle += 1
        let first = characteristics.count
        for characteristic in service.characteristics {
            let ownPath = Self.path(path, "char", handle)
            handle += 2
            let configuration = AttributeUUIDs.clientConfiguration
            let others = characteristic.descriptors.filter { $0.uuid != configuration }
            let configurations: [(BluetoothUUID, AttributeID?)] =
                characteristic.properties.canSubscribe ? [(configuration, nil)] : []
            let descriptors = (configurations + others.map { ($0.uuid, $0.id) }).map {
                defer { handle += 1 }
                return Descriptor(
                    path: Self.path(ownPath, "desc", handle), uuid: $0, attribute: $1)
            }
            if !isOwn { indices[characteristic.id] = characteristics.count }
            characteristics.append(
                FakeCharacteristic(
                    path: ownPath, service: path, uuid: characteristic.uuid,
                    attribute: isOwn ? nil : characteristic.id,
                    properties: characteristic.properties,
                    permissions: characteristic.permissions, descriptors: descriptors))
        }
        let isHidden =
            service.uuid == Self.genericAccess
            || quirks.hidesBatteryService && service.uuid == StandardServices.battery
        services.append(
            Service(
                path: path, uuid: service.uuid, isPrimary: service.isPrimary, isHidden: isHidden,
                characteristics: first..<characteristics.count,
                source: isOwn ? nil : service))
    }

    func index(of characteristic: BluetoothUUID, in service: BluetoothUUID) -> Int? {
        services.first { $0.uuid == service && !$0.isGone }?
            .characteristics.first { characteristics[$0].uuid == characteristic }
    }

    private static func path(
        _ parent: DBusObjectPath, _ kind: String, _ handle: Int
    ) -> DBusObjectPath {
        let digits = String(handle & 0xFFFF, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        return .fake("\(parent.text)/\(kind)\(zeros)\(digits)")
    }

    /// The UUIDs of the device object: with 1800, and sorted.
    var uuids: [BluetoothUUID] {
        let all = Set(services.filter { !$0.isGone }.map(\.uuid)).union([Self.genericAccess])
        return all.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    /// Returns the objects in the order in which they are exported, from a service on.
    func exports(
        of device: FakeDevice, mtu: Int, from first: Int, _ quirks: FakeQuirks
    ) -> [FakeEffect] {
        var exports: [FakeEffect] = []
        for service in services[first...] where !service.isHidden && !service.isGone {
            let values: [String: DBusValue] = [
                GattService1.uuid: .string(service.uuid.busText),
                GattService1.device: .objectPath(device.path),
                GattService1.primary: .boolean(service.isPrimary),
                GattService1.includes: .array(.objectPath, []),
            ]
            let object = DBusObject(
                [GattService1.interface], values: [GattService1.interfaceName: values])
            exports.append(.export(object, service.path, .noMethods))
            for index in service.characteristics {
                let characteristic = characteristics[index]
                exports.append(
                    .export(
                        characteristic.object(mtu: mtu, quirks), characteristic.path,
                        .characteristic(device: device.number, index)))
                for (place, descriptor) in characteristic.descriptors.enumerated() {
                    exports.append(
                        .export(
                            descriptor.object(of: characteristic), descriptor.path,
                            .descriptor(device: device.number, index, place)))
                }
            }
        }
        return exports
    }

    /// The paths of the objects in the order of their removal: a service after its characteristics
    /// and descriptors.
    var paths: [DBusObjectPath] { services.filter { !$0.isGone }.flatMap(paths) }

    func paths(_ service: Service) -> [DBusObjectPath] {
        guard !service.isHidden else { return [] }
        return service.characteristics.flatMap { index in
            characteristics[index].descriptors.map(\.path) + [characteristics[index].path]
        } + [service.path]
    }
}

extension FakeGATT.Descriptor {
    func object(of characteristic: FakeCharacteristic) -> DBusObject {
        let values: [String: DBusValue] = [
            GattDescriptor1.uuid: .string(uuid.busText),
            GattDescriptor1.characteristic: .objectPath(characteristic.path),
            GattDescriptor1.value: .bytes([]),
        ]
        return DBusObject(
            [GattDescriptor1.interface], values: [GattDescriptor1.interfaceName: values])
    }
}

extension FakeGATT {
    struct Change {
        var paths: [DBusObjectPath] = []
        var characteristics: Set<Int> = []
        var attributes: Set<AttributeID> = []
        let firstNew: Int

        func concerns(_ operation: FakeOperation) -> Bool {
            switch operation.kind {
            case .read(let index, _), .readDescriptor(let index, _, _),
                .subscribe(let index, _, _):
                characteristics.contains(index)
            case .write(let attribute, _, _, _): attribute.map(attributes.contains) ?? false
            }
        }
    }

    /// Applies the remote's new services. Remaining services keep their indices, those of removed
    /// ones stay in use, and new services are added behind.
    mutating func change(
        to new: [GATTService], of device: DBusObjectPath, _ quirks: FakeQuirks
    ) -> Change {
        var change = Change(firstNew: services.count)
        for (place, service) in services.enumerated() where !service.isGone {
            guard let source = service.source, !new.contains(source) else { continue }
            change.paths += paths(service)
            change.characteristics.formUnion(service.characteristics)
            change.attributes.formUnion(source.characteristics.map(\.id))
            for characteristic in source.characteristics {
                change.attributes.formUnion(characteristic.descriptors.map(\.id))
            }
            services[place].isGone = true
        }
        let present = services.filter { !$0.isGone }.compactMap(\.source)
        for service in new where !present.contains(service) {
            add(service, of: device, isOwn: false, quirks)
        }
        source = new
        return change
    }
}
#endif
