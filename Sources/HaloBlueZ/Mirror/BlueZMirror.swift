#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// What objects the daemon has, as it told: never asked for twice, and changed only by what it
/// says. No path is read for meaning: objects name each other by their properties.
///
/// Whatever the daemon says, it fits: a property of another type than it should have is taken as
/// absent, and what is beyond the limits as not told. So a computer in a crowd of more devices
/// than are kept does not see some of them, and a device with more services than anybody makes
/// seems to have fewer.
struct BlueZMirror: Sendable {
    static let maximumAdapters = 64
    static let maximumDevices = 4096
    static let maximumAttributes = 1 << 16
    /// How long paths are that are kept, in bytes: the daemon's have about 70.
    static let maximumPathLength = 255

    var adapters: [DBusObjectPath: BlueZAdapter] = [:]
    var devices: [DBusObjectPath: BlueZDevice] = [:]
    var services = MirrorTable<BlueZService>()
    var characteristics = MirrorTable<BlueZCharacteristic>()
    var descriptors = MirrorTable<BlueZDescriptor>()
    var batteries: [DBusObjectPath: Int] = [:]

    /// The device of an address with an adapter, if the daemon has it.
    func device(address: String, on adapter: DBusObjectPath) -> DBusObjectPath? {
        devices.first { $0.value.address == address && $0.value.adapter == adapter }?.key
    }

    /// Where the link of a device is begun, ended and told of.
    func linkInterface(of device: DBusObjectPath) -> String {
        devices[device]?.linkInterface ?? Device1.interfaceName
    }

    /// Which device a service, a characteristic or a descriptor belongs to, if that is known.
    func device(of attribute: DBusObjectPath) -> DBusObjectPath? {
        if let service = services[attribute] { return service.device }
        let characteristic = descriptors[attribute]?.characteristic ?? attribute
        guard let service = characteristics[characteristic]?.service else { return nil }
        return services[service]?.device
    }
}

/// What the daemon says goes in, and what it means comes out.
extension BlueZMirror {
    /// A characteristic's value, if that is all that a signal tells. Notifications are such
    /// signals: they are looked at here first, and cost nothing else.
    static func value(in signal: DBusSignal) -> [UInt8]? {
        guard signal.values.count > 1,
            case .string(GattCharacteristic1.interfaceName) = signal.values[0],
            signal.member == DBusProperties.propertiesChanged,
            case .dictionary(_, _, let changed) = signal.values[1],
            changed.count == 1, case .string(GattCharacteristic1.value) = changed[0].key,
            case .variant(.bytes(let bytes)) = changed[0].value
        else { return nil }
        return bytes
    }

    /// Takes in all objects; whether they were told as they are to be.
    mutating func load(_ objects: DBusValue) -> Bool {
        guard let entries = objects.entries else { return false }
        self = BlueZMirror()
        for entry in entries {
            guard let path = entry.key.keptPath else { continue }
            _ = add(path, entry.value)
        }
        return true
    }

    mutating func apply(_ signal: DBusSignal) -> [MirrorChange] {
        let values = signal.values
        switch (signal.interface, signal.member) {
        case (DBusProperties.interfaceName, DBusProperties.propertiesChanged):
            guard values.count > 1, let interface = values[0].string else { return [] }
            let invalidated = values.count > 2 ? values[2].elements ?? [] : []
            let absent: [Property] = invalidated.compactMap(\.string).map { ($0, nil) }
            let news = Self.properties(values[1]) + absent
            return set(news, of: interface, at: signal.path)
        case (DBusObjectManager.interfaceName, DBusObjectManager.interfacesAdded):
            guard values.count > 1, let path = values[0].keptPath else { return [] }
            return add(path, values[1])
        case (DBusObjectManager.interfaceName, DBusObjectManager.interfacesRemoved):
            guard values.count > 1, let path = values[0].objectPath else { return [] }
            return (values[1].elements ?? []).compactMap(\.string).flatMap { remove($0, at: path) }
        case (Device1.interfaceName, Device1.disconnected),
            (BearerLE1.interfaceName, Device1.disconnected):
            // 5.66 has no such signal; 5.87 says it on both interfaces, just before `Connected`
            // becomes false (seen in the virtual machine).
            guard devices[signal.path]?.linkInterface == signal.interface,
                let name = values.first?.keptText
            else { return [] }
            let text = values.dropFirst().first?.keptText ?? ""
            return [.reason(device: signal.path, name: name, text: text)]
        default: return []
        }
    }

    typealias Property = (name: String, value: DBusValue?)

    private static func properties(_ value: DBusValue) -> [Property] {
        (value.entries ?? []).compactMap { entry in
            entry.key.string.map { ($0, entry.value.unwrapped) }
        }
    }

    // MARK: Objects that come

