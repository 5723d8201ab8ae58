import FakeBlueZ
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The programs that come with BlueZ and with systemd, as clients.
@Suite(.takesTurns) struct BluetoothctlTests {
    private static let uart = "b5a3-f393-e0a9-e50e24dcca9e"

    /// A session with a ring in `bluetoothctl`.
    @Test(
        .enabled(if: OutsideProgram.path("bluetoothctl") != nil, "bluetoothctl is not installed"))
    func usesARingInteractively() async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        let ring = VirtualRing(
            .r02, days: 0, options: VirtualRingOptions(seed: 4, batteryPercent: 83))
        let hosted = fake.add(ring)
        let address = try #require(hosted.identity).rawValue
        let request = Battery.Request().frame.bytes.map { "0x\(HexText.byte($0))" }
        let program = try OutsideProgram(
            "bluetoothctl", [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": try fake.listen()])
        let outcome = try await program.converse([
            ("", "Agent registered"),
            ("list", "[default]"),
            ("show", "Powered: yes"),
            ("scan le", "Device \(address) \(ring.name)"),
            ("info \(address)", "UUID: Vendor specific"),
            ("connect \(address)", "Connection successful"),
            ("scan off", "Discovery stopped"),
            ("menu gatt", "Menu gatt:"),
            ("list-attributes \(address)", "6e400003-\(Self.uart)"),
            ("select-attribute 00002a26-0000-1000-8000-00805f9b34fb", "char"),
            ("read", "52 30 32 5f 33 2e 30 30 2e 31 37"),
            ("select-attribute 6e400003-\(Self.uart)", "char"),
            ("notify on", "Notify started"),
            ("select-attribute 6e400002-\(Self.uart)", "char"),
            ("write \"\(request.joined(separator: " "))\"", "Attempting to write"),
            ("select-attribute 6e400003-\(Self.uart)", "char"),
            // The ring's answer: 83 percent.
            ("attribute-info", "03 53 00 00"),
            ("back", "Menu main:"),
            ("disconnect \(address)", "Successful disconnected"),
            ("remove \(address)", "Device has been removed"),
            ("quit", ""),
        ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!hosted.isConnected)
    }

    private func busctl(_ bus: String, _ words: String) async throws -> String {
        let outcome = try await OutsideProgram(
            "busctl",
            ["--address=\(bus)", "--no-pager"] + words.split(separator: " ").map(String.init),
            environment: [:]
        ).run()
        #expect(outcome.status == 0, "\(words): \(outcome)")
        return outcome.output
    }

    @Test(
        .enabled(if: OutsideProgram.path("busctl") != nil, "busctl is not installed"))
    func showsWhatIsOnTheBus() async throws {
        let fake = try await FakeBlueZ(timing: .patient)
        let hosted = fake.add(VirtualHeartRateSensor(beatsPerMinute: 72))
        let address = try #require(hosted.identity).rawValue
        let bus = try fake.listen()
        let adapter = "org.bluez /org/bluez/hci0"
        #expect(try await busctl(bus, "tree --list org.bluez").contains("/org/bluez/hci0\n"))
        let interfaces = try await busctl(bus, "introspect \(adapter)")
        for word in ["org.bluez.Adapter1", ".StartDiscovery", ".SetDiscoveryFilter", ".Powered"] {
            #expect(interfaces.contains(word), "\(interfaces)")
        }
        let powered = try await busctl(bus, "get-property \(adapter) org.bluez.Adapter1 Powered")
        #expect(powered == "b true\n")
        _ = try await busctl(
            bus, "set-property \(adapter) org.bluez.Adapter1 Alias s Computer")
        let alias = try await busctl(bus, "get-property \(adapter) org.bluez.Adapter1 Alias")
        #expect(alias == "s \"Computer\"\n")
        let objects = try await busctl(
            bus, "call org.bluez / org.freedesktop.DBus.ObjectManager GetManagedObjects")
        #expect(objects.hasPrefix("a{oa{sa{sv}}} ") && objects.contains("org.bluez.Adapter1"))
        // A discovery ends with its client.
        _ = try await busctl(bus, "call \(adapter) org.bluez.Adapter1 StartDiscovery")
        let wrong = try await OutsideProgram(
            "busctl",
            [
                "--address=\(bus)", "call", "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1",
                "StopDiscovery",
            ], environment: [:]
        ).run()
        #expect(wrong.status == 1 && wrong.output.contains("No discovery started"), "\(wrong)")
        withExtendedLifetime(address) {}
    }
}
