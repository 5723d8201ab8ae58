import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// A virtual ring says what the real one said, in kind and in order.
@Suite struct TranscriptTests {
    /// By the line of the request in the transcript: why the answers differ there.
    private static let exceptionsR12: [Int: String] = [
        103: "the write of a nickname was left out of the transcript, its answer was not"
    ]

    private static func bench(
        _ profile: RingProfile, year: Int, month: Int, day: Int, hour: Int, minute: Int,
        second: Int, days: Int
    ) throws -> RingBench {
        let start = CivilDateTime(
            try CivilDate(year: year, month: month, day: day),
            try CivilTime(hour: hour, minute: minute, second: second))
        return RingBench.connected(profile, days: days, at: start)
    }

    @Test func anR12SyncsAsCaptured() throws {
        let capture = try #require(RingFixture.capture("Sessions/QRingR12Sync.halo"))
        let replay = TranscriptReplay(capture)
        #expect(replay.exchanges.count == 84)
        var bench = try Self.bench(
            .r12, year: 2025, month: 12, day: 11, hour: 22, minute: 54, second: 15, days: 3)
        let heard = replay.play(to: &bench)
        for (exchange, heard) in zip(replay.exchanges, heard) {
            let expected = exchange.answers.map(\.kind)
            let found = heard.answers.map(\.kind)
            let isException = Self.exceptionsR12[exchange.line] != nil
            #expect(
                (expected == found) != isException, "line \(exchange.line): \(expected) \(found)")
        }
    }

    @Test func anotherOrderOrAnotherSettingIsNoticed() throws {
        let capture = try #require(RingFixture.capture("Sessions/QRingR12Sync.halo"))
        let replay = TranscriptReplay(capture)
        func differences(_ change: (inout RingProfile) -> Void) throws -> Set<UInt8> {
            var profile = RingProfile.r12
            change(&profile)
            var bench = try Self.bench(
                profile, year: 2025, month: 12, day: 11, hour: 22, minute: 54, second: 15, days: 3)
            let pairs = zip(replay.exchanges, replay.play(to: &bench))
            let found = pairs.filter { exchange, heard in
                exchange.answers.map(\.kind) != heard.answers.map(\.kind)
                    && Self.exceptionsR12[exchange.line] == nil
            }
            return Set(found.map { $0.0.request[$0.0.channel == .uart ? 0 : 1] })
        }
        #expect(try differences { _ in } == [])
        // Others ask before nights are told: so it is noticed at the later request.
        #expect(try !differences { $0.quirks.remove(.napsBeforeNights) }.isEmpty)
        #expect(
            try differences { $0.factorySettings.goals.steps = 1 } == [Goals.opcode])
        #expect(
            try differences { $0.commands = $0.commands.with(.answers, "", for: 6) }
                == [DoNotDisturb.opcode])
    }

    @Test func answersOfAnR12ComeAsSoonAsCaptured() throws {
        let capture = try #require(RingFixture.capture("Sessions/QRingR12Sync.halo"))
        let replay = TranscriptReplay(capture)
        var bench = try Self.bench(
            .r12, year: 2025, month: 12, day: 11, hour: 22, minute: 54, second: 15, days: 3)
        let heard = replay.play(to: &bench)
        for (exchange, heard) in zip(replay.exchanges, heard) {
            guard let first = exchange.answers.first, let ours = heard.answers.first else {
                continue
            }
            // The transcript has whole seconds: what took less than a second may show as one.
            let theirs = Double(first.seconds - exchange.seconds)
            let seconds = Double(ours.microseconds) / 1_000_000
            #expect(abs(seconds - theirs) <= 1.2, "line \(exchange.line)")
        }
    }

    @Test func anR10WorksOutAsCaptured() throws {
        let capture = try #require(RingFixture.capture("Sessions/R10Workout.halo"))
        let replay = TranscriptReplay(capture)
        // Eight hours later than what the ring calls the start.
        var bench = try Self.bench(
            .r10, year: 2026, month: 9, day: 6, hour: 2, minute: 16, second: 6, days: 1)
        let heard = replay.play(to: &bench)
        for (exchange, heard) in zip(replay.exchanges, heard) {
            #expect(
                exchange.answers.map(\.kind) == heard.answers.map(\.kind), "line \(exchange.line)")
        }
    }
}
