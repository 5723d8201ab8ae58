#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The services of a device as objects on the bus.
///
/// Handles are given out as devices do: one to a service, two to a characteristic, one to a
/// descriptor; the one that switches notifications is a characteristic's first. Objects are named
/// by the handles of what declares them. The generic services come first: 1800, which is not
/// exported, takes the handles up to 7, then 1801.
struct FakeGATT {
    static let clientConfiguration = BluetoothUUID(0x2902)
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
        /// What the remote said; nothing for one that the daemon adds.
        let source: GATTService?
        /// The remote has it no longer.
        var isGone = false
    }

    struct Descriptor {
        let path: DBusObjectPath
        let uuid: BluetoothUUID
        /// Which of the remote's it is; nothing for the one that switches notifications.
        let attribute: AttributeID?
    }

    /// What the remote was asked to consist of.
    var source: [GATTService]
    private(set) var services: [Service] = []
    var characteristics: [FakeCharacteristic] = []
    /// Which characteristic a value belongs to.
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
            var descriptors: [Descriptor] = []
            if characteristic.properties.canSubscribe {
                descriptors.append(
                    Descriptor(
                        path: Self.path(ownPath, "desc", handle), uuid: Self.clientConfiguration,
                        attribute: nil))
                handle += 1
            }
            for descriptor in characteristic.descriptors
            where descriptor.uuid != Self.clientConfiguration {
                descriptors.append(
                    Descriptor(
                        path: Self.path(ownPath, "desc", handle), uuid: descriptor.uuid,
                        attribute: descriptor.id))
                handle += 1
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

    /// Adds a service of the remote behind all others.
    mutating func append(
        _ service: GATTService, of device: DBusObjectPath, _ quirks: FakeQuirks
    ) {
        add(service, of: device, isOwn: false, quirks)
    }

    /// Where a characteristic is that a service of the remote has.
    func index(of characteristic: BluetoothUUID, in service: BluetoothUUID) -> Int? {
        services.first { $0.uuid == service && !$0.isGone }?
            .characteristics.first { characteristics[$0].uuid == characteristic }
    }

    /// A service's place is empty from now on.
    mutating func empty(_ place: Int) {
        services[place].isGone = true
        for index in services[place].characteristics {
            if let attribute = characteristics[index].attribute { indices[attribute] = nil }
        }
    }

    private static func path(
        _ parent: DBusObjectPath, _ kind: String, _ handle: Int
    ) -> DBusObjectPath {
        let digits = String(handle & 0xFFFF, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        return .fake("\(parent.text)/\(kind)\(zeros)\(digits)")
    }

    /// The services as the device's object tells them: with 1800, and sorted.
    var uuids: [BluetoothUUID] {
        let all = Set(services.filter { !$0.isGone }.map(\.uuid)).union([Self.genericAccess])
        return all.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    /// The objects in the order in which they are exported, from a service on.
    func objects(
        of device: FakeDevice, mtu: Int, from first: Int = 0, _ quirks: FakeQuirks
    ) -> [(DBusObject, DBusObjectPath, FakeTarget)] {
        var objects: [(DBusObject, DBusObjectPath, FakeTarget)] = []
        for service in services[first...] where !service.isHidden && !service.isGone {
            let values: [String: DBusValue] = [
                GattService1.uuid: .string(service.uuid.busText),
                GattService1.device: .objectPath(device.path),
                GattService1.primary: .boolean(service.isPrimary),
                GattService1.includes: .array(.objectPath, []),
            ]
            let object = DBusObject(
                [GattService1.interface], values: [GattService1.interfaceName: values])
            objects.append((object.falsified(quirks), service.path, .nothing))
            for index in service.characteristics {
                let characteristic = characteristics[index]
                objects.append(
                    (
                        characteristic.object(mtu: mtu, quirks), characteristic.path,
                        .characteristic(device: device.number, index)
                    ))
                for (place, descriptor) in characteristic.descriptors.enumerated() {
                    objects.append(
                        (
                            descriptor.object(of: characteristic, quirks), descriptor.path,
                            .descriptor(device: device.number, index, place)
                        ))
                }
            }
        }
        return objects
    }

    /// The paths of the objects in the order in which they go: a service after what it has.
    var paths: [DBusObjectPath] { services.filter { !$0.isGone }.flatMap(paths) }

    func paths(_ service: Service) -> [DBusObjectPath] {
        guard !service.isHidden else { return [] }
        return service.characteristics.flatMap { index in
            characteristics[index].descriptors.map(\.path) + [characteristics[index].path]
        } + [service.path]
    }
}

extension FakeGATT.Descriptor {
    func object(of characteristic: FakeCharacteristic, _ quirks: FakeQuirks) -> DBusObject {
        let values: [String: DBusValue] = [
            GattDescriptor1.uuid: .string(uuid.busText),
            GattDescriptor1.characteristic: .objectPath(characteristic.path),
            GattDescriptor1.value: .bytes([]),
        ]
        return DBusObject(
            [GattDescriptor1.interface], values: [GattDescriptor1.interfaceName: values]
        ).falsified(quirks)
    }
}

/// Services that come and go while there is a link.
extension FakeGATT {
    /// What is no more, and where what is new begins.
    struct Change {
        var paths: [DBusObjectPath] = []
        var characteristics: Set<Int> = []
        var attributes: Set<AttributeID> = []
        let firstNew: Int

        /// Whether something was asked of what is no more.
        func concerns(_ operation: FakeOperation) -> Bool {
            switch operation {
            case .read(let index, _, _), .readDescriptor(let index, _, _, _),
                .subscribe(let index, _, _), .readOwn(let index):
                characteristics.contains(index)
            case .write(let attribute, _, _, _, _): attribute.map(attributes.contains) ?? false
            }
        }
    }

    /// The remote consists of this now. What stays keeps its place; what is gone leaves its place
    /// empty, and what is new is added behind.
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
            empty(place)
        }
        let present = services.filter { !$0.isGone }.compactMap(\.source)
        for service in new where !present.contains(service) { append(service, of: device, quirks) }
        source = new
        return change
    }
}

