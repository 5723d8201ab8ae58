#if os(Linux)
import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

/// Devices that send as fast as they go.
@Suite("Load", .takesTurns) struct LoadTests {
    /// Sends a hundred values each time that it is woken, which is at once.
    struct Torrent: GATTPeripheral {
        static let value = AttributeID(1)
        var left = 0
        /// Counts the values of all devices.
        var sent = Locked(0)

        var services: [GATTService] {
            [
                GATTService(
                    BluetoothUUID(0xAA00),
                    characteristics: [
                        GATTCharacteristic(Self.value, BluetoothUUID(0xAA01), .notify)
                    ])
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
                            .connectable(name: "torrent", services: [BluetoothUUID(0xAA00)]))))
            case .changed, .woken:
                for _ in 0..<min(left, 100) {
                    effects.notify(Self.value, [UInt8(truncatingIfNeeded: left)])
                    left -= 1
                    sent.withLock { $0 += 1 }
                }
                effects.wake(at: left > 0 ? now : nil)
            default: break
            }
        }
    }

    /// Connects a device, and has its values told.
    private static func subscribe(
        to device: Hosted<Torrent>, of fake: FakeBlueZ, for client: FakeClient
    ) async throws {
        let identity = try #require(device.identity)
        fake.connect(identity)
        let name = "dev_\(identity.rawValue.replacing(":", with: "_"))"
        try await client.hears("\(name) ServicesResolved=true")
        #expect(
            await client.say(
                GattCharacteristic1.startNotify, GattCharacteristic1.interfaceName,
                "/org/bluez/hci0/\(name)/service000c/char000d") == "OK")
    }

    /// Requests and values take turns: an answer waits for a bounded number of values, though
    /// there is no end of them. A single write may be held up by a busy computer; the median is
    /// not.
    @Test func requestsAreAnsweredBetweenValues() async throws {
        let bench = try await FakeBench.connected()
        let sent = Locked(0)
        let devices = (0..<8).map { number in
            bench.fake.add(Torrent(sent: sent), address: "C0:00:00:00:00:1\(number)")
        }
        for device in devices {
            try await Self.subscribe(to: device, of: bench.fake, for: bench.client)
        }
        // Nobody hears the values, so that only the daemon's own queues count.
        let writer = try await bench.fake.bus.connect()
        let call = DBusCall(
            GattCharacteristic1.writeValue, of: GattCharacteristic1.interfaceName,
            at: try DBusObjectPath(FakeBench.path(.plain)), on: BlueZDaemon.name,
            [.bytes([1]), FakeBench.options])
        bench.client.stopHearing()
        for device in devices { device.modify { $0.left = .max } }
        var counts: [Int] = []
        for _ in 0..<21 {
            let before = sent.withLock { $0 }
            _ = try await writer.call(call, timeout: .seconds(60))
            counts.append(sent.withLock { $0 } - before)
        }
        for device in devices { device.modify { $0.left = 0 } }
        #expect(bench.fake.lostValues == 0)
        #expect(counts.sorted()[counts.count / 2] < 2500, "\(counts)")
        #expect(bench.hosted.modify { $0.written.count } == counts.count)
    }

    /// They wait for the bus, lose nothing, and everything comes in order.
    @Test func devicesWaitForTheBus() async throws {
        let (count, each) = (8, 1000)
        let fake = try await FakeBlueZ()
        let devices = (0..<count).map { number in
            fake.add(Torrent(), address: "C0:00:00:00:00:1\(number)")
        }
        let connection = try await fake.bus.connect()
        let values = Locked<[DBusObjectPath: [UInt8]]>([:])
        let rule = DBusMatchRule(
            sender: BlueZDaemon.name, interface: DBusProperties.interfaceName,
            firstArgument: GattCharacteristic1.interfaceName)
        let subscription = try await connection.subscription(rule) { signal in
            guard signal.values.count > 1,
                let byte = signal.values[1][GattCharacteristic1.value]?.bytes?.first
            else { return }
            values.withLock { $0[signal.path, default: []].append(byte) }
        }
        let client = try await FakeClient(fake)
        for device in devices { try await Self.subscribe(to: device, of: fake, for: client) }
        for device in devices { device.modify { $0.left = each } }
        func total() -> Int { values.withLock { $0.values.reduce(0) { $0 + $1.count } } }
        try await eventually("\(count * each) values, after \(total())", within: .seconds(300)) {
            total() >= count * each || fake.lostValues > 0
        }
        #expect(fake.lostValues == 0)
        let expected = (0..<each).map { UInt8(truncatingIfNeeded: each - $0) }
        #expect(values.withLock { $0.values.allSatisfy { $0 == expected } })
        withExtendedLifetime(subscription) {}
    }
}
#endif
