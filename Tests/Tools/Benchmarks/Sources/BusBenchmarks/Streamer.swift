#if os(Linux)
import HaloProtocol
import HaloTransport

/// A device with a readable value, and with notifications as fast as they are received. A write of
/// a number requests as many; a second number is the rate per second.
struct Streamer: GATTPeripheral {
    static let service = BluetoothUUID(0xFFF0)
    static let readable = BluetoothUUID(0xFFF1)
    static let stream = BluetoothUUID(0xFFF2)
    static let control = BluetoothUUID(0xFFF3)
    static let value: [UInt8] = Array(0..<16)
    private static let (readableID, streamID, controlID) = (
        AttributeID(2), AttributeID(4), AttributeID(6)
    )
    /// The values that are sent before other devices take their turn.
    private static let atOnce = 64

    let name: String
    private var left: UInt32 = 0
    private var count: UInt32 = 0
    /// The due time of the next value, and the interval after it; `nil` for values without a pause.
    private var pace: (due: Moment, interval: Duration)?

    init(name: String) {
        self.name = name
    }

    /// The path of the first device's readable characteristic: objects are named by handles, of
    /// which service 1801 has those from 8 to 11.
    static let readablePath =
        "/org/bluez/hci0/dev_\(address(0).replacing(":", with: "_"))/service000c/char000d"

    /// The address of a device by its number.
    static func address(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "C0:DE:00:00:00:" + (digits.count < 2 ? "0" : "") + digits
    }

    let services = [
        GATTService(
            service,
            characteristics: [
                GATTCharacteristic(readableID, readable, [.read]),
                GATTCharacteristic(streamID, stream, [.notify]),
                GATTCharacteristic(controlID, control, [.write]),
            ])
    ]

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            let data = AdvertisingData.connectable(name: name, services: [Self.service])
            effects.append(.advertise(PeripheralAdvertisement(data)))
        case .read(Self.readableID, let offset, let token):
            effects.respond(Self.value, from: offset, to: token)
        case .read(_, _, let token):
            effects.refuse(.readNotPermitted, token)
        case .write(_, let bytes, let token):
            left &+= Self.number(bytes.prefix(4))
            let rate = Int(Self.number(bytes.dropFirst(4)))
            pace = rate > 0 ? (now, .seconds(1) / rate) : nil
            effects.accept(token)
            effects.wake(at: now)
        case .woken:
            if left > 0, let due = pace?.due, due > now { return effects.wake(at: due) }
            for _ in 0..<min(pace == nil ? Self.atOnce : 1, Int(left)) {
                effects.notify(Self.streamID, Self.bytes(count))
                count &+= 1
                left -= 1
            }
            if let (due, interval) = pace { pace = (due + interval, interval) }
            if left > 0 { effects.wake(at: pace?.due ?? now) }
        case .disconnected:
            (left, count, pace) = (0, 0, nil)
        case .changed, .connected, .maximumLength, .confirmed, .subscription: break
        }
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A value of sixteen bytes, of which the first four are its number.
    static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) } + value.dropFirst(4)
    }
}
#endif
