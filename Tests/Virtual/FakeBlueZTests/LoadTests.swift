import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// Devices that send without a pause.
@Suite("Load", .takesTurns) struct LoadTests {
    /// Connects a device, and subscribes to its values.
    static func subscribe(
        to device: Hosted<NumberSender>, of fake: FakeBlueZ, for client: FakeClient
    ) async throws {
        let identity = try #require(device.identity)
        fake.connect(device)
        let name = "dev_\(identity.rawValue.replacing(":", with: "_"))"
        try await client.hears("\(name) ServicesResolved=true")
        #expect(
            await client.say(
                GattCharacteristic1.startNotify, GattCharacteristic1.interfaceName,
                "/org/bluez/hci0/\(name)/service000c/char000d") == "OK")
    }

    /// Requests and values take turns: a reply waits for a bounded number of values, however many
    /// there are. The median is checked: a busy computer may delay a single write.
    @Test func requestsAreAnsweredBetweenValues() async throws {
        let bench = try await FakeBench.connected()
        let sent = Locked(0)
        let devices = (0..<8).map { number in
            bench.fake.add(
                NumberSender(atOnce: 100, sent: sent), address: "C0:00:00:00:00:1\(number)")
        }
        for device in devices {
            try await Self.subscribe(to: device, of: bench.fake, for: bench.client)
        }
        // Without a subscriber on the bus only the daemon's own queues count.
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

    /// Backpressure: the devices wait for the bus; no value is lost, and all come in order.
    @Test func devicesWaitForTheBusAndLoseNoValue() async throws {
        let (count, each) = (8, 1000)
        let fake = try await FakeBlueZ()
        let devices = (0..<count).map { number in
            fake.add(NumberSender(atOnce: 100), address: "C0:00:00:00:00:1\(number)")
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
        let expected = (1...each).map { UInt8(truncatingIfNeeded: $0) }
        #expect(values.withLock { $0.values.allSatisfy { $0 == expected } })
        withExtendedLifetime(subscription) {}
    }
}
