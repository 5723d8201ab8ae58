import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// The values of limits and timeouts, which other tests know by name only.
@Suite struct BoundsTests {
    @Test func nothingGrowsWithoutEnd() {
        #expect(LinkLimits.maximumOperations == 1024)
        #expect(BlueZSession.maximumEffects == 131_072)
        #expect(LinkLimits.maximumPairingPauses == 60)
        #expect(DaemonState.maximumEarlySignals == 4096)
        #expect(AdapterChoice.maximumWaiting == 1024)
        #expect(DiscoveryState.maximumScans == 1024)
        #expect(BlueZMirror.maximumAttributes == 65_536)
        #expect(BlueZDevice.maximumUUIDs == 128 && BlueZDevice.maximumCompanies == 8)
        #expect(HostedCentrals.maximumPending == 32)
    }

    @Test func everyWaitHasATimeout() {
        #expect(BlueZHub.openingTimeout == .seconds(10))
        #expect(BlueZDoctor.defaultTimeout == .seconds(5))
        #expect(DBusConnection.defaultTimeout == .seconds(25))
        #expect(LinkLimits.disconnectTimeout == .seconds(4))
        #expect(LinkLimits.connectTimeout == .seconds(60))
        #expect(AdapterChoice.powerOnTimeout == .seconds(3))
        #expect(DaemonState.settlingTime == .seconds(2))
    }
}
