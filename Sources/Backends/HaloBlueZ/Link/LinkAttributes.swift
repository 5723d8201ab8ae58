#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The attributes of a device as the app has them on one link; each object has a number. Equal
/// values have the same objects under the same numbers.
struct LinkAttributes: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        case object(DBusObjectPath, isDescriptor: Bool)
        /// The daemon's battery level, in place of the hidden characteristic.
        case battery
    }

    private(set) var services: [GATTService] = []
    private(set) var paths: [DBusObjectPath] = []
    private var targets: [AttributeID: Target] = [:]
    /// The last number of earlier attributes: no number is used twice on a link.
    private let start: UInt32

    var lastNumber: UInt32 { start &+ UInt32(truncatingIfNeeded: targets.count) }

    /// The object of a number, or `nil` for a stale one.
    subscript(attribute: AttributeID) -> Target? { targets[attribute] }

    var characteristics: [DBusObjectPath] {
        targets.values.compactMap { target in
            if case .object(let path, isDescriptor: false) = target { path } else { nil }
        }
    }

    /// The number of the battery level that replaces a hidden characteristic, if there is one.
    var battery: AttributeID? { targets.first { $0.value == .battery }?.key }

    /// `true` if there is no battery service: the daemon may hide it and have `Battery1` instead
    /// (pitfall 23: gattlib#84, #89).
    var lacksBattery: Bool { !services.contains { $0.uuid == StandardServices.battery } }

    /// Creates the present attributes of a device, in the order of object paths, which is that of
    /// the handles. Their numbers follow `start`.
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

    func isStale(for device: DBusObjectPath, in mirror: BlueZMirror) -> Bool {
        self != LinkAttributes(of: device, in: mirror, after: start)
    }

    private mutating func characteristic(
        _ path: DBusObjectPath, in mirror: BlueZMirror
    ) -> GATTCharacteristic? {
        guard let characteristic = mirror.characteristics[path], let uuid = characteristic.uuid
        else { return nil }
        return GATTCharacteristic(
            number(for: .object(path, isDescriptor: false)), uuid, characteristic.properties,
            descriptors: mirror.descriptors.paths(of: path).compactMap { place in
                // The daemon hides this one from its clients' reads and writes.
                guard let uuid = mirror.descriptors[place]?.uuid,
                    uuid != AttributeUUIDs.clientConfiguration
                else { return nil }
                return GATTDescriptor(number(for: .object(place, isDescriptor: true)), uuid)
            })
    }

    private mutating func number(for target: Target) -> AttributeID {
        let attribute = AttributeID(lastNumber &+ 1)
        targets[attribute] = target
        return attribute
    }
}
#endif
