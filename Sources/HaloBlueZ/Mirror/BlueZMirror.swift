#if os(Linux)
internal import HaloDBus

/// What objects the daemon has, as it told: never asked for twice, and changed only by what it
/// says. No path is read for meaning: objects name each other by their properties.
///
/// Whatever the daemon says, it fits: a property of another type than it should have is taken as
/// absent, and what is beyond the limits as not told. So a computer in a crowd of more devices
/// than are kept does not see some of them, and a device with more services than anybody makes
/// seems to have fewer.
struct BlueZMirror: Sendable {
    /// How many adapters are kept.
    static let maximumAdapters = 64
    /// How many devices are kept.
    static let maximumDevices = 4096
    /// How many services, characteristics and descriptors are kept, of each.
    static let maximumAttributes = 1 << 16
    /// How long paths are that are kept, in bytes: the daemon's have about 70.
    static let maximumPathLength = 255

    var adapters: [DBusObjectPath: BlueZAdapter] = [:]
    var devices: [DBusObjectPath: BlueZDevice] = [:]
    private(set) var services: [DBusObjectPath: BlueZService] = [:]
    private(set) var characteristics: [DBusObjectPath: BlueZCharacteristic] = [:]
    private(set) var descriptors: [DBusObjectPath: BlueZDescriptor] = [:]
    /// What belongs to devices, services and characteristics.
    private(set) var branches = MirrorBranches()
    var batteries: [DBusObjectPath: Int] = [:]
}

extension BlueZMirror {
    /// Keeps a service, or with nil forgets it.
    mutating func keep(_ service: BlueZService?, at path: DBusObjectPath) {
        branches.move(path, from: services[path]?.device, to: service?.device)
        services[path] = service
    }

    /// Keeps a characteristic, or with nil forgets it.
    mutating func keep(_ characteristic: BlueZCharacteristic?, at path: DBusObjectPath) {
        branches.move(
            path, from: characteristics[path]?.service, to: characteristic?.service)
        characteristics[path] = characteristic
    }

    /// Keeps a descriptor, or with nil forgets it.
    mutating func keep(_ descriptor: BlueZDescriptor?, at path: DBusObjectPath) {
        branches.move(
            path, from: descriptors[path]?.characteristic, to: descriptor?.characteristic)
        descriptors[path] = descriptor
    }

    /// The device of an address with an adapter, if the daemon has it.
    func device(address: String, on adapter: DBusObjectPath) -> DBusObjectPath? {
        devices.first { $0.value.address == address && $0.value.adapter == adapter }?.key
    }

    /// Which device a service, a characteristic or a descriptor belongs to, if that is known.
    func device(of attribute: DBusObjectPath) -> DBusObjectPath? {
        if let service = services[attribute] { return service.device }
        let characteristic = descriptors[attribute]?.characteristic ?? attribute
        guard let service = characteristics[characteristic]?.service else { return nil }
        return services[service]?.device
    }
}
#endif
