import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The backend keeps the transport contract, with a fake daemon.
@Suite(.takesTurns) struct LinkContractTests {
    struct Harness: TransportHarness {
        let fake: FakeBlueZ
        let hosted: Hosted<ContractPeripheral>
        let transport: BlueZTransport
        let absentDevice = PeripheralIdentity("C0:DE:00:00:00:77")
        let timeout: Duration = .seconds(120)

        /// Creates a harness. `answering` is the daemon's timeout for a silent device: much longer
        /// than a test that uses the link for other claims.
        init(
            _ options: BlueZOptions = BlueZOptions(), quirks: FakeQuirks = FakeQuirks(),
            timing: FakeTiming = FakeTiming(), answering: Duration = .seconds(60)
        ) async throws {
            var timing = timing
            timing.answering = answering
            fake = try await FakeBlueZ(quirks: quirks, timing: timing)
            hosted = fake.add(ContractPeripheral())
            var options = options
            options.bus = try fake.listen()
            transport = try await BlueZTransport(options)
            transport.hub.update { $0.links.silenceThreshold = answering }
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            hosted.modify { $0.order(instructions) }
        }
    }

    /// The daemon's timeout for a silent device, in tests that wait for it.
    static let answering: Duration = .seconds(3)

    private static let unanswered = "a device that never answers loses its link"

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        let waits = check.claim == Self.unanswered
        #expect(try await check.run(on: waits ? Harness(answering: Self.answering) : Harness()))
    }

    @Test func theLongClaimIsOneOfTheContract() {
        #expect(TransportContract<Harness>.checks.map(\.claim).contains(Self.unanswered))
    }
}
