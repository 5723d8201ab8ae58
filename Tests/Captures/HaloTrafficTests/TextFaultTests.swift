import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

/// Texts with any content, truncated anywhere.
@Suite(.computes) struct TextFaultTests {
    static let log =
        (TextHexLineTests.programs + TextHexLineTests.times + TextHexLineTests.forms)
        .map { $0.line + "\n" }.joined()
    private static let logRecords = TextSink.read(Array(log.utf8), HexLineParser()).records
    private static let monitorRecords =
        TextSink.read(Array(TextBtmonTests.all.utf8), BtmonTextParser()).records

    private func expectPrefixes<Parser: UnitParser>(
        of file: [UInt8], _ parser: Parser, in ends: some Sequence<Int>
    ) {
        let whole = TextSink.read(file, parser).records
        #expect(!whole.isEmpty)
        for end in Thoroughness.part(Array(ends), every: 7) {
            let records = TextSink.read(Array(file.prefix(end)), parser).records
            #expect(Array(whole.prefix(records.count)) == records, "cut at \(end)")
        }
    }

    @Test func logCutAnywhereBeginsTheSame() {
        let file = Array(Self.log.utf8)
        expectPrefixes(of: file, HexLineParser(), in: stride(from: 0, to: file.count, by: 31))
        let short = Array(TextHexLineTests.programs.map { $0.line + "\n" }.joined().utf8)
        expectPrefixes(of: short, HexLineParser(), in: short.indices)
    }

    @Test func monitorCutAnywhereBeginsTheSame() {
        let file = Array(TextBtmonTests.all.utf8)
        expectPrefixes(of: file, BtmonTextParser(), in: stride(from: 0, to: file.count, by: 97))
        let short = Array(TextBtmonTests.all.utf8.prefix(1500)) + Array(TextBtmonTests.reports.utf8)
        expectPrefixes(of: short, BtmonTextParser(), in: stride(from: 0, to: short.count, by: 3))
    }

    /// A line without an end may be half a line, however long it is: half a number would be another
    /// number.
    @Test func aCutLineOfTheMonitorIsNoted() {
        let lines = TextBtmonTests.all.split(separator: "\n")
        let long = lines.indices.filter { lines[$0].utf8.count > 40 }
        var faults: [String] = []
        for index in Thoroughness.part(long, every: 20) {
            let before = lines[max(index - 3, 0)..<index].map { $0 + "\n" }.joined()
            let line = Array(lines[index].utf8)
            for length in [1, 40, 41, (41 + line.count) / 2, line.count - 1, line.count] {
                let sink = TextSink.read(
                    Array(before.utf8) + line.prefix(length), BtmonTextParser())
                if sink.notes.last != .unfinishedPacket {
                    faults.append("\(length) bytes of \(lines[index])")
                }
            }
        }
        #expect(long.count > 100 && faults == [])
    }

    /// The offset of a line is that of its first byte, also if that byte is part of a mark.
    @Test(arguments: [
        [0xEF, 0xBB, 0xBF, 0x42, 0x6C], [0xFF, 0xFE, 0xFF, 0xFE, 0x42, 0],
        [0xFE, 0xFF, 0, 0x42, 0, 0x6C],
    ])
    func marksBeforeALineBelongToIt(file: [UInt8]) {
        for length in 1...file.count {
            let sink = TextSink.read(file, BtmonTextParser(), inPiecesOf: length)
            #expect(sink.notes == [.unfinishedPacket], "in pieces of \(length)")
            #expect(sink.offsets == [0], "in pieces of \(length)")
        }
    }

    @Test func framesCutAnywhereBeginTheSame() {
        let frame: [UInt8] = [10, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60]
        let file = Array(repeatElement(frame + [10], count: 20).joined())
        expectPrefixes(of: file, RingFrameParser(), in: file.indices)
    }

    @Test(arguments: [1, 2, 7, 64])
    func piecesMakeNoDifference(_ length: Int) {
        let log = Array(Self.log.utf8)
        let monitor = Array(TextBtmonTests.all.utf8)
        #expect(
            TextSink.read(log, HexLineParser(), inPiecesOf: length).records
                == Self.logRecords)
        #expect(
            TextSink.read(monitor, BtmonTextParser(), inPiecesOf: length).records
                == Self.monitorRecords)
    }

    @Test func anyBytesAreRead() {
        let samples = [Array(Self.log.utf8), Array(TextBtmonTests.all.utf8)]
        for seed in 0..<UInt64(Thoroughness.scaled(4)) {
            var choice = FuzzBytes(seed: seed, count: 2048)
            var file = samples[Int(seed % 2)]
            for _ in 0..<Int(choice.byte()) {
                let place = Int(choice.integer(UInt16.self)) % file.count
                file[place] = choice.byte()
            }
            if choice.flag() { file = choice.bytes(1500) }
            file.removeAll { $0 == 0 }
            _ = TextSink.read(file, HexLineParser())
            _ = TextSink.read(file, BtmonTextParser())
            _ = TextSink.read(file, RingFrameParser())
            _ = TrafficFormat.detect(ContiguousArray(file).span)
        }
    }

    @Test(arguments: ["rx ", " ", "<", "[1,", "b'", "(0x)", "-", "03 ", "\u{1B}[", "from to "])
    func linesOfAMegabyteAreNoted(_ text: String) {
        let count = min(1 << 20, Thoroughness.scaled(1 << 18)) / text.utf8.count
        let line = String(repeating: text, count: count)
        let file = Array("rx \(TextHexLineTests.packed)\n\(line)\nrx 00\n".utf8)
        let sink = TextSink.read(file, HexLineParser())
        #expect(sink.values.first == TextHexLineTests.back)
        #expect(sink.notes.contains(.beyondLimits))
        let monitor = Array("> HCI Event: X (0x05) plen 4  #1 [hci0] 1.5\n \(line)\n".utf8)
        #expect(TextSink.read(monitor, BtmonTextParser()).notes.contains(.beyondLimits))
    }

    /// A header has at most 4,096 lines and 131,072 bytes beneath it.
    @Test(
        arguments: [
            (0, 4096, .cutByRecorder), (0, 4097, .beyondLimits), (2, 1, .cutByRecorder),
            (2, 2, .beyondLimits),
        ] as [(Int, Int, TrafficOddity)])
    func aPacketOfTheMonitorHasALimit(long: Int, short: Int, note: TrafficOddity) {
        let line = " " + String(repeating: "x", count: TextLines.longestLine - 1) + "\n"
        let file =
            "> HCI Event: X (0x05) plen 4  #1 [hci0] 1.5\n" + String(repeating: line, count: long)
            + String(repeating: " x\n", count: short)
        #expect(TextSink.read(Array(file.utf8), BtmonTextParser()).notes == [note])
    }

    @Test(
        arguments: Thoroughness.part(
            ["rx ", "<", "[1,", "b'", "-", "03 ", "from to ", "-> ", "=", "a-"], every: 3))
    func theLongestLinesAreRead(_ text: String) {
        let line = String(repeating: text, count: TextLines.longestLine / text.utf8.count - 1)
        let sink = TextSink.read(
            Array("\(line)>\nrx \(TextHexLineTests.packed)\n".utf8), HexLineParser())
        #expect(sink.values.last == TextHexLineTests.back)
    }
}
