import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTraffic
import TestSupport
import Testing

/// From a phone's log to a simulated ring, without a manual step.
@Suite(.passesTime) struct ReplayBugReportTests {
    private static func imported() throws -> Capture {
        let log = try #require(RingFixture.bytes("Captures/Traffic/bug-report.btsnoop"))
        return try Capture(importing: log)
    }

    @Test func aBugReportCanBeConnectedTo() async throws {
        let device = ReplayDevice(try Self.imported())
        let ring = try await Ring.connect(over: VirtualBluetooth(device))
        #expect(try await ring.battery().percent == 78)
        await ring.disconnect()
    }

    @Test func aBugReportsFaultIsFound() throws {
        let check = CaptureCheck(try Self.imported())
        #expect(check.differenceCount == 1)
        #expect(check.findings.contains { $0.kind == .unreadable })
    }

    /// A scrubbed capture gives the same test, and can be published.
    @Test func aScrubbedBugReportCanBeConnectedToAsWell() async throws {
        let scrubbed = try Self.imported().scrubbed(seed: 7).capture
        #expect(CaptureCheck(scrubbed).differenceCount == 1)
        let ring = try await Ring.connect(over: VirtualBluetooth(ReplayDevice(scrubbed)))
        #expect(try await ring.battery().percent == 78)
        await ring.disconnect()
    }
}
