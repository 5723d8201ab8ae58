import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// A device of another program, registered with the fake daemon.
@Suite(.takesTurns) struct OtherDeviceTests {
    private static let service = "0000aa00-0000-1000-8000-00805f9b34fb"
    private static let characteristic = "0000aa01-0000-1000-8000-00805f9b34fb"
    private static let device = "/org/bluez/hci0/dev_00_AA_01_01_00_01"

    /// `bluetoothctl` is the device on one adapter; we are the central on the other.
    @Test(
        .enabled(if: OutsideProgram.path("bluetoothctl") != nil, "bluetoothctl is not installed"))
    func isFoundAndRead() async throws {
        let fake = try await FakeBlueZ(adapters: 2)
        let program = try OutsideProgram(
            "bluetoothctl", [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": try fake.listen()])
        let failure = Locked<(any Error)?>(nil)
        let steps: [OutsideProgram.Step] = [
            ("", "Agent registered"),
            ("select 00:AA:01:01:00:01", "Controller 00:AA:01:01:00:01"),
            ("menu gatt", "Menu gatt:"),
            ("register-service \(Self.service)", "Primary (yes/no)"),
            ("yes", "bluetooth"),
            ("register-characteristic \(Self.characteristic) read,write", "Enter value"),
            ("0x68 0x69", "bluetooth"),
            ("register-application", "Application registered"),
            ("back", "Menu main:"),
            ("advertise on", "Advertising object registered"),
            ("", "WriteValue"),
            ("menu gatt", "Menu gatt:"),
            ("unregister-application", "Application unregistered"),
            ("quit", ""),
        ]
        // It is not waited for: it takes its time to quit, and is ended in any case.
        Task {
            do { _ = try await program.converse(steps) } catch { failure.withLock { $0 = error } }
        }
        func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
            try await eventually(what) {
                if let error = failure.withLock({ $0 }) { throw error }
                return try await isSo()
            }
        }
        let client = try await FakeClient(fake)
        _ = await client.say("StartDiscovery", Adapter1.interfaceName, "/org/bluez/hci0")
        try await until("the device") { try await client.objects()[Self.device] != nil }
        #expect(await client.say("Connect", Device1.interfaceName, Self.device) == "OK")
        try await client.hears("ServicesResolved=true")
        let path = try #require(try await Self.place(client))
        let value = try await client.call(
            "ReadValue", GattCharacteristic1.interfaceName, path, .properties([:])
        ).get()
        #expect(value.values.first?.bytes == Array("hi".utf8))
        let answer = await client.say(
            "WriteValue", GattCharacteristic1.interfaceName, path, .bytes([1]), .properties([:]))
        #expect(answer == "OK")
        // What the program takes back is gone for the central, too.
        try await until("nothing") { try await Self.place(client) == nil }
    }

    /// The path of the characteristic on the central's daemon.
    private static func place(_ client: FakeClient) async throws -> String? {
        try await client.objects().first { _, interfaces in
            interfaces[GattCharacteristic1.interfaceName]?["UUID"]?.string == characteristic
        }?.key
    }
}
