internal import HaloProtocol
public import HaloTransport

final class AirSlot {
    struct Attempt {
        let central: CentralNumber
        let tag: UInt64
    }

    struct Attribute {
        let uuid: BluetoothUUID
        /// The properties, or `nil` for a descriptor.
        let properties: GATTProperties?
        let permissions: GATTPermissions
    }

    let number: DeviceNumber
    /// The device; `nil` once it was removed, and its link has ended.
    @exclusivity(unchecked) var device: (any GATTPeripheral)?
    @exclusivity(unchecked) var options: AirPlacement
    var services: [GATTService] = []
    var attributes: [AttributeID: Attribute] = [:]
    var advertisement: PeripheralAdvertisement?
    /// The discovery that scans report, without the signal strength.
    var discovery: Discovery
    var advertisementGeneration = 0
    @exclusivity(unchecked) var link: AirLink?
    var lastLink: (number: AirLinkNumber, reason: DisconnectReason)?
    /// The connection attempts, oldest first.
    var attempts: [Attempt] = []
    @exclusivity(unchecked) var isAway = false
    @exclusivity(unchecked) var isRemoved = false
    let wake: Int
    let advertising: Int

    init(
        _ number: DeviceNumber, _ options: AirPlacement, _ device: any GATTPeripheral,
        events: inout EventQueue
    ) {
        self.number = number
        self.options = options
        self.device = device
        discovery = Discovery(number.identity)
        wake = events.makeSource(.wake(number.rawValue))
        advertising = events.makeSource(.advertise(number.rawValue))
    }

    /// Releases a removed device, once it has no link. The event sources stay: scans still cancel
    /// its events, and another owner may have a released source.
    func vacate() {
        device = nil
        (services, attributes) = ([], [:])
        advertisement = nil
        discovery = Discovery(number.identity)
    }

    /// The mean signal strength in dBm.
    var rssi: Int {
        AirPath.rssi(atCentimetres: options.distanceCentimetres)
            - min(max(options.wallDecibels, 0), 200)
    }

    var isReachable: Bool { !isAway && !isRemoved && rssi >= AirPath.sensitivity }

    func readServices() {
        services = device?.services ?? []
        attributes.removeAll(keepingCapacity: true)
        for service in services {
            for characteristic in service.characteristics {
                attributes[characteristic.id] = Attribute(
                    uuid: characteristic.uuid, properties: characteristic.properties,
                    permissions: characteristic.permissions)
                for descriptor in characteristic.descriptors {
                    attributes[descriptor.id] = Attribute(
                        uuid: descriptor.uuid, properties: nil, permissions: [])
                }
            }
        }
    }
}

extension DeviceNumber {
    /// The identity under which centrals see the device.
    public var identity: PeripheralIdentity { PeripheralIdentity("virtual-\(rawValue)") }

    /// Returns the device with a virtual identity, or `nil` for any other identity. The device need
    /// not exist.
    public init?(_ identity: PeripheralIdentity) {
        let prefix = "virtual-"
        guard identity.rawValue.hasPrefix(prefix),
            let number = Int(identity.rawValue.dropFirst(prefix.count)), number >= 0,
            DeviceNumber(number).identity == identity
        else { return nil }
        self.init(number)
    }
}
