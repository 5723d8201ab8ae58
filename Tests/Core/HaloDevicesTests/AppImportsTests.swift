import HaloDevices
import HaloSimulator
import TestSupport
import Testing

/// A usual app imports HaloDevices and its backend: this file has no third module.
@Suite(.passesTime) struct AppImportsTests {
    private struct Screen {
        let bluetooth: any BLETransport
        var discovery: Discovery?
        var today: CivilDate { bluetooth.time.wallClock().local.date }

        /// Returns the reason for the end of a link, or the limits of a value.
        func cause(of error: DeviceError) -> String? {
            let failure: BLEError? = error.bleError
            let reason: DisconnectReason? = error.disconnectReason ?? failure?.disconnectReason
            return reason?.description ?? error.valueError?.title
        }

        func time(of device: any ReconnectingDevice) -> any TransportTime { device.time }
    }

    @Test func anAppNeedsNoThirdImport() async throws {
        let air = VirtualBluetooth(VirtualRing(.r10))
        let screen = Screen(bluetooth: air, discovery: nil)
        let observer: LinkObserver = { (_: LinkTrace) in }
        let ring = try await Ring.connect(over: air, options: RingOptions(observer: observer))
        let link: BLELink? = ring.link
        #expect(link != nil && screen.time(of: ring).wallClock().local.date == screen.today)
        await ring.disconnect()
        let error = await #expect(throws: DeviceError.self) { _ = try await ring.battery() }
        #expect(screen.cause(of: try #require(error)) == "closed by the app")
    }
}
