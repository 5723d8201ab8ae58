#if os(Linux)
import HaloProtocol
import HaloTransport

/// Sends numbers in a row while some are left: by default as fast as they go.
struct NumberSender: GATTPeripheral {
    static let service = BluetoothUUID(0xFFD0)
    static let numbers = BluetoothUUID(0xFFD1)
    private static let attribute = AttributeID(1)

    /// How many are sent each time that it is woken.
    var atOnce = 10
    var pause: Duration = .zero
    /// How long a value is: the number is its first two bytes.
    var length = 2
    var left = 0
    private var last: UInt16 = 0

    init(atOnce: Int = 10, pause: Duration = .zero, length: Int = 2) {
        (self.atOnce, self.pause, self.length) = (atOnce, pause, length)
    }

    var services: [GATTService] {
        [
            GATTService(
                Self.service,
                characteristics: [GATTCharacteristic(Self.attribute, Self.numbers, .notify)])
        ]
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            effects.append(
                .advertise(
                    PeripheralAdvertisement(
                        .connectable(name: "sender", services: [Self.service]))))
        case .changed, .woken:
            for _ in 0..<min(left, atOnce) {
                left -= 1
                last &+= 1
                let number = [UInt8(last & 0xFF), UInt8(last >> 8)]
                effects.notify(
                    Self.attribute, number + [UInt8](repeating: 0, count: length - number.count))
            }
            effects.wake(at: left > 0 ? now + pause : nil)
        default: break
        }
    }
}
#endif
