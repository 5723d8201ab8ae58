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
        let fake: FakeBlueZ
        let hosted: Hosted<ContractPeripheral>
        let transport: BlueZTransport
        let absentDevice = PeripheralIdentity("C0:DE:00:00:00:77")
        let patience: Duration = .seconds(120)

        /// For a device that does not answer, the daemon waits so long: much longer than a test
        /// takes that wants the link for something else.
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
            transport.hub.update { $0.links.silence = answering }
        }

        func modify<Result: Sendable>(
            _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
        ) async throws -> Result {
            hosted.modify(change)
        }
    }

    /// How long the daemon waits for a device that does not answer, where that is waited for.
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
        #expect(try await keeps(check, options))
    }

    @Test func whatIsLostWithSocketsIsWhatTheContractSays() {
        let claims = Set(TransportContract<Harness>.checks.map(\.claim))
        #expect(claims.contains(Self.unanswered))
        #expect(Self.lostWithSockets.isSubset(of: claims))
    }
}
#endif
