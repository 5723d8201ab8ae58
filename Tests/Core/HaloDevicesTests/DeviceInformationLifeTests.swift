import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Readings of device information over a link, as `Fixtures/Golden/Lives` has them.
@Suite(.passesTime) struct DeviceInformationLifeTests {
    private static func read(
        _ name: String, _ faults: [FaultRule] = [], leavingAfter delay: Duration? = nil,
        closingAfter end: Duration? = nil
    ) throws {
        let plan = FaultPlan(rules: faults)
        try live("Information\(name)", faults: plan) { air, log in
            let worn = air.add(VirtualRing(.r10, days: 0))
            let link = try await log.bluetooth.connect(to: worn.identity)
            if let end { _ = air.time.schedule(at: air.time.now() + end) { link.close() } }
            let read: @Sendable () async throws -> Void = {
                await log.attempt("information") { try await link.deviceInformation() }
            }
            if let delay {
                _ = await RingCancellationTests.cancel(after: delay, on: air, read)
            } else {
                try await read()
            }
            await log.pass(.seconds(2))
            await log.attempt("again") { try await link.deviceInformation() }
            await link.disconnect()
            await log.attempt("at the end") { try await link.deviceInformation() }
        }
    }

    @Test func everythingIsRead() throws { try Self.read("Read") }

    @Test func refusedValuesAreLeftOut() throws {
        try Self.read("Refused", [FaultRule(.refusal(.insufficientAuthentication), .read(2))])
    }

    @Test func anAttributeThatIsGoneEndsIt() throws {
        try Self.read("Gone", [FaultRule(.disconnection, .read(3))])
    }

    @Test(arguments: [0, 100, 200, 300, 500])
    func aCancelledReadingLeavesNoOperation(milliseconds: Int) throws {
        try Self.read("Left\(milliseconds)", leavingAfter: .milliseconds(milliseconds))
    }

    @Test(arguments: [100, 300])
    func theAppClosesTheLink(milliseconds: Int) throws {
        try Self.read("Closed\(milliseconds)", closingAfter: .milliseconds(milliseconds))
    }

    @Test func aDeviceWithoutAnyHasNone() throws {
        try live("InformationNone") { air, log in
            let impostor = air.add(Impostor(.named("SE")))
            let link = try await log.bluetooth.connect(to: impostor.identity)
            await log.attempt("information") { try await link.deviceInformation() }
            await link.disconnect()
        }
    }
}
