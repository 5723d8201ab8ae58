#if os(Linux)
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// A hundred links at once, over each of which values come.
@Suite("A hundred links", .takesTurns)
struct ManyLinksTests {
    private static let links = 100
    private static let values = 100

    /// Sends numbers in a row when it is told to, as fast as they go.
    struct Counter: GATTPeripheral {
        static let service = BluetoothUUID(0xFFD0)
        static let numbers = BluetoothUUID(0xFFD1)
        private static let attribute = AttributeID(1)
        private static let atOnce = 10
        var left = 0
        private var last: UInt16 = 0

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
                            .connectable(name: "counter", services: [Self.service]))))
            case .changed, .woken:
                for _ in 0..<min(left, Self.atOnce) {
                    left -= 1
                    last += 1
                    effects.notify(Self.attribute, [UInt8(last & 0xFF), UInt8(last >> 8)])
                }
                effects.wake(at: left > 0 ? now : nil)
            default: break
            }
        }
    }

    /// What came of a device: how many values, and how many are missing that were counted.
    private struct Tally {
        var count = 0
        var lost = 0

        /// Takes in a value; whether it is the one that follows.
        mutating func take(_ notification: LinkNotification) -> Bool {
            count += 1
            lost += notification.lostBefore
            guard notification.value.count == 2 else { return false }
            let number = Int(notification.value[0]) | Int(notification.value[1]) << 8
            return number == count + lost
        }
    }

    /// Connects, listens with a buffer, and takes in values when all are ready.
    private static func listen(
        _ transport: BlueZTransport, _ device: Hosted<Counter>, buffer: Int, isSlow: Bool
    ) async throws -> Tally {
        let identity = try #require(device.identity)
        let link = try await transport.connect(to: identity, timeout: .seconds(30))
        let numbers = try await link.characteristic(Counter.numbers, of: Counter.service)
        let notifications = try await link.notifications(of: numbers, buffer: buffer)
        let all = isSlow ? try await link.notifications(of: numbers, buffer: values) : nil
        device.modify { $0.left = values }
        if let all {
            // Who has room for all of them has had them all.
            var iterator = all.makeAsyncIterator()
            for _ in 0..<values { _ = try await iterator.next() }
        }
        var (tally, iterator) = (Tally(), notifications.makeAsyncIterator())
        while tally.count + tally.lost < values, let next = try await iterator.next() {
            let isNext = tally.take(next)
            #expect(isNext)
        }
        await link.disconnect()
        return tally
    }

    @Test(
        "each gets all of its values in order, or is told how many it missed",
        arguments: [BlueZOptions.NotifyMode.signals, .sockets])
    func everyoneGetsTheirOwn(_ mode: BlueZOptions.NotifyMode) async throws {
        let fake = try await FakeBlueZ()
        let transport = try await BlueZTransport(
            BlueZOptions(bus: [try fake.listen()], notifyMode: mode))
        let devices = (0..<Self.links).map { number in
            fake.add(
                Counter(), address: "C0:DE:00:00:2\(number / 10):\(10 + number % 10)")
        }
        let tallies = try await withThrowingTaskGroup(of: (Int, Tally).self) { group in
            for (number, device) in devices.enumerated() {
                group.addTask {
                    // Each tenth takes its values late, and has little room for them.
                    let isSlow = number % 10 == 0
                    let tally = try await Self.listen(
                        transport, device, buffer: isSlow ? 16 : Self.values, isSlow: isSlow)
                    return (number, tally)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(tallies.count == Self.links)
        for (number, tally) in tallies {
            #expect(tally.count + tally.lost == Self.values)
            if number % 10 == 0 {
                #expect(tally.lost > 0)
            } else {
                #expect(tally.lost == 0)
            }
        }
        #expect(fake.lostValues == 0)
    }
}
#endif
