#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

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

    /// Takes in a signal.
    mutating func apply(_ signal: DBusSignal) -> [MirrorChange] {
        let values = signal.values
        switch (signal.interface, signal.member) {
        case (DBusProperties.interfaceName, DBusProperties.propertiesChanged):
            guard values.count > 1, let interface = values[0].string else { return [] }
            let changed = values[1].entries ?? []
            let invalidated = values.count > 2 ? values[2].elements ?? [] : []
            var news = changed.compactMap { entry in
                entry.key.string.map { ($0, DBusValue?.some(entry.value.unwrapped)) }
            }
            news += invalidated.compactMap { $0.string }.map { ($0, nil) }
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
        default:
            return []
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
        let (first, rest) = (
            all.filter { Self.standAlone.contains($0.name) },
            all.filter { !Self.standAlone.contains($0.name) }
        )
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
        case GattService1.interfaceName:
            guard services[path] != nil || services.count < Self.maximumAttributes else {
                return []
            }
            keep(BlueZService(), at: path)
        case GattCharacteristic1.interfaceName:
            guard
                characteristics[path] != nil || characteristics.count < Self.maximumAttributes
            else { return [] }
            keep(BlueZCharacteristic(), at: path)
            // The value that it is told with is an old one.
            let lasting = properties.filter { $0.name != GattCharacteristic1.value }
            return set(lasting, of: interface, at: path) + attributes(of: interface, at: path)
        case GattDescriptor1.interfaceName:
            guard descriptors[path] != nil || descriptors.count < Self.maximumAttributes else {
                return []
            }
            keep(BlueZDescriptor(), at: path)
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
        case GattService1.interfaceName: keep(BlueZService?.none, at: path)
        case GattCharacteristic1.interfaceName: keep(BlueZCharacteristic?.none, at: path)
        case GattDescriptor1.interfaceName: keep(BlueZDescriptor?.none, at: path)
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
        case GattService1.interfaceName:
            guard var service = services[path] else { return [] }
            for (name, value) in properties { service.set(name, value) }
            keep(service, at: path)
            return []
        case GattCharacteristic1.interfaceName: return setCharacteristic(properties, at: path)
        case GattDescriptor1.interfaceName:
            guard var descriptor = descriptors[path] else { return [] }
            for (name, value) in properties { descriptor.set(name, value) }
            keep(descriptor, at: path)
            return []
        case Battery1.interfaceName: return setBattery(properties, at: path)
        default: return []
        }
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
        let isHeard =
            news.contains(.heard) || news.contains(.description) && device.isInReach
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
        guard var characteristic = characteristics[path] else { return [] }
        let mtu = characteristic.mtu
        var changes: [MirrorChange] = []
        for (name, value) in properties {
            characteristic.set(name, value)
            if name == GattCharacteristic1.value, let bytes = value?.bytes {
                changes.append(.value(characteristic: path, bytes))
            }
        }
        keep(characteristic, at: path)
        if characteristic.mtu != mtu { changes.append(.mtu(characteristic: path)) }
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
#endif
