import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The output of parsers for lines, packets and records with a few changed bytes, compared with a
/// recording.
@Suite(.computes) struct ParserGoldenTests {
    private static func words(_ sink: TextSink) -> [String] {
        sink.records.map { record in
            "\(record.kind) \(HexText.bytes(record.bytes)) at \(record.microseconds)"
        } + zip(sink.notes, sink.offsets).map { "\($0) at \($1)" }
            + ["\(sink.error.map { "\($0)" } ?? "-")"]
    }

    private static func words(_ sink: ContainersSink) -> [String] {
        sink.records.map { "\($0.kind) \(HexText.bytes($0.bytes)) \($0.position)" }
            + sink.notes.map { "\($0)" } + ["\(sink.error.map { "\($0)" } ?? "-")"]
    }

    /// Each kind of log line, before and after a valid one.
    @Test func hexLinesAreReadAsRecorded() throws {
        var table = GoldenTable("HexLines")
        let cases =
            TextHexLineTests.programs + TextHexLineTests.times + TextHexLineTests.forms
            + TextHexLineTests.directions
        let sound = "10:11:12 rx \(TextHexLineTests.packed)\n"
        for (number, line) in cases.map(\.line).enumerated() {
            var lines = Self.words(TextSink.read(Array((line + "\n").utf8), HexLineParser()))
            for seed in 1...24 as ClosedRange<UInt64> {
                let damaged = DamagedFile.bytes(
                    Array(line.utf8), seed: seed &+ UInt64(number) << 8)
                let file = Array(sound.utf8) + damaged + [10] + Array(sound.utf8)
                lines += Self.words(TextSink.read(file, HexLineParser()))
            }
            try table.add("line \(number)", lines)
        }
        try GoldenText("Golden/Captures/HexLines.txt").expect(table.lines)
    }

    /// Each kind of packet in the text of `btmon`.
    @Test func packetsOfBtmonAreReadAsRecorded() throws {
        var packets: [String] = []
        let texts = [
            TextBtmonTests.all, String(TextBtmonTests.reports),
            String(try FixtureFolder("Captures/Text").text("btmon-5.35.txt").prefix(5_000)),
        ]
        for line in texts.joined().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.first == " ", !packets.isEmpty {
                packets[packets.count - 1] += line + "\n"
            } else {
                packets.append(line + "\n")
            }
        }
        var table = GoldenTable("Btmon")
        for (number, packet) in packets.enumerated() {
            var lines = Self.words(TextSink.read(Array(packet.utf8), BtmonTextParser()))
            for seed in 1...20 as ClosedRange<UInt64> {
                let seed = seed &+ UInt64(number) << 8
                let file = DamagedFile.bytes(
                    Array(DamagedFile.lines(packet + packet, seed: seed).utf8), seed: seed)
                lines += Self.words(TextSink.read(file, BtmonTextParser()))
            }
            try table.add("packet \(number)", lines)
        }
        try GoldenText("Golden/Captures/Btmon.txt").expect(table.lines)
    }

    /// The beginnings of files of each format.
    @Test func containersAreReadAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Containers.txt")
        var table = GoldenTable("Containers")
        for folder in ["Containers", "Traffic"] {
            let files = FixtureFolder("Captures/\(folder)")
            for name in golden.recorded(of: files.names) {
                let file = Array(try files.bytes(name).prefix(folder == "Traffic" ? 330 : 500))
                guard let format = TrafficFormat.detect(ContiguousArray(file).span),
                    !format.isText
                else { continue }
                for part in 0..<3 as Range<UInt64> {
                    var lines: [String] = []
                    for seed in part * 50..<part * 50 + 50 {
                        let damaged = DamagedFile.bytes(file, seed: seed)
                        lines += Self.words(ContainersSink(damaged, format))
                    }
                    try table.add("\(name) \(part)", lines)
                }
            }
        }
        try golden.expect(table.lines)
    }

    /// Consecutive frames of rings, with invalid bytes between them.
    @Test func ringFramesAreReadAsRecorded() throws {
        var table = GoldenTable("RingFrames")
        for seed in 0..<120 as Range<UInt64> {
            var frames: [UInt8] = []
            for index in 0..<6 as Range<UInt8> {
                frames += RingSamples.frame([3, 0x15, 0x43][Int(index % 3)], [index, UInt8(seed)])
                if index % 2 == 0 { frames.append(0x0A) }
            }
            let damaged = DamagedFile.bytes(frames, seed: seed)
            try table.add(
                "seed \(seed)", Self.words(TextSink.read(damaged, RingFrameParser())))
        }
        try GoldenText("Golden/Captures/RingFrames.txt").expect(table.lines)
    }
}

extension TrafficFormat {
    fileprivate var isText: Bool {
        switch self {
        case .btmonText, .hexLines, .ringFrames: true
        default: false
        }
    }
}
