import CaptureSupport
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// Whole sessions over virtual Bluetooth, compared with a recording: the results of apps, the
/// captures, and the replays.
@Suite(.computes) struct SessionGoldenTests {
    @Test(arguments: [false, true])
    func aSessionIsAsRecorded(withStrap: Bool) async throws {
        var table = GoldenTable("Sessions-\(withStrap)")
        for seed in [5, 6] as [UInt64] {
            let air = RecordingBench.air(seed: seed)
            let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: 64 << 20))
            let outcome = try await RecordingBench.session(
                over: RecordingTransport(air, to: recorder), withStrap: withStrap)
            try table.add("answers \(seed)", outcome.answers)
            try table.add("traces \(seed)", outcome.traces.map { "\($0)" })
            try table.add("air \(seed)", [air.trace.description, "\(air.losses)"])
            try table.add("recorded \(seed)", [recorder.capture().text])
        }
        try GoldenText("Golden/Captures/Sessions\(withStrap ? "WithStrap" : "").txt")
            .expect(table.lines)
    }

    /// The same traces with other options and limits.
    @Test func recordersKeepTheirLines() async throws {
        let outcome = try await RecordingBench.session(over: RecordingBench.air(), withStrap: true)
        var table = GoldenTable("Recorders")
        let start = WallClock(
            local: CivilDateTime(secondsSince1970: 1_700_000_000), secondsFromUTC: -3_600)
        for bytes in [0, 200, 1_000, 5_000, 64 << 20] {
            for age in [nil, Duration.zero, .seconds(2), .seconds(60)] {
                var options = RecordingOptions()
                options.keepsAdvertisements = bytes != 5_000
                options.device = age == nil ? nil : "a ring"
                let recorder = CaptureRecorder(
                    keeping: RecordingLimits(byteCount: bytes, age: age), options: options)
                recorder.note(CaptureText("begins at \(start)"), at: .origin)
                for trace in outcome.traces { recorder.record(trace) }
                recorder.finish()
                try table.add(
                    "\(bytes) bytes, \(age.map { "\($0)" } ?? "any age")",
                    [recorder.capture().text])
            }
        }
        try GoldenText("Golden/Captures/Recorders.txt").expect(table.lines)
    }

    /// Traces in another order: captures of impossible sessions.
    @Test func anyTracesAreRecordedAsRecorded() async throws {
        let outcome = try await RecordingBench.session(over: RecordingBench.air(), withStrap: true)
        let traces = outcome.traces
        var table = GoldenTable("AnyTraces")
        for seed in 0..<30 as Range<UInt64> {
            var choice = FuzzBytes(seed: seed, count: 400)
            let limits = RecordingLimits(byteCount: Int(choice.byte()) * 60)
            let recorder = CaptureRecorder(keeping: limits)
            var place = 0
            while choice.remaining > 3 {
                switch choice.byte() % 8 {
                case 0: place = Int(choice.integer(UInt16.self))
                case 1: place += Int(choice.byte() % 4)
                case 2:
                    recorder.note(
                        CaptureText("note \(choice.byte())"),
                        at: traces[place % traces.count].moment)
                default:
                    for _ in 0..<Int(choice.byte() % 20) {
                        recorder.record(traces[place % traces.count])
                        place += 1
                    }
                }
            }
            try table.add("seed \(seed)", [recorder.capture().text])
        }
        try GoldenText("Golden/Captures/AnyTraces.txt").expect(table.lines)
    }

    private static func words(_ comparison: ReplayComparison) -> [String] {
        comparison.description.split(separator: "\n").map(String.init)
            + comparison.exchanges.map { exchange in
                "\(exchange.request.line) \(exchange.request): \(exchange.recorded) in "
                    + "\(exchange.recordedMicroseconds ?? -1) µs, heard \(exchange.heard) in "
                    + "\(exchange.microseconds ?? -1) µs"
            } + comparison.skipped.map { "skipped \($0.request) \($0.risk.map { "\($0)" } ?? "-")" }
            + ["\(comparison.interruption.map { "\($0)" } ?? "not interrupted")"]
    }

    /// Rings that receive the requests of other recordings.
    @Test(arguments: RingProfile.all)
    func comparisonsAreAsRecorded(_ profile: RingProfile) async throws {
        var table = GoldenTable("Comparisons-\(profile)")
        for path in [
            "Sessions/QRingR12Sync.halo", "Sessions/R10Workout.halo", "Captures/VirtualR10.halo",
        ] {
            let capture = try FixtureFolder().capture(path)
            for timing in [ReplayTiming.recorded, .immediate] {
                var options = ReplayClientOptions()
                options.timing = timing
                options.comparesSettings = timing == .recorded
                options.permissions = timing == .recorded ? [] : .unknown
                options.longestPause = .seconds(40)
                let air = VirtualBluetooth(
                    seed: 3, startingAt: CivilDateTime(secondsSince1970: 1_765_493_655))
                let ring = air.add(VirtualRing(profile, days: 1))
                let client = ReplayClient(capture, options)
                let comparison = try await client.run(over: air, to: ring.identity)
                try table.add("\(path) \(timing.factor)", Self.words(comparison))
            }
        }
        try GoldenText("Golden/Captures/Comparisons\(profile).txt").expect(table.lines)
    }
}