    private mutating func add(_ path: DBusObjectPath, _ interfaces: DBusValue) -> [MirrorChange] {
        let all = (interfaces.entries ?? []).compactMap { entry in
            entry.key.string.map { (name: $0, properties: Self.properties(entry.value.unwrapped)) }
        }
        // What stands on its own first: the rest belongs to it.
        let first = all.filter { Self.standAlone.contains($0.name) }
        let rest = all.filter { !Self.standAlone.contains($0.name) }
        return (first + rest).flatMap { add($0.name, $0.properties, at: path) }
    }

    private static let standAlone = [Adapter1.interfaceName, Device1.interfaceName]

    private mutating func add(
        _ interface: String, _ properties: [Property], at path: DBusObjectPath
    ) -> [MirrorChange] {
        switch interface {
        case Adapter1.interfaceName:
            guard adapters[path] != nil || adapters.count < Self.maximumAdapters else { return [] }
            adapters[path] = BlueZAdapter(path)
        case Device1.interfaceName:
            guard devices[path] != nil || devices.count < Self.maximumDevices else { return [] }
            devices[path] = BlueZDevice()
        case GattService1.interfaceName: guard services.add(path) else { return [] }
        case GattCharacteristic1.interfaceName:
            guard characteristics.add(path) else { return [] }
            // The value that it is told with is an old one.
            let lasting = properties.filter { $0.name != GattCharacteristic1.value }
            return set(lasting, of: interface, at: path) + attributes(of: interface, at: path)
        case GattDescriptor1.interfaceName: guard descriptors.add(path) else { return [] }
        case GattManager1.interfaceName, LEAdvertisingManager1.interfaceName:
            adapters[path]?.setManager(interface, isThere: true)
        default: break
        }
        return set(properties, of: interface, at: path) + attributes(of: interface, at: path)
    }

    /// That a device's services, characteristics or descriptors are others.
    private func attributes(of interface: String, at path: DBusObjectPath) -> [MirrorChange] {
        switch interface {
        case GattService1.interfaceName, GattCharacteristic1.interfaceName,
            GattDescriptor1.interfaceName:
            device(of: path).map { [.attributes(device: $0)] } ?? []
        default: []
        }
    }

    // MARK: Objects that go

    private mutating func remove(_ interface: String, at path: DBusObjectPath) -> [MirrorChange] {
        let changes = attributes(of: interface, at: path)
        switch interface {
        case Adapter1.interfaceName:
            return adapters.removeValue(forKey: path) == nil ? [] : [.adapterRemoved(path)]
        case Device1.interfaceName:
            batteries[path] = nil
            return devices.removeValue(forKey: path) == nil ? [] : [.deviceRemoved(path)]
        case BearerLE1.interfaceName, BearerBREDR1.interfaceName:
            _ = devices[path]?.set(Device1.connected, nil, of: interface)
        case GattManager1.interfaceName, LEAdvertisingManager1.interfaceName:
            adapters[path]?.setManager(interface, isThere: false)
            return adapters[path] == nil ? [] : [.adapter(path)]
        case GattService1.interfaceName: services[path] = nil
        case GattCharacteristic1.interfaceName: characteristics[path] = nil
        case GattDescriptor1.interfaceName: descriptors[path] = nil
        case Battery1.interfaceName: batteries[path] = nil
        default: break
        }
        return changes
    }

    // MARK: Properties

    /// Properties of an object have other values. Of objects that nobody told of, nothing is
    /// known.
    private mutating func set(
        _ properties: [Property], of interface: String, at path: DBusObjectPath
    ) -> [MirrorChange] {
        switch interface {
        case Adapter1.interfaceName, GattManager1.interfaceName,
            LEAdvertisingManager1.interfaceName:
            guard adapters[path] != nil else { return [] }
            for (name, value) in properties { adapters[path]?.set(name, value) }
            return [.adapter(path)]
        case Device1.interfaceName, BearerLE1.interfaceName, BearerBREDR1.interfaceName:
            return setDevice(properties, of: interface, at: path)
        case GattService1.interfaceName: services.set(properties, at: path)
        case GattCharacteristic1.interfaceName: return setCharacteristic(properties, at: path)
        case GattDescriptor1.interfaceName: descriptors.set(properties, at: path)
        case Battery1.interfaceName: return setBattery(properties, at: path)
        default: break
        }
        return []
    }

    private mutating func setDevice(
        _ properties: [Property], of interface: String, at path: DBusObjectPath
    ) -> [MirrorChange] {
        guard var device = devices[path] else { return [] }
        var news: BlueZDevice.News = []
        for (name, value) in properties {
            news.formUnion(
                interface == Device1.interfaceName
                    ? device.set(name, value) : device.set(name, value, of: interface))
        }
        devices[path] = device
        // A name that comes in an answer to a scan is heard, too.
        let isHeard = news.contains(.heard) || news.contains(.description) && device.isInReach
        var changes = [MirrorChange.device(path, isHeard: isHeard)]
        // Services are known on a link, and no longer when it has ended: in this order.
        let link = MirrorChange.connection(path, isConnected: device.isConnected)
        if news.contains(.connection), device.isConnected { changes.append(link) }
        if news.contains(.resolved) { changes.append(.resolved(path, device.isResolved)) }
        if news.contains(.connection), !device.isConnected { changes.append(link) }
        return changes
    }