/// A characteristic of a device, and who wants its values.
struct FakeCharacteristic {
    let path: DBusObjectPath
    let service: DBusObjectPath
    let uuid: BluetoothUUID
    /// Which of the remote's it is; nothing for one that the daemon answers for.
    let attribute: AttributeID?
    let properties: GATTProperties
    let permissions: GATTPermissions
    let descriptors: [FakeGATT.Descriptor]
    /// The clients that have subscribed.
    var clients: Set<String> = []
    /// The number of `StartNotify` calls so far: a daemon can be told not to answer the second.
    var startCount = 0
    /// The daemon itself wants the values, for the battery.
    var daemonListens = false
    /// The device was told on this link.
    var isSubscribed = false
    /// Whether clients were told that values come.
    var isNotifying = false
    var losesNext = false
    /// A value that is held back so that the next one comes before it.
    var heldBack: [UInt8]?
    /// Who subscribed and is answered after the first value.
    var heldAnswer: DBusRequest?
    var notifySocket: (place: FakeSocketPlace, client: String)?
    var writeSocket: (place: FakeSocketPlace, client: String)?

    /// A link has ended: what the device was told on it is forgotten.
    mutating func leave() {
        isSubscribed = false
        daemonListens = false
        heldBack = nil
        heldAnswer = nil
    }

    /// What its switch for notifications and indications is at.
    var configuration: [UInt8] {
        [isSubscribed ? (properties.contains(.notify) ? 1 : 2) : 0, 0]
    }

    /// The sockets that stand for it.
    var sockets: [(place: FakeSocketPlace, client: String)] {
        [notifySocket, writeSocket].compactMap(\.self)
    }

    /// Whether somebody needs the device to send.
    var isWanted: Bool { !clients.isEmpty || daemonListens || notifySocket != nil }

    init(
        path: DBusObjectPath, service: DBusObjectPath, uuid: BluetoothUUID,
        attribute: AttributeID?, properties: GATTProperties, permissions: GATTPermissions,
        descriptors: [FakeGATT.Descriptor]
    ) {
        self.path = path
        self.service = service
        self.uuid = uuid
        self.attribute = attribute
        self.properties = properties
        self.permissions = permissions
        self.descriptors = descriptors
    }

    /// Whether a device lets itself be asked for the value: a program that is one is asked by the
    /// daemon, too, if the characteristic's properties say nothing of reading and writing (seen).
    func mayBeRead(_ airborne: FakeAirborne) -> Bool {
        properties.contains(.read)
            || airborne.ownAdapter != nil
                && !properties.canWrite
    }

    /// The object as 5.66 exports it: with the properties that go with what can be done.
    func object(mtu: Int, _ quirks: FakeQuirks) -> DBusObject {
        var values: [String: DBusValue] = [
            GattCharacteristic1.uuid: .string(uuid.busText),
            GattCharacteristic1.service: .objectPath(service),
            GattCharacteristic1.value: .bytes([]),
            GattCharacteristic1.flags: .strings(AttributeFlags.words(for: properties)),
        ]
        if !quirks.hidesMTU {
            values[GattCharacteristic1.mtu] = .uint16(UInt16(clamping: mtu))
        }
        if properties.canSubscribe {
            values[GattCharacteristic1.notifying] = .boolean(isNotifying)
        }
        if !quirks.hidesSockets {
            if properties.contains(.notify) {
                values[GattCharacteristic1.notifyAcquired] = .boolean(false)
            }
            if properties.contains(.writeWithoutResponse) {
                values[GattCharacteristic1.writeAcquired] = .boolean(false)
            }
        }
        return DBusObject(
            [GattCharacteristic1.interface], values: [GattCharacteristic1.interfaceName: values]
        ).falsified(quirks)
    }
}
#endif
