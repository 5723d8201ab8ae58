#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The attributes of a device as they were given out on one link: a number for each object.
struct LinkAttributes: Hashable, Sendable {
    /// What a number stands for.
    enum Target: Hashable, Sendable {
        case characteristic(DBusObjectPath)
        case descriptor(DBusObjectPath)
        /// What the daemon says of the battery, in place of a characteristic that it hides.
        case battery
    }

    /// The services with what their attributes stand for, before numbers are given.
    struct Plan: Hashable, Sendable {
        struct Characteristic: Hashable, Sendable {
            let target: Target
            let uuid: BluetoothUUID
            let properties: GATTProperties
            let descriptors: [Descriptor]
        }

        struct Descriptor: Hashable, Sendable {
            let path: DBusObjectPath
            let uuid: BluetoothUUID
        }

        struct Service: Hashable, Sendable {
            /// Nothing for one that the daemon hides.
            let path: DBusObjectPath?
            let uuid: BluetoothUUID
            let isPrimary: Bool
            let characteristics: [Characteristic]
        }

        var services: [Service] = []
    }

    /// What was given out last; nothing if nothing was, or if it is stale.
    private(set) var plan: Plan?
    private(set) var services: [GATTService] = []
    private var targets: [AttributeID: Target] = [:]
    private var lastNumber: UInt32 = 0

    /// What a number stands for, if it is not stale.
    subscript(attribute: AttributeID) -> Target? { targets[attribute] }

    /// The characteristics that were given out and that the daemon shows.
    var characteristics: [DBusObjectPath] {
        targets.values.compactMap { target in
            if case .characteristic(let path) = target { path } else { nil }
        }
    }

    /// The battery's level that stands in for a characteristic, if it was given out.
    var battery: AttributeID? { targets.first { $0.value == .battery }?.key }

    /// Gives out new numbers.
    mutating func give(_ plan: Plan) {
        guard plan != self.plan else { return }
        targets = [:]
        self.plan = plan
        services = plan.services.map { service in
            GATTService(
                service.uuid, isPrimary: service.isPrimary,
                characteristics: service.characteristics.map { characteristic in
                    GATTCharacteristic(
                        number(for: characteristic.target), characteristic.uuid,
                        characteristic.properties,
                        descriptors: characteristic.descriptors.map {
                            GATTDescriptor(number(for: .descriptor($0.path)), $0.uuid)
                        })
                })
        }
    }

    /// All numbers are stale.
    mutating func forget() {
        plan = nil
        services = []
        targets = [:]
    }

    private mutating func number(for target: Target) -> AttributeID {
        lastNumber &+= 1
        let attribute = AttributeID(lastNumber)
        targets[attribute] = target
        return attribute
    }
}

extension BlueZMirror {
    /// What a device consists of now, in the daemon's order of object paths, which is that of
    /// its handles.
    func plan(of device: DBusObjectPath) -> LinkAttributes.Plan {
        var plan = LinkAttributes.Plan()
        for path in branches[device] {
            guard let service = services[path], service.device == device, let uuid = service.uuid
            else { continue }
            plan.services.append(
                LinkAttributes.Plan.Service(
                    path: path, uuid: uuid, isPrimary: service.isPrimary,
                    characteristics: branches[path].compactMap { planned($0, of: path) }))
        }
        if hidesBattery(in: plan), batteries[device] != nil { plan.services.append(Self.battery) }
        return plan
    }

    /// Where the link of a device is begun, ended and told of.
    func linkInterface(of device: DBusObjectPath) -> String {
        devices[device]?.linkInterface ?? Device1.interfaceName
    }

    /// Whether a battery service would be missing: a daemon that keeps it to itself tells of the
    /// battery in its own words (pitfall 23: gattlib#84, #89).
    func hidesBattery(in plan: LinkAttributes.Plan) -> Bool {
        !plan.services.contains { $0.uuid == StandardServices.battery }
    }

    private func planned(_ path: DBusObjectPath, of service: DBusObjectPath) -> LinkAttributes.Plan
        .Characteristic?
    {
        guard let characteristic = characteristics[path], characteristic.service == service,
            let uuid = characteristic.uuid
        else { return nil }
        return LinkAttributes.Plan.Characteristic(
            target: .characteristic(path), uuid: uuid, properties: characteristic.properties,
            descriptors: branches[path].compactMap { place in
                guard let descriptor = descriptors[place], descriptor.characteristic == path,
                    let uuid = descriptor.uuid, uuid != Self.switchUUID
                else { return nil }
                return LinkAttributes.Plan.Descriptor(path: place, uuid: uuid)
            })
    }

    /// The descriptor that switches values on and off: the daemon has it to itself.
    private static let switchUUID = BluetoothUUID(0x2902)

    private static let batteryLevel = CharacteristicCatalog.batteryLevel.uuid

    private static let battery = LinkAttributes.Plan.Service(
        path: nil, uuid: StandardServices.battery, isPrimary: true,
        characteristics: [
            LinkAttributes.Plan.Characteristic(
                target: .battery, uuid: batteryLevel, properties: [.read, .notify], descriptors: [])
        ])
}
#endif