    private mutating func setCharacteristic(
        _ properties: [Property], at path: DBusObjectPath
    ) -> [MirrorChange] {
        let mtu = characteristics[path]?.mtu
        guard characteristics.set(properties, at: path) else { return [] }
        var changes = properties.compactMap { name, value in
            name == GattCharacteristic1.value
                ? value?.bytes.map { MirrorChange.value(characteristic: path, $0) } : nil
        }
        if characteristics[path]?.mtu != mtu { changes.append(.mtu(characteristic: path)) }
        return changes
    }

    private mutating func setBattery(
        _ properties: [Property], at path: DBusObjectPath
    ) -> [MirrorChange] {
        guard devices[path] != nil else { return [] }
        var changes: [MirrorChange] = []
        for (name, value) in properties where name == Battery1.percentage {
            batteries[path] = value?.integer.flatMap { (0...100).contains($0) ? Int($0) : nil }
            if let level = batteries[path] { changes.append(.battery(device: path, level)) }
        }
        return changes
    }
}

/// What a device consists of: an object that belongs to another one.
protocol MirrorAttribute: Hashable, Sendable {
    init()

    var parent: DBusObjectPath? { get }

    /// A property has a value, or with nil none.
    mutating func set(_ name: String, _ value: DBusValue?)
}

/// All services, characteristics or descriptors, by their paths and by what they belong to: those
/// of one device are found without looking at what all others have.
struct MirrorTable<Attribute: MirrorAttribute>: Hashable, Sendable {
    private(set) var all: [DBusObjectPath: Attribute] = [:]
    private var children: [DBusObjectPath: Set<DBusObjectPath>] = [:]

    subscript(path: DBusObjectPath) -> Attribute? {
        get { all[path] }
        set {
            let (old, new) = (all[path]?.parent, newValue?.parent)
            all[path] = newValue
            guard old != new else { return }
            if let old {
                children[old]?.remove(path)
                if children[old]?.isEmpty == true { children[old] = nil }
            }
            if let new { children[new, default: []].insert(path) }
        }
    }

    /// The objects that belong to another one, in the daemon's order.
    func paths(of parent: DBusObjectPath) -> [DBusObjectPath] {
        (children[parent] ?? []).sorted { $0.comesBefore($1) }
    }

    /// Begins an object anew; `false` if there is no room for one more.
    mutating func add(_ path: DBusObjectPath) -> Bool {
        guard all[path] != nil || all.count < BlueZMirror.maximumAttributes else { return false }
        self[path] = Attribute()
        return true
    }

    /// Properties of an object have other values; `false` if there is no such object.
    @discardableResult
    mutating func set(_ properties: [BlueZMirror.Property], at path: DBusObjectPath) -> Bool {
        guard var attribute = all[path] else { return false }
        for (name, value) in properties { attribute.set(name, value) }
        self[path] = attribute
        return true
    }
}

/// What has changed in the mirror, or passed it by, in the order in which the daemon said it.
enum MirrorChange: Hashable, Sendable {
    /// The daemon's objects are known from now on.
    case loaded
    /// The daemon is gone, and all its objects with it: its name has no owner any more, another
    /// one owns it now, or the bus is gone.
    case lost(String)
    /// An adapter is there, or its properties are others.
    case adapter(DBusObjectPath)
    case adapterRemoved(DBusObjectPath)
    /// A device is there, or its properties are others; `isHeard` says that the signal tells of
    /// something that was heard just now.
    case device(DBusObjectPath, isHeard: Bool)
    case connection(DBusObjectPath, isConnected: Bool)
    /// A device's services are known, or no longer.
    case resolved(DBusObjectPath, Bool)
    case deviceRemoved(DBusObjectPath)
    /// Services, characteristics or descriptors of a device came or went.
    case attributes(device: DBusObjectPath)
    /// A characteristic has another length of packets.
    case mtu(characteristic: DBusObjectPath)
    case value(characteristic: DBusObjectPath, [UInt8])
    case battery(device: DBusObjectPath, Int)
    /// A device's link has ended for this reason (from 5.83 on).
    case reason(device: DBusObjectPath, name: String, text: String)
}

extension DBusValue {
    /// Text that is kept: longer than any name in Bluetooth is none.
    var keptText: String? { string.flatMap { $0.utf8.count <= 512 ? $0 : nil } }

    var keptPath: DBusObjectPath? { objectPath.flatMap { $0.isKept ? $0 : nil } }

    /// A UUID, as the daemon writes them.
    var keptUUID: BluetoothUUID? { keptText.flatMap { try? BluetoothUUID(parsing: $0) } }
}

extension DBusObjectPath {
    /// Whether it is short enough to be kept.
    var isKept: Bool { text.utf8.count <= BlueZMirror.maximumPathLength }
}
#endif
