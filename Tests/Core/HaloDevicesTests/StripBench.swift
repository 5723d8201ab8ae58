import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

/// A virtual strip that can be made silent, and logs what is written.
struct OddStrip: GATTPeripheral {
    /// A value that was written.
    struct Written: Sendable {
        let moment: Moment
        let bytes: [UInt8]

        var colour: LEDColour? {
            guard let command = try? LEDStripCommand.Colour(decoding: bytes) else { return nil }
            return LEDColour(red: command.red, green: command.green, blue: command.blue)
        }
    }

    var strip = VirtualLEDStrip()
    var logs = false
    var isSilent = false
    var hasStatus = true
    var responds = false
    private(set) var written: [Written] = []
    private var hasChanged = false
    /// How much the numbers of the attributes grow with the next event.
    private var step: UInt32 = 0
    private var offset: UInt32 = 0

    var services: [GATTService] {
        (responds ? strip.respondingServices : strip.services).filter {
            hasStatus || $0.uuid != LEDStripServices.statusService
        }.map { $0.movingAttributes(by: offset) }
    }

    /// The services change with the next event: after `modify` at once.
    mutating func changeServices() { hasChanged = true }

    /// All attributes have other numbers after the next event.
    mutating func moveAttributes() {
        hasChanged = true
        step = 100
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if logs, case .write(_, let bytes, _) = event {
            written.append(Written(moment: now, bytes: bytes))
        }
        var all = PeripheralEffects()
        strip.handle(event.movingAttribute(by: 0 &- offset), at: now, into: &all)
        for effect in all.all {
            guard case .notify(let attribute, let bytes) = effect else {
                effects.append(effect)
                continue
            }
            if !isSilent { effects.append(.notify(attribute.moved(by: offset), bytes)) }
        }
        if hasChanged { effects.append(.servicesChanged) }
        offset += step
        (hasChanged, step) = (false, 0)
    }
}

extension AttributeID {
    fileprivate func moved(by offset: UInt32) -> AttributeID { AttributeID(rawValue &+ offset) }
}

extension GATTService {
    fileprivate func movingAttributes(by offset: UInt32) -> GATTService {
        GATTService(
            uuid, isPrimary: isPrimary,
            characteristics: characteristics.map { characteristic in
                GATTCharacteristic(
                    characteristic.id.moved(by: offset), characteristic.uuid,
                    characteristic.properties, descriptors: characteristic.descriptors)
            })
    }
}

extension PeripheralEvent {
    /// The event of a strip, which is written and subscribed to.
    fileprivate func movingAttribute(by offset: UInt32) -> PeripheralEvent {
        switch self {
        case .write(let attribute, let bytes, let token):
            .write(attribute.moved(by: offset), bytes, token: token)
        case .subscription(let attribute, let isOn):
            .subscription(attribute.moved(by: offset), isOn: isOn)
        default: self
        }
    }
}

extension VirtualLEDStrip {
    /// The services of a strip that takes writes with response only.
    var respondingServices: [GATTService] {
        services.map { service in
            GATTService(
                service.uuid, isPrimary: service.isPrimary,
                characteristics: service.characteristics.map { characteristic in
                    GATTCharacteristic(
                        characteristic.id, characteristic.uuid,
                        characteristic.properties.subtracting(.writeWithoutResponse),
                        descriptors: characteristic.descriptors)
                })
        }
    }
}

/// A connected strip in the air.
struct StripBench {
    let air: VirtualBluetooth
    let placed: Placed<OddStrip>
    let strip: LEDStrip

    init(
        in air: VirtualBluetooth = VirtualBluetooth(seed: 1), logs: Bool = false,
        isSilent: Bool = false, hasStatus: Bool = true, responds: Bool = false,
        options: LEDStripOptions = LEDStripOptions()
    ) async throws {
        self.air = air
        var odd = OddStrip()
        (odd.logs, odd.isSilent, odd.hasStatus) = (logs, isSilent, hasStatus)
        odd.responds = responds
        placed = air.add(odd)
        strip = try await LEDStrip.connect(over: air, options: options)
    }

    func pass(_ duration: Duration) async throws { try await air.clock.sleep(for: duration) }

    /// Moves the strip out of reach, until the link is lost.
    func loseLink() async throws {
        placed.moveAway()
        try await pass(.seconds(30))
    }

    /// Moves the strip back, until it is connected.
    func reconnect() async throws {
        placed.comeBack()
        try await strip.waitUntilConnected()
    }

    var state: VirtualLEDStrip { placed.state?.strip ?? VirtualLEDStrip() }
    var light: LEDLight { state.light(at: air.time.now()) }
    var logged: [OddStrip.Written] { placed.state?.written ?? [] }
}
