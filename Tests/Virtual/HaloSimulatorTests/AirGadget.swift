import HaloProtocol
import HaloTransport

/// A device that records its events, and acts on demand.
struct AirGadget: GATTPeripheral {
    typealias Reaction =
        @Sendable (PeripheralEvent, Moment, inout PeripheralEffects) -> Void

    static let readable = AttributeID(1)
    static let writable = AttributeID(2)
    static let notifying = AttributeID(3)
    static let indicating = AttributeID(4)
    static let encrypted = AttributeID(5)
    static let descriptor = AttributeID(6)
    static let frameWrite = AttributeID(7)
    static let frameNotify = AttributeID(8)

    var services: [GATTService] = [
        GATTService(
            BluetoothUUID(0x1000),
            characteristics: [
                GATTCharacteristic(
                    readable, BluetoothUUID(0x1001), .read,
                    descriptors: [GATTDescriptor(descriptor, BluetoothUUID(0x2901))]),
                GATTCharacteristic(
                    writable, BluetoothUUID(0x1002), [.write, .writeWithoutResponse]),
                GATTCharacteristic(notifying, BluetoothUUID(0x1003), .notify),
                GATTCharacteristic(indicating, BluetoothUUID(0x1004), .indicate),
                GATTCharacteristic(
                    encrypted, BluetoothUUID(0x1005), [.read, .write, .notify],
                    permissions: [.readEncrypted, .writeEncrypted, .subscribeEncrypted]),
            ]),
        GATTService(
            RingServices.uart,
            characteristics: [
                GATTCharacteristic(
                    frameWrite, RingServices.uartWrite, [.write, .writeWithoutResponse]),
                GATTCharacteristic(frameNotify, RingServices.uartNotify, .notify),
            ]),
    ]
    /// The value that reads return.
    var value: [UInt8] = [1, 2, 3]
    var advertisement: PeripheralAdvertisement? = PeripheralAdvertisement(
        AdvertisingData(lenient: [2, 1, 6, 5, 9, 71, 65, 68, 71]), interval: .milliseconds(100))
    var answersReads = true
    var answersWrites = true
    /// Every event with its moment.
    var events: [(moment: Moment, event: PeripheralEvent)] = []
    var reaction: Reaction = { _, _, _ in }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if events.count < 5_000 { events.append((now, event)) }
        switch event {
        case .started: effects.append(.advertise(advertisement))
        case .read(_, let offset, let token):
            if answersReads { effects.respond(Array(value.dropFirst(offset)), to: token) }
        case .write(_, _, let token):
            if answersWrites { effects.accept(token) }
        case .woken, .changed, .connected, .disconnected, .maximumLength, .subscription,
            .confirmed:
            break
        }
        reaction(event, now, &effects)
    }

    /// The values that were written.
    var written: [[UInt8]] {
        events.compactMap { if case .write(_, let value, _) = $0.event { value } else { nil } }
    }

    /// The moment of the first occurrence of an event.
    func moment(of event: PeripheralEvent) -> Moment? {
        events.first { $0.event == event }?.moment
    }
}
