import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The values of limits and timeouts, which other tests know by name only.
@Suite(.computes) struct BoundsTests {
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
        #expect(LinkLimits.maximumHeld == 64)
        #expect(BlueZMirror.maximumAdapters == 64 && BlueZMirror.maximumDevices == 4096)
        #expect(BlueZMirror.maximumPathLength == 255 && BlueZDevice.maximumDataLength == 2048)
        #expect(DiscoveryState.maximumAttempts == 9 && HostMachine.attempts == 5)
    }

    @Test func everyWaitHasATimeout() {
        #expect(BlueZHub.openingTimeout == .seconds(10))
        #expect(BlueZDoctor.defaultTimeout == .seconds(5))
        #expect(DBusConnection.defaultTimeout == .seconds(25))
        #expect(LinkLimits.disconnectTimeout == .seconds(4))
        #expect(LinkLimits.connectTimeout == .seconds(60))
        #expect(AdapterChoice.powerOnTimeout == .seconds(3))
        #expect(DaemonState.settlingTime == .seconds(2))
        #expect(BlueZSession.answerTimeout == .seconds(10))
        #expect(AdapterChoice.timeout == .seconds(30))
        #expect(HostedEpoch.answerTimeout == .seconds(10))
        #expect(HostedEpoch.removalTimeout == .seconds(2))
        #expect(HostedCentrals.answerTimeout == .milliseconds(4500))
        #expect(HostMachine.pause == .seconds(1))
        #expect(DiscoveryState.firstBackoff == .milliseconds(100))
        #expect(DiscoveryState.lingerTime == .seconds(1))
    }
}
