import CaptureSupport
import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// The results for captures, compared with a recording.
@Suite(.computes) struct CaptureGoldenTests {
    private static let folder = FixtureFolder()
    private static let paths = folder.captures
    private static let long = paths.filter {
        $0.hasPrefix("Captures/") || $0.hasPrefix("Sessions/")
    }

    // MARK: Scrubbing

    private static func scrubbed(
        _ capture: Capture, _ seed: UInt64, keeping kinds: [ScrubKind] = []
    ) -> [String] {
        var options = ScrubOptions()
        for kind in kinds { options.kept.insert(kind) }
        var scrubber = Scrubber(seed: seed, options)
        for line in capture.lines { scrubber.learn(line) }
        var made = Capture()
        for line in capture.lines {
            for line in scrubber.scrub(line) { try? made.append(line) }
        }
        let report = scrubber.report
        let counts = report.replaced.map { "\($0.key) \($0.value)" }.sorted()
        return made.text.split(separator: "\n").map(String.init) + counts
            + report.obscured.map { "\($0)" }
            + ["\(report.lineCount) \(report.packetCount) \(report.obscuredCount)"]
    }

    @Test func scrubbedCapturesAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Scrubbed.txt")
        var table = GoldenTable("Scrubbed")
        for path in golden.recorded(of: Self.paths, every: 4) {
            let capture = try Self.folder.capture(path)
            for seed in [9_000, UInt64.max] {
                try table.add("\(path) \(seed)", Self.scrubbed(capture, seed))
            }
        }
        for path in golden.recorded(of: Self.long, every: 3) {
            let capture = try Self.folder.capture(path)
            for kind in golden.recorded(ScrubKind.all, every: 3) {
                try table.add("\(path) but \(kind)", Self.scrubbed(capture, 4, keeping: [kind]))
            }
            let text = try Self.folder.beginning(of: path)
            for seed in golden.recorded(1...6 as ClosedRange<UInt64>, every: 3) {
                let damaged = Capture(readable: DamagedFile.lines(text, seed: seed))
                try table.add("\(path) damaged \(seed)", Self.scrubbed(damaged, seed))
            }
        }
        try golden.expect(table)
    }

    @Test func aScrubbedCaptureIsAsRecorded() throws {
        let capture = try Self.folder.capture("Captures/VirtualHeartRateSensor.halo")
        try GoldenText("Golden/Captures/ScrubbedStrap.txt").expect(Self.scrubbed(capture, 3))
    }

    // MARK: Checks, readings and counts

    private static func checked(_ capture: Capture) -> [String] {
        let check = CaptureCheck(capture)
        let readings = CaptureReadings(capture)
        var lines = check.description.split(separator: "\n").map(String.init)
        lines += check.findings.map { "\($0.line) \($0.moment) \($0.kind) \($0.severity)" }
        lines += readings.all.map { "\($0.line) \($0.moment) \($0.verdict)" }
        for (index, reading) in readings.all.enumerated() {
            guard let reply = reading.joined else { continue }
            lines.append("Joined(last: \(index), frames: \(reply.frames), split: \(reply.split))")
        }
        for link in RecordedConversations.links(of: capture) {
            let recorded = RecordedConversations(capture, link: link)
            lines.append("link \(link.map { "\($0)" } ?? "-") \(recorded.conversations)")
            for request in recorded.requests {
                let outcome = request.outcome.map { "\($0)" } ?? "-"
                lines.append("\(request) \(request.line) \(request.moment) \(outcome)")
            }
            lines += recorded.reactions.map { "\($0)" }
            lines += recorded.offers.flatMap { $0 }.map { "\($0)" }
            lines.append("\(recorded.clock.map { "\($0)" } ?? "-")")
            lines.append("\(recorded.advertisement ?? []) \(recorded.scanResponse ?? [])")
        }
        let text = (try? readings.annotated().text) ?? "cannot be written"
        return lines + text.split(separator: "\n").map(String.init)
    }

    @Test func checksAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Checks.txt")
        var table = GoldenTable("Checks")
        for path in golden.recorded(of: Self.paths, every: 4) {
            try table.add(path, Self.checked(try Self.folder.capture(path)))
        }
        for path in golden.recorded(of: Self.long, every: 3) {
            let text = try Self.folder.beginning(of: path)
            for seed in golden.recorded(1...24 as ClosedRange<UInt64>, every: 4) {
                let damaged = Capture(readable: DamagedFile.lines(text, seed: seed))
                try table.add("\(path) damaged \(seed)", Self.checked(damaged))
            }
        }
        try golden.expect(table)
    }

    /// The risk of each request of the fixtures, and its shape.
    @Test func risksAndShapesAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Risks.txt")
        var lines = ["# the requests of each file: bytes, risk alone, risk in order, shape"]
        for path in golden.recorded(of: Self.paths)
        where path.hasPrefix("Commands/") || path.hasPrefix("BigData/") {
            lines.append(path)
            let packets = try Self.folder.capture(path).lines.compactMap(\.packet)
            var classifier = RiskClassifier()
            for packet in packets where packet.direction == .toDevice {
                let risk = RequestRisk(of: packet.bytes, writtenTo: packet.channel)
                let follows = classifier.risk(of: packet.bytes, writtenTo: packet.channel)
                let shape = RequestShape(packet.channel, packet.bytes)
                let words = shape.map { "\($0.code) \($0.choices) \($0.arguments)" } ?? "-"
                let bytes = HexText.bytes(packet.bytes.prefix(16), separator: " ")
                lines.append("\(bytes): \(risk) \(follows), \(words)")
            }
        }
        try golden.expect(lines)
    }

    // MARK: The format

    @Test func damagedCapturesAreReadAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/DamagedCaptures.txt")
        var table = GoldenTable("DamagedCaptures")
        for path in golden.recorded(of: Self.paths, every: 5) {
            let text = try Self.folder.beginning(of: path)
            var lines: [String] = []
            for seed in 1...9 as ClosedRange<UInt64> {
                let damaged = Array(DamagedFile.lines(text, seed: seed).utf8)
                for bytes in [damaged, DamagedFile.bytes(damaged, seed: seed)] {
                    var reader = CaptureReader()
                    do throws(CaptureError) {
                        try reader.read(bytes)
                        let capture = try reader.finish()
                        lines.append("\(capture.lines.count) lines")
                        lines.append(
                            "\(Array(capture.timedLines).last.map { "\($0.moment)" } ?? "-")")
                        lines.append(capture.text)
                    } catch {
                        lines.append("\(error); \(reader.capture.lines.count) lines before")
                    }
                    var pieces = CaptureLineReader()
                    try? pieces.read(bytes)
                    var count = 0
                    while pieces.next() != nil { count += 1 }
                    lines.append("\(count)")
                }
            }
            try table.add(path, lines)
        }
        try golden.expect(table)
    }
}
