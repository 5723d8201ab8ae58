import HaloProtocol
import HaloTransport

/// A device that sends the computer's time to each subscriber, ten times a second.
struct Ticker: GATTPeripheral {
    static let service = BluetoothUUID(0x180D)
    static let characteristic = BluetoothUUID(0x2A37)
    private static let id = AttributeID(2)

    let services = [
        GATTService(
            service,
            characteristics: [GATTCharacteristic(id, characteristic, [.notify])])
    ]
    private var isHeard = false

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            let data = AdvertisingData.connectable(name: "ticker", services: [Self.service])
            effects.append(.advertise(PeripheralAdvertisement(data)))
        case .subscription(_, let isOn):
            isHeard = isOn
            effects.wake(at: isOn ? now + .milliseconds(100) : nil)
        case .woken:
            guard isHeard else { return }
            effects.wake(at: now + .milliseconds(100))
            effects.notify(Self.id, Self.bytes(Stopwatch.nanoseconds()))
        case .changed, .connected, .disconnected, .maximumLength, .confirmed, .read, .write: break
        }
    }

    /// The bytes of a time.
    static func bytes(_ nanoseconds: Double) -> [UInt8] {
        withUnsafeBytes(of: nanoseconds.bitPattern) { Array($0) }
    }

    /// The microseconds since the time in a value.
    static func microseconds(since bytes: [UInt8]) -> Double {
        let pattern = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (Stopwatch.nanoseconds() - Double(bitPattern: pattern)) / 1000
    }
}
