#if os(Linux)
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloBlueZ

/// The backend keeps the contract of all backends, with a daemon that is fake.
@Suite(.takesTurns) struct LinkContractTests {
    struct Harness: TransportHarness {
        /// How long the daemon waits for a device that does not answer.
        private static let answering: Duration = .seconds(3)

        let fake: FakeBlueZ
        let hosted: Hosted<ContractPeripheral>
        let transport: BlueZTransport
        let absentDevice = PeripheralIdentity("C0:DE:00:00:00:77")
        let patience: Duration = .seconds(120)

        init(
            _ options: BlueZOptions = BlueZOptions(), quirks: FakeQuirks = FakeQuirks(),
            timing: FakeTiming = FakeTiming()
        ) async throws {
            var timing = timing
            timing.answering = Self.answering
            fake = try await FakeBlueZ(quirks: quirks, timing: timing)
            hosted = fake.add(ContractPeripheral())
            var options = options
            options.bus = [try fake.listen()]
            transport = try await BlueZTransport(options)
            transport.hub.update { $0.links.silence = Self.answering }
        }

        func modify<Result: Sendable>(
            _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
        ) async throws -> Result {
            hosted.modify(change)
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        #expect(try await check.run(on: try await Harness()))
    }

    /// What sockets cannot keep: each has an order of its own, and none with the bus.
    private static let lostWithSockets: Set<String> = [
        "the link's one stream keeps the order over all characteristics",
        "what a device sends before it answers comes before the answer",
    ]

    @Test(
        arguments: TransportContract<Harness>.checks.filter {
            !lostWithSockets.contains($0.claim)
        })
    func keepsTheRestThroughSockets(
        _ check: TransportContract<Harness>.Check
    ) async throws {
        let options = BlueZOptions(notifyMode: .sockets, acquiresWrites: true)
        #expect(try await check.run(on: try await Harness(options)))
    }

    @Test func whatIsLostWithSocketsIsWhatTheContractSays() {
        let claims = Set(TransportContract<Harness>.checks.map(\.claim))
        #expect(Self.lostWithSockets.isSubset(of: claims))
    }
}
#endif
