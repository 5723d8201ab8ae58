package import HaloProtocol
package import HaloTransport

/// A device that notifies consecutive numbers while some are left: by default without a pause.
package struct NumberSender: GATTPeripheral {
    package static let service = BluetoothUUID(0xFFD0)
    package static let numbers = BluetoothUUID(0xFFD1)
    private static let attribute = AttributeID(1)

    /// The number of values each time that the device is woken.
    package var atOnce = 10
    package var pause: Duration = .zero
    /// The length of a value in bytes: the number is its first two.
    package var length = 2
    package var left = 0
    /// The values that were sent; senders may share a count.
    package var sent = Locked(0)
    private var last: UInt16 = 0

    package init(
        atOnce: Int = 10, pause: Duration = .zero, length: Int = 2, sent: Locked<Int> = Locked(0)
    ) {
        (self.atOnce, self.pause, self.length, self.sent) = (atOnce, pause, length, sent)
    }

    package var services: [GATTService] {
        [
            GATTService(
                Self.service,
                characteristics: [GATTCharacteristic(Self.attribute, Self.numbers, .notify)])
        ]
    }

    package mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            effects.append(
                .advertise(
                    PeripheralAdvertisement(
                        .connectable(name: "sender", services: [Self.service]))))
        case .changed, .woken:
            let count = min(left, atOnce)
            sent.withLock { $0 += count }
            for _ in 0..<count {
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
