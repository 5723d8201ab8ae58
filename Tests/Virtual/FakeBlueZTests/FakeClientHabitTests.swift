import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTesting
import TestSupport
import Testing

/// Undocumented behaviour that other clients rely on.
@Suite(.takesTurns) struct FakeClientHabitTests {
    /// bleak 0.22 closes its bus connection when it receives the device's disconnection. A call
    /// that still waits would fail, so its reply has to come first.
    @Test func aDisconnectIsAnsweredBeforeTheDeviceIsGone() async throws {
        let fake = try await FakeBlueZ()
        fake.add(ContractPeripheral(), address: FakeBlueZTests.address)
        let client = try await FakeClient(fake)
        let (adapter, device) = (FakeBlueZTests.adapter, FakeBlueZTests.device)
        #expect(await client.say(Adapter1.startDiscovery, Adapter1.interfaceName, adapter) == "OK")
        try await client.hears("+dev_C0_00_00_00_00_01 Device1")
        #expect(await client.say(Device1.connect, Device1.interfaceName, device) == "OK")
        try await client.hears("ServicesResolved=true")
        let call = DBusCall(
            Device1.disconnect, of: Device1.interfaceName, at: try DBusObjectPath(device),
            on: BlueZDaemon.name)
        let heard = await withCheckedContinuation { continuation in
            client.connection.call(call, timeout: .seconds(20)) { _ in
                continuation.resume(returning: client.signals)
            }
        }
        #expect(heard.contains { $0.contains("ServicesResolved=false") })
        #expect(!heard.contains { $0.contains("Connected=false") })
        try await client.hears("Connected=false")
    }

    /// bleak subscribes to signals only after it has started the discovery.
    @Test func aDeviceIsAnnouncedRepeatedlyWhileItsRSSIChanges() async throws {
        let fake = try await FakeBlueZ(timing: FakeTiming(fading: .milliseconds(20)))
        fake.add(ContractPeripheral(), address: FakeBlueZTests.address, rssi: -50)
        let client = try await FakeClient(fake)
        let adapter = FakeBlueZTests.adapter
        #expect(await client.say(Adapter1.startDiscovery, Adapter1.interfaceName, adapter) == "OK")
        try await client.wait { signals in
            let strengths = signals.filter { $0.contains("RSSI=") }
            return strengths.contains { $0.hasSuffix("RSSI=-59") }
                && strengths.contains { $0.hasSuffix("RSSI=-50") }
        }
        // With the search it ends.
        #expect(await client.say(Adapter1.stopDiscovery, Adapter1.interfaceName, adapter) == "OK")
        try await client.hears("Discovering=false")
        client.forget()
        #expect(await client.say(Adapter1.startDiscovery, Adapter1.interfaceName, adapter) == "OK")
        try await client.wait { $0.count { $0.contains("RSSI=") } > 2 }
    }
}
