#if os(Linux)
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
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
            options.bus = [try fake.listen()]
            transport = try await BlueZTransport(options)
            transport.hub.update { $0.links.silenceThreshold = answering }
        }

        func modify<Result: Sendable>(
            _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
        ) async throws -> Result {
            hosted.modify(change)
        }
    }

    /// The daemon's timeout for a silent device, in tests that wait for it.
    static let answering: Duration = .seconds(3)

    private static let unanswered = "a device that never answers loses its link"

    private func keeps(
        _ check: TransportContract<Harness>.Check, _ options: BlueZOptions = BlueZOptions()
    ) async throws -> Bool {
        let isLong = check.claim != Self.unanswered
        return try await check.run(
            on: isLong ? Harness(options) : Harness(options, answering: Self.answering))
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        #expect(try await keeps(check))
    }

    /// The claims that sockets cannot keep: each socket has its own order, and none relative to the
    /// bus.
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
        #expect(try await keeps(check, options))
    }

    @Test func whatIsLostWithSocketsIsWhatTheContractSays() {
        let claims = Set(TransportContract<Harness>.checks.map(\.claim))
        #expect(claims.contains(Self.unanswered))
        #expect(Self.lostWithSockets.isSubset(of: claims))
    }
}
#endif
