import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The first sentence of an error: the problem, its subject, and the remedy.
@Suite(.takesTurns) struct ErrorSentenceTests {
    private func error(
        _ body: () async throws -> Void, _ location: SourceLocation = #_sourceLocation
    ) async throws -> BLEError {
        try #require(
            await #expect(throws: BLEError.self, sourceLocation: location) { try await body() },
            sourceLocation: location)
    }

    @Test func anAdapterThatIsNotThereIsNamedWithThoseThatAre() async throws {
        let fake = try await FakeBlueZ(adapters: 2)
        let transport = try await BlueZTransport(on: fake.bus, BlueZOptions(adapter: "hci7"))
        let scanning = try await error { _ = try await transport.find(.all) }
        #expect(
            scanning.description.hasPrefix(
                "looking for devices failed: there is no Bluetooth adapter called hci7; there are "
                    + "hci0 (00:AA:01:00:00:00) and hci1 (00:AA:01:01:00:01); "),
            "\(scanning)")
        let hosting = try await error { _ = try await transport.host(HostingBeacon()) }
        #expect(
            hosting.description.hasPrefix(
                "hosting a device failed: there is no Bluetooth adapter called hci7; "
                    + "there are hci0"),
            "\(hosting)")
    }

    @Test func aComputerWithoutAdapterIsSaidToHaveNone() async throws {
        let fake = try await FakeBlueZ(adapters: 0)
        let transport = try await BlueZTransport(on: fake.bus)
        let scanning = try await error { _ = try await transport.find(.all) }
        #expect(
            scanning.description.hasPrefix(
                "looking for devices failed: bluetoothd has no Bluetooth adapter; "
                    + "'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why"), "\(scanning)")
    }

    @Test func aBusThatIsNotThereIsNamed() async throws {
        let bus = try PrivateBus()
        let nowhere = "unix:abstract=halo-nobody-is-here-\(bus.id)"
        let missing = try await error { _ = try await BlueZTransport(BlueZOptions(bus: nowhere)) }
        #expect(
            missing.description.hasPrefix(
                "reading the state of the adapter failed: the system's D-Bus cannot be reached: "
                    + "unix:abstract=halo-nobody-is-here-"), "\(missing)")
        #expect(missing.description.contains("this container lacks its socket"), "\(missing)")
        #expect(missing.kind == .backend)
    }

    @Test func aDaemonThatIsNotThereIsNamed() async throws {
        let bus = try PrivateBus()
        let missing = try await error { _ = try await BlueZTransport(on: bus) }
        #expect(
            missing.description.hasPrefix(
                "reading the state of the adapter failed: bluetoothd is not running: "),
            "\(missing)")
        #expect(
            missing.description.contains("'sudo systemctl enable --now bluetooth'"), "\(missing)")
        #expect(missing.kind == .backend)
    }
}
