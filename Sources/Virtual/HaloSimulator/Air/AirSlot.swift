internal import HaloProtocol
public import HaloTransport

/// A device in an air, without its type, which ``AirBox`` adds.
class AirSlot {
    let number: DeviceNumber
    @exclusivity(unchecked) var options: AirPlacement
    /// The services of the device.
    var services: [GATTService] = []
    var attributes: [AttributeID: AirAttribute] = [:]
    var advertisement: PeripheralAdvertisement?
    /// The discovery that scans report, without the signal strength.
    var discovery: Discovery
    /// The generation of the advertisement, which counts its changes.
    var advertisementGeneration = 0
    @exclusivity(unchecked) var link: AirLink?
    var lastLink: (number: AirLinkNumber, reason: DisconnectReason)?
    /// The connection attempts, oldest first.
    var attempts: [AirAttempt] = []
    /// `true` while the device is out of range by ``Air/setAway(_:_:)``.
    @exclusivity(unchecked) var isAway = false
    /// `true` once the device was removed.
    @exclusivity(unchecked) var isRemoved = false
    let wake: Int
    let advertising: Int

    init(_ number: DeviceNumber, _ options: AirPlacement, events: inout EventQueue) {
        self.number = number
        self.options = options
        discovery = Discovery(number.identity)
        wake = events.makeSource(.wake(number.rawValue))
        advertising = events.makeSource(.advertise(number.rawValue))
    }

    /// Creates the empty place of a removed device. It keeps the event sources: scans still cancel
    /// its events, and another owner may have a released source.
    init(vacating old: AirSlot) {
        number = old.number
        options = old.options
        discovery = Discovery(old.number.identity)
        wake = old.wake
        advertising = old.advertising
        isRemoved = true
        lastLink = old.lastLink
    }

    /// The mean signal strength in dBm.
    var rssi: Int {
        AirPath.rssi(atCentimetres: options.distanceCentimetres)
            - min(max(options.wallDecibels, 0), 200)
    }

    var isReachable: Bool { !isAway && !isRemoved && rssi >= AirPath.sensitivity }

    /// Hands an event to the device.
    func handle(_ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects) {}

    /// Reads the services of the device.
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
