import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The effects of switches that a bus shows; those of the others are recorded as stories.
@Suite("Quirks", .takesTurns) struct QuirkTests {
    private func quirks(_ change: (inout FakeQuirks) -> Void) -> FakeQuirks {
        var quirks = FakeQuirks()
        change(&quirks)
        return quirks
    }

    @Test func connectingAndDisconnectingWithoutAnEnd() async throws {
        let bench = try await FakeBench.found(quirks: quirks { $0.connectHangs = true })
        let connect = try await bench.begin(Device1.connect)
        #expect(await bench.tell(Device1.disconnect) == "OK")
        #expect(try await connect.value() == "org.bluez.Error.Failed: br-connection-canceled")
        bench.fake.quirks = quirks { $0.disconnectNeverReplies = true }
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        let disconnect = try await bench.begin(Device1.disconnect)
        try await bench.client.hears("Connected=false")
        await bench.fake.kill()
        #expect(try await disconnect.value().hasPrefix("org.freedesktop.DBus.Error.NoReply"))
    }

    @Test func aFilterOfServicesCrashesTheDaemon() async throws {
        let bench = try await FakeBench(quirks: quirks { $0.diesOfServiceFilters = true })
        let look = DBusValue.properties(["UUIDs": .strings(["180d"])])
        let adapter = Adapter1.interfaceName
        let isThere = { @Sendable in
            try await bench.client.connection.owner(of: BlueZDaemon.name) != nil
        }
        #expect(
            await bench.client.say(Adapter1.setDiscoveryFilter, adapter, FakeBench.adapter, look)
                == "OK")
        #expect(try await isThere())
        #expect(await bench.client.say(Adapter1.startDiscovery, adapter, FakeBench.adapter) == "OK")
        try await eventually("the daemon's end") { try await !isThere() }
        try await bench.fake.restart()
        #expect(try await isThere())
    }

    /// The ways in which a link can end, and the reason that a newer daemon gives.
    enum Reason: CaseIterable, Sendable {
        case wished, byTheDevice, lost, switchedOff

        var words: String {
            switch self {
            case .wished, .switchedOff:
                "org.bluez.Reason.Local Connection terminated by local host"
            case .byTheDevice: "org.bluez.Reason.Remote Connection terminated by remote user"
            case .lost: "org.bluez.Reason.Timeout Connection timeout"
            }
        }
    }

    @Test(arguments: Reason.allCases)
    func reasonsOfTheEnd(_ reason: Reason) async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.tellsReasons = true })
        bench.client.forget()
        switch reason {
        case .wished: _ = await bench.tell(Device1.disconnect)
        case .byTheDevice: bench.hosted.modify { $0.mustDisconnect = true }
        case .lost: bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        case .switchedOff: bench.fake.setPowered(false)
        }
        try await bench.client.hears("Connected=false")
        let ends = bench.life.filter { $0.contains("onnected") }
        #expect(ends.first == "Disconnected \(reason.words)")
        #expect(ends.count == 2)
    }

    @Test func valuesBeforeTheAnswer() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.valuesBeforeAnswer = true })
        // The device sends at once, and does not wait for the answer.
        bench.hosted.modify { $0.greeting = [1] }
        bench.client.forget()
        try bench.client.note(
            GattCharacteristic1.startNotify, GattCharacteristic1.interfaceName,
            FakeBench.path(.values))
        try await bench.client.hears("= StartNotify")
        let name = FakeBench.path(.values).replacing("/org/bluez/hci0/", with: "")
        #expect(
            bench.client.signals == [
                "\(name) Notifying=true", "\(name) Value=[1]", "= StartNotify OK",
            ])
    }

    @Test func subscriptionsForgotten() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.forgetsSubscriptions = true })
        #expect(await bench.start(.values) == "OK")
        bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        try await bench.client.hears("Notifying=false")
        #expect(await bench.stop(.values) == "org.bluez.Error.Failed: No notify session started")
    }

    @Test func smallPackets() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.mtu = 23 })
        #expect(await bench.property(GattCharacteristic1.mtu, .values) == .uint16(23))
        #expect(bench.hosted.state.maximumLength == 20)
        #expect(await bench.start(.values) == "OK")
        bench.send(.values, [UInt8](repeating: 9, count: 30))
        try await bench.client.hears("Value=[9")
        #expect(bench.values(.values) == ["\([UInt8](repeating: 9, count: 20))"])
    }

    @Test func valuesOfOtherTypes() async throws {
        let bench = try await FakeBench.found(
            quirks: quirks {
                $0.falseValues = ["org.bluez.Device1.RSSI": .string("loud")]
            })
        let rssi = await bench.client.property(
            Device1.rssi, Device1.interfaceName, FakeBench.device)
        #expect(rssi == .string("loud"))
        // Also of an object that was exported when it was still true.
        bench.fake.quirks = quirks { $0.falseValues = ["org.bluez.Device1.Connected": .byte(7)] }
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("Connected=7")
    }
}
