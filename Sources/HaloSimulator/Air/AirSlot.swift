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
        wake = events.makeSource()
        advertising = events.makeSource()
    }

    /// The mean signal strength in dBm.
    var rssi: Int {
        AirPath.rssi(atCentimetres: options.centimetres) - min(max(options.wallDecibels, 0), 200)
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

/// A slot with its device.
final class AirBox<Device: GATTPeripheral>: AirSlot {
    @exclusivity(unchecked) var device: Device

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

/// A connection attempt.
struct AirAttempt {
    let central: CentralNumber
    let tag: UInt64
}

/// A characteristic or a descriptor with its properties and permissions.
struct AirAttribute {
    let uuid: BluetoothUUID
    /// The properties, or `nil` for a descriptor.
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

/// A scan of a central.
struct AirScan {
    let central: CentralNumber
    let tag: UInt64
    let reportsDuplicates: Bool
    /// The reported generation of each device's advertisement.
    var reported: [DeviceNumber: Int] = [:]
}

/// The position of a device in an air, and the behaviour of its radio.
public struct AirPlacement: Hashable, Sendable {
    /// The distance to the centrals.
    public var centimetres: Int
    /// The attenuation by walls and bodies in decibels: a wall takes three to fifteen.
    public var wallDecibels: Int
    /// The MTU that its radio requests after connecting; 23 for no request.
    public var mtu: Int
    /// The connection parameters before the device requests others.
    public var parameters: LinkParameters

    /// Creates a placement two metres away, with an MTU of 247 and a connection interval of 48 ms,
    /// as captured in the first seconds of a ring's connection.
    public init(
        centimetres: Int = 200, wallDecibels: Int = 0, mtu: Int = 247,
        parameters: LinkParameters = LinkParameters(
            interval: .milliseconds(48), latency: 0, supervisionTimeout: .seconds(5))
    ) {
        self.centimetres = centimetres
        self.wallDecibels = wallDecibels
        self.mtu = mtu
        self.parameters = parameters
    }
}

/// The signal strength over a distance, in whole numbers.
///
/// It is −55 dBm at one metre, and each doubling of the distance costs 7.5 dB, as indoors. Each
/// packet fades by up to 6 dB either way. Below −96 dBm nothing is received: a room is covered
/// well, and the range ends at about forty metres.
enum AirPath {
    /// The strength at one metre in dBm.
    static let atOneMetre = -55
    /// The weakest received signal in dBm.
    static let sensitivity = -96

    /// The mean strength in dBm.
    static func rssi(atCentimetres distance: Int) -> Int {
        let distance = max(distance, 1)
        // In sixteenths of a doubling: whole ones by the highest bit, the rest in proportion.
        let bit = Int.bitWidth - 1 - distance.leadingZeroBitCount
        let fraction = bit >= 4 ? distance >> (bit - 4) & 15 : distance << (4 - bit) & 15
        let sixteenths = bit * 16 + fraction - metre
        return atOneMetre - sixteenths * 15 / 32
    }

    /// A hundred centimetres in sixteenths of a doubling.
    private static let metre = 6 * 16 + 9

    /// The random deviation of one packet's strength, mostly small.
    static func fading(_ random: inout SplitMix) -> Int {
        let bits = random.next()
        return (bits & 0xFFF).nonzeroBitCount - 6
    }
}
