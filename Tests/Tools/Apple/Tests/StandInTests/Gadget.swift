import HaloProtocol
import HaloSimulator
import HaloTransport

/// A device for these tests: it stores what is written, and sends what it is told.
struct Gadget: GATTPeripheral {
    static let service = BluetoothUUID(0xFFF0)
    static let extra = BluetoothUUID(0xFFF8)

    var database = GATTDatabase()
    let control: AttributeID
    let stream: AttributeID
    let silent: AttributeID
    let locked: AttributeID
    var name = "Gadget"
    var value: [UInt8] = [1, 2, 3]
    var written: [[UInt8]] = []
    /// Effects that the next event performs.
    var effects: [PeripheralEffect] = []
    var isSubscribed = false
    /// `true` if a subscription is answered by a value at once.
    var greets = false
    /// `true` if a notification comes before the answer to each read.
    var interrupts = false
    private(set) var connectionCount = 0

    var services: [GATTService] { database.services }

    init() {
        (control, stream, silent, locked) = database.add(Self.service) { service in
            (
                service.add(
                    BluetoothUUID(0xFFF1), [.read, .write, .writeWithoutResponse],
                    descriptors: [(BluetoothUUID(0x2901), Array("control".utf8))]),
                service.add(BluetoothUUID(0xFFF2), [.notify, .read]),
                service.add(BluetoothUUID(0xFFF3), [.read]),
                service.add(
                    BluetoothUUID(0xFFF4), [.read, .writeWithoutResponse],
                    permissions: .readEncrypted)
            )
        }
    }

    /// Adds a service, and says so.
    mutating func grow() {
        _ = database.add(Self.extra) { $0.add(BluetoothUUID(0xFFF9), .read) }
        effects.append(.servicesChanged)
    }

    /// Replaces all services by others with one characteristic each, and says so.
    mutating func replaceServices(count: Int = 8) {
        var other = GATTDatabase()
        for _ in 0..<count { _ = other.add(Self.extra) { $0.add(BluetoothUUID(0xFFF9), .read) } }
        database = other
        effects.append(.servicesChanged)
    }

    var advertisement: PeripheralAdvertisement {
        PeripheralAdvertisement(.connectable(name: name, services: [Self.service]))
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started: effects.append(.advertise(advertisement))
        case .connected: connectionCount += 1
        case .read(silent, _, _): break
        case .read(let attribute, let offset, let token):
            if interrupts { effects.notify(stream, [0xBB]) }
            let constant = database.value(of: attribute)
            effects.respond(constant ?? value, from: offset, to: token)
        case .write(_, let bytes, let token):
            written.append(bytes)
            effects.accept(token)
        case .subscription(_, let isOn):
            isSubscribed = isOn
            if isOn, greets { effects.notify(stream, [0xAA]) }
        default: break
        }
        for effect in self.effects { effects.append(effect) }
        self.effects = []
    }
}
