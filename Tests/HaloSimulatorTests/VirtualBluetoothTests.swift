import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// A backend whose devices live in this process.
@Suite struct VirtualBluetoothTests {
    @Test func aLinkIsMadeAndReadWithoutWaiting() async throws {
        let air = VirtualBluetooth(seed: 7)
        let placed = air.add(AirGadget())
        let link = try await air.openLink(to: placed.identity)
        let services = try await link.services(air.time)
        #expect(services == AirGadget().services)
        #expect(try await link.readValue(AirGadget.readable, air.time) == [1, 2, 3])
        #expect(placed.isConnected)
    }

    @Test func aNightsSleepTakesNoTime() async throws {
        let air = VirtualBluetooth()
        let before = air.clock.now
        try await air.clock.sleep(for: .seconds(8 * 3_600))
        #expect(before.duration(to: air.clock.now) == .seconds(8 * 3_600))
        #expect(air.time.wallClock().local.time.description == "17:00:00")
    }
}
