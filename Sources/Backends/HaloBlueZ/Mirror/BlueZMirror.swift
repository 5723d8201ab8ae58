#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// A copy of the daemon's objects: loaded once, and changed only by its signals. No path is parsed
/// for a meaning: objects refer to each other by their properties.
///
/// Everything is bounded: a property of the wrong type is absent, and objects beyond the limits are
/// ignored. Devices beyond the limit are not reported, and further services of a device are
/// missing.
struct BlueZMirror: Sendable {
    static let maximumAdapters = 64
    static let maximumDevices = 4096
    static let maximumAttributes = 1 << 16
    /// The maximum length of a path, in bytes: the daemon's have about 70.
    static let maximumPathLength = 255

    var adapters: [DBusObjectPath: BlueZAdapter] = [:]
    var devices: [DBusObjectPath: BlueZDevice] = [:]
    var services = MirrorTable(of: GattService1.device)
    var characteristics = MirrorTable(of: GattCharacteristic1.service)
    var descriptors = MirrorTable(of: GattDescriptor1.characteristic)
    var batteries: [DBusObjectPath: Int] = [:]

    func device(address: String, on adapter: DBusObjectPath) -> DBusObjectPath? {
        devices.first { $0.value.address == address && $0.value.adapter == adapter }?.key
    }

    /// Returns `true` if another program uses a device's link, on which this one has no
    /// subscription: a program has subscribed to a characteristic, or has just connected the device
    /// and does not know its services. The subscriptions of a program that has crashed are ended.
    func isInUse(_ device: DBusObjectPath) -> Bool {
        guard devices[device]?.isResolved == true else { return true }
        return services.paths(of: device).contains { service in
            characteristics.paths(of: service).contains {
                characteristics[$0]?.hasSubscribers == true
            }
        }
    }

    func linkInterface(of device: DBusObjectPath) -> String {
        devices[device]?.linkInterface ?? Device1.interfaceName
    }

    func device(of attribute: DBusObjectPath) -> DBusObjectPath? {
        if let service = services[attribute] { return service.parent }
        let characteristic = descriptors[attribute]?.parent ?? attribute
        guard let service = characteristics[characteristic]?.parent else { return nil }
        return services[service]?.parent
    }

    // MARK: Signals in, changes out

    /// Returns the value in a signal of a characteristic's value only, otherwise `nil`.
    /// Notifications are such signals: this fast path is tried first.
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

    /// Loads all objects; `false` if the reply has the wrong form.
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
            let updates = Self.properties(values[1]) + absent
            return set(updates, of: interface, at: signal.path)
        case (DBusObjectManager.interfaceName, DBusObjectManager.interfacesAdded):
            guard values.count > 1, let path = values[0].keptPath else { return [] }
            return add(path, values[1])
        case (DBusObjectManager.interfaceName, DBusObjectManager.interfacesRemoved):
            guard values.count > 1, let path = values[0].objectPath else { return [] }
            return (values[1].elements ?? []).compactMap(\.string).flatMap { remove($0, at: path) }
        case (Device1.interfaceName, Device1.disconnected),
            (BearerLE1.interfaceName, Device1.disconnected):
            // 5.66 has no such signal; 5.87 sends it on both interfaces, just before `Connected`
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

    // MARK: Added objects

    private mutating func add(_ path: DBusObjectPath, _ interfaces: DBusValue) -> [MirrorChange] {
        let all = (interfaces.entries ?? []).compactMap { entry in
            entry.key.string.map { (name: $0, properties: Self.properties(entry.value.unwrapped)) }
        }
        // Adapters and devices come first, as the rest belongs to them.
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
            // The value of a new object is from earlier: it is not delivered.
            let lasting = properties.filter { $0.name != GattCharacteristic1.value }
            return set(lasting, of: interface, at: path) + attributes(of: interface, at: path)
        case GattDescriptor1.interfaceName: guard descriptors.add(path) else { return [] }
        case GattManager1.interfaceName, LEAdvertisingManager1.interfaceName:
            adapters[path]?.setManager(interface, isThere: true)
        default: break
        }
        return set(properties, of: interface, at: path) + attributes(of: interface, at: path)
    }

    /// Returns the change of a device's services, characteristics or descriptors.
    private func attributes(of interface: String, at path: DBusObjectPath) -> [MirrorChange] {
        switch interface {
        case GattService1.interfaceName, GattCharacteristic1.interfaceName,
            GattDescriptor1.interfaceName:
            device(of: path).map { [.attributes(device: $0)] } ?? []
        default: []
        }
    }

    // MARK: Removed objects

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
        var updates: BlueZDevice.Updates = []
        for (name, value) in properties {
            updates.formUnion(
                interface == Device1.interfaceName
                    ? device.set(name, value) : device.set(name, value, of: interface))
        }
        devices[path] = device
        // A name in a scan response also comes from an advertisement received just now.
        let isHeard = updates.contains(.heard) || updates.contains(.description) && device.isInReach
        var changes = [MirrorChange.device(path, isHeard: isHeard)]
        // Services are resolved on a link, and no longer after its end: in this order.
        let link = MirrorChange.connection(path, isConnected: device.isConnected)
        if updates.contains(.connection), device.isConnected { changes.append(link) }
        if updates.contains(.resolved) { changes.append(.resolved(path, device.isResolved)) }
        if updates.contains(.connection), !device.isConnected { changes.append(link) }
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

/// All services, characteristics or descriptors, by path and by parent: those of one device are
/// found without a search.
struct MirrorTable: Hashable, Sendable {
    private(set) var all: [DBusObjectPath: MirrorAttribute] = [:]
    private var children: [DBusObjectPath: Set<DBusObjectPath>] = [:]
    /// The name of the property with the parent's path.
    private let parentName: String

    init(of parentName: String) { self.parentName = parentName }

    subscript(path: DBusObjectPath) -> MirrorAttribute? {
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

    /// Returns the children of an object, in the daemon's order.
    func paths(of parent: DBusObjectPath) -> [DBusObjectPath] {
        (children[parent] ?? []).sorted { $0.comesBefore($1) }
    }

    /// Adds or resets an object; `false` if the table is full.
    mutating func add(_ path: DBusObjectPath) -> Bool {
        guard all[path] != nil || all.count < BlueZMirror.maximumAttributes else { return false }
        self[path] = MirrorAttribute()
        return true
    }

    @discardableResult
    mutating func set(_ properties: [BlueZMirror.Property], at path: DBusObjectPath) -> Bool {
        guard var attribute = all[path] else { return false }
        for (name, value) in properties {
            if name == parentName { attribute.parent = value?.keptPath }
            attribute.set(name, value)
        }
        self[path] = attribute
        return true
    }
}

extension DBusValue {
    /// The string, if it is no longer than any name in Bluetooth.
    var keptText: String? { string.flatMap { $0.utf8.count <= 512 ? $0 : nil } }

    var keptPath: DBusObjectPath? { objectPath.flatMap { $0.isKept ? $0 : nil } }

    var keptUUID: BluetoothUUID? { keptText.flatMap { try? BluetoothUUID(parsing: $0) } }
}

extension DBusObjectPath {
    var isKept: Bool { text.utf8.count <= BlueZMirror.maximumPathLength }
}
#endif
