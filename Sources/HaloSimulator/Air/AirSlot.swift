internal import HaloProtocol
public import HaloTransport

/// A device's place in an air; what it is is known to the box that follows.
class AirSlot {
    let number: DeviceNumber
    var options: AirPlacement
    /// What the device consists of.
    var services: [GATTService] = []
    var attributes: [AttributeID: AirAttribute] = [:]
    var advertisement: PeripheralAdvertisement?
    /// What a scan reports of the advertisement, without the strength of the signal.
    var discovery: Discovery
    /// How often the advertisement has changed.
    var edition = 0
    var link: AirLink?
    var lastLink: (number: LinkNumber, reason: DisconnectReason)?
    /// Attempts to connect, in the order of asking.
    var attempts: [AirAttempt] = []
    /// It is where nobody hears it.
    var isAway = false
    /// It was taken out: nothing will be heard of it again.
    var isRemoved = false
    let wake: Int
    let advertising: Int

    init(_ number: DeviceNumber, _ options: AirPlacement, events: inout EventQueue) {
        self.number = number
        self.options = options
        discovery = Discovery(number.identity)
        wake = events.makeSource()
        advertising = events.makeSource()
    }

    /// How strong its signal is on average, in dBm.
    var rssi: Int {
        AirPath.rssi(atCentimetres: options.centimetres) - min(max(options.wallDecibels, 0), 200)
    }

    var isReachable: Bool { !isAway && !isRemoved && rssi >= AirPath.sensitivity }

    /// Hands an event to the device.
    func handle(_ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects) {}

    /// Asks the device what it consists of.
    func readServices() {
        attributes.removeAll(keepingCapacity: true)
        for service in services {
            for characteristic in service.characteristics {
                attributes[characteristic.id] = AirAttribute(characteristic)
                for descriptor in characteristic.descriptors {
                    attributes[descriptor.id] = AirAttribute(descriptor)
                }
            }
        }
    }
}

/// A device's place with the device in it.
final class AirBox<Device: GATTPeripheral>: AirSlot {
    var device: Device

    init(
        _ number: DeviceNumber, _ options: AirPlacement, _ device: Device,
        events: inout EventQueue
    ) {
        self.device = device
        super.init(number, options, events: &events)
    }

    override func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        device.handle(event, at: now, into: &effects)
    }

    override func readServices() {
        services = device.services
        super.readServices()
    }
}

/// Somebody who wants to connect.
struct AirAttempt {
    let central: CentralNumber
    let tag: UInt64
}

/// What a host knows of a characteristic or a descriptor.
struct AirAttribute {
    let uuid: BluetoothUUID
    /// Nothing for a descriptor.
    let properties: GATTProperties?
    let permissions: GATTPermissions

    init(_ characteristic: GATTCharacteristic) {
        uuid = characteristic.uuid
        properties = characteristic.properties
        permissions = characteristic.permissions
    }

    init(_ descriptor: GATTDescriptor) {
        uuid = descriptor.uuid
        properties = nil
        permissions = []
    }
}

extension DeviceNumber {
    /// How a central calls the device.
    public var identity: PeripheralIdentity { PeripheralIdentity("virtual-\(rawValue)") }

    /// The device that a central calls so; it need not exist.
    public init?(_ identity: PeripheralIdentity) {
        let prefix = "virtual-"
        guard identity.rawValue.hasPrefix(prefix),
            let number = Int(identity.rawValue.dropFirst(prefix.count)), number >= 0,
            DeviceNumber(number).identity == identity
        else { return nil }
        self.init(number)
    }
}
