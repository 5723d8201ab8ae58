#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The attributes of a device as they are given out on one link: a number for each object. Equal
/// ones have the same objects under the same numbers.
struct LinkAttributes: Hashable, Sendable {
    /// What a number stands for.
    enum Target: Hashable, Sendable {
        case characteristic(DBusObjectPath)
        case descriptor(DBusObjectPath)
        /// What the daemon says of the battery, in place of a characteristic that it hides.
        case battery
    }

    private(set) var services: [GATTService] = []
    /// The services that the daemon shows.
    private(set) var paths: [DBusObjectPath] = []
    private var targets: [AttributeID: Target] = [:]
    /// The last number that was given out before: no number comes again on a link.
    private let start: UInt32

    /// The last number that was given out.
    var lastNumber: UInt32 { start &+ UInt32(truncatingIfNeeded: targets.count) }

    /// What a number stands for, if it is not stale.
    subscript(attribute: AttributeID) -> Target? { targets[attribute] }

    /// The characteristics that the daemon shows.
    var characteristics: [DBusObjectPath] {
        targets.values.compactMap { target in
            if case .characteristic(let path) = target { path } else { nil }
        }
    }

    /// The battery's level that stands in for a characteristic, if there is one.
    var battery: AttributeID? { targets.first { $0.value == .battery }?.key }

    /// Whether a battery service is missing: a daemon that keeps it to itself tells of the battery
    /// in its own words (pitfall 23: gattlib#84, #89).
    var lacksBattery: Bool { !services.contains { $0.uuid == StandardServices.battery } }

    /// What a device consists of now, in the daemon's order of object paths, which is that of its
    /// handles.
    init(of device: DBusObjectPath, in mirror: BlueZMirror, after start: UInt32 = 0) {
        self.start = start
        for path in mirror.services.paths(of: device) {
            guard let service = mirror.services[path], let uuid = service.uuid else { continue }
            paths.append(path)
            let characteristics = mirror.characteristics.paths(of: path)
            services.append(
                GATTService(
                    uuid, isPrimary: service.isPrimary,
                    characteristics: characteristics.compactMap { characteristic($0, in: mirror) }))
        }
        guard lacksBattery, mirror.batteries[device] != nil else { return }
        let level = GATTCharacteristic(
            number(for: .battery), CharacteristicCatalog.batteryLevel.uuid, [.read, .notify])
        services.append(GATTService(StandardServices.battery, characteristics: [level]))
    }

    /// Whether the device consists of something else by now.
    func isStale(for device: DBusObjectPath, in mirror: BlueZMirror) -> Bool {
        self != LinkAttributes(of: device, in: mirror, after: start)
    }

    private mutating func characteristic(
        _ path: DBusObjectPath, in mirror: BlueZMirror
    ) -> GATTCharacteristic? {
        guard let characteristic = mirror.characteristics[path], let uuid = characteristic.uuid
        else { return nil }
        return GATTCharacteristic(
            number(for: .characteristic(path)), uuid, characteristic.properties,
            descriptors: mirror.descriptors.paths(of: path).compactMap { place in
                guard let uuid = mirror.descriptors[place]?.uuid, uuid != Self.switchUUID
                else { return nil }
                return GATTDescriptor(number(for: .descriptor(place)), uuid)
            })
    }

    private mutating func number(for target: Target) -> AttributeID {
        let attribute = AttributeID(lastNumber &+ 1)
        targets[attribute] = target
        return attribute
    }

    /// The descriptor that switches values on and off: the daemon has it to itself.
    private static let switchUUID = BluetoothUUID(0x2902)
}
#endif
