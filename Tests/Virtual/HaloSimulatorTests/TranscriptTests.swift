import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A virtual ring sends the same kinds of packets as the real one, in the same order.
@Suite(.passesTime) struct TranscriptTests {
    private static let sync = "Sessions/QRingR12Sync.halo"

    /// A ring with the requests of the real one's app, started at the time that the app set.
    private static func comparison(
        _ path: String, _ profile: RingProfile, startingAt start: CivilDateTime, days: Int
    ) async throws -> ReplayComparison {
        let capture = try #require(RingFixture.capture(path))
        let air = VirtualBluetooth(seed: 1, startingAt: start)
        let ring = air.add(VirtualRing(profile, days: days))
        var options = ReplayClientOptions()
        options.comparesSettings = true
        return try await ReplayClient(capture, options).run(over: air, to: ring.identity)
    }

    private static func r12(
        _ change: (inout RingProfile) -> Void = { _ in }
    ) async throws -> ReplayComparison {
        var profile = RingProfile.r12
        change(&profile)
        let start = CivilDateTime(
            try CivilDate(year: 2025, month: 12, day: 11),
            try CivilTime(hour: 22, minute: 54, second: 15))
        return try await comparison(sync, profile, startingAt: start, days: 3)
    }

    @Test func anR12SyncsAsCaptured() async throws {
        let comparison = try await Self.r12()
        #expect(comparison.exchanges.count == 84)
        #expect(comparison.isSame, "\(comparison)")
    }

    @Test func anotherOrderOrAnotherSettingIsNoticed() async throws {
        func differences(_ change: (inout RingProfile) -> Void) async throws -> Set<UInt8> {
            let found = try await Self.r12(change).differences
            return Set(
                found.compactMap { exchange in
                    guard case .write(let channel, let bytes) = exchange.request.what else {
                        return nil
                    }
                    return bytes[channel == .uart ? 0 : 1]
                })
        }
        #expect(
            try await differences { $0.quirks.remove(.napsBeforeNights) } == [Sleep.requestID])
        #expect(
            try await differences { $0.factorySettings.goals.steps = 1 } == [Goals.opcode])
        #expect(
            try await differences { $0.commands = $0.commands.with(.answers, "", for: 6) }
                == [DoNotDisturb.opcode])
    }

    @Test func answersOfAnR12ComeAsSoonAsCaptured() async throws {
        var count = 0
        for exchange in try await Self.r12().exchanges {
            guard let theirs = exchange.recordedMicroseconds, let ours = exchange.microseconds
            else { continue }
            // The transcript has whole seconds: what took less than a second may show as one.
            #expect(
                abs(Double(ours - theirs) / 1_000_000) <= 1.2, "line \(exchange.request.line)")
            count += 1
        }
        #expect(count > 60)
    }

    @Test func anR10WorksOutAsCaptured() async throws {
        let capture = try #require(RingFixture.capture("Sessions/R10Workout.halo"))
        // Eight hours later than what the ring calls the start, and some seconds to connect.
        let start = CivilDateTime(
            try CivilDate(year: 2026, month: 9, day: 6), try CivilTime(hour: 2, minute: 16))
        let air = VirtualBluetooth(seed: 1, startingAt: start)
        let ring = air.add(VirtualRing(.r10, days: 1))
        let link = try await air.connect(to: ring.identity)
        _ = try await link.services
        try await air.clock.sleep(until: VirtualClock.Instant(.origin + .milliseconds(4_800)))
        let comparison = await ReplayClient(capture).run(on: link)
        #expect(comparison.exchanges.count == 4)
        #expect(comparison.isSame, "\(comparison)")
        await link.disconnect()
    }
}
