import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CaptureLineReaderTests {
    private static let everything = Array(CaptureRoundTripTests.everything.utf8)

    private static func lines(
        _ bytes: some Collection<UInt8>, inPiecesOf size: Int = 64
    ) throws -> (lines: [TimedLine], leftOut: Int) {
        var reader = CaptureLineReader()
        var lines: [TimedLine] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            try reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let line = reader.next() { lines.append(line) }
        }
        let leftOut = try reader.finishCutOff()
        #expect(reader.next() == nil)
        return (lines, leftOut)
    }

    @Test(arguments: [1, 2, 7, 64, 100_000])
    func givesTheLinesWithTheirTimes(size: Int) throws {
        let capture = try Capture(reading: Self.everything)
        let (lines, leftOut) = try Self.lines(Self.everything, inPiecesOf: size)
        #expect(lines == Array(capture.timedLines))
        #expect(leftOut == 0)
        #expect(lines.last?.moment.microseconds == 1_541_500)
    }

    @Test(arguments: ["", "\u{FEFF}"])
    func readsARecordingCutOffAnywhere(mark: String) throws {
        let bytes = Array(mark.utf8) + Self.everything
        let whole = try Capture(reading: bytes)
        for length in Thoroughness.part(Array(bytes.indices), every: mark.isEmpty ? 2 : 5) {
            let cut = bytes[..<length]
            let (lines, leftOut) = try Self.lines(cut)
            let end = cut.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            #expect(leftOut == length - end, "cut at \(length)")
            #expect(lines.map(\.line) == Array(whole.lines.prefix(lines.count)))
            #expect(lines.count == cut.count { $0 == UInt8(ascii: "\n") })
            var reader = CaptureReader()
            try reader.read(cut)
            let (capture, count) = try reader.finishCutOff()
            #expect(capture.lines == lines.map(\.line))
            #expect(count == leftOut)
        }
    }

    @Test func leavesOutALastLineOfAnyBytes() throws {
        let bytes = Array("halo-capture 2\n# whole\n# \u{0}".utf8) + [0xFF, 0x00, 0x0D]
        let (lines, leftOut) = try Self.lines(bytes)
        #expect(lines.map(\.line) == [.version, .comment("whole")])
        #expect(leftOut == 6)
    }

    @Test(arguments: [
        "# a fixture\n> uart 03", "halo-captured", "halo-capture 3\n# a", "\u{FEFF}x",
    ])
    func treatsOnlyRecordingsAsCutOff(text: String) {
        #expect(throws: CaptureError.self) { try Self.lines(Array(text.utf8)) }
    }

    @Test func keepsTheLinesBeforeAnError() throws {
        var reader = CaptureLineReader()
        let error = CaptureError(.unknownChannel, line: 3, column: 3)
        #expect(throws: error) { try reader.read("# 1\n# 2\n< urat 00\n# 4\n".utf8) }
        #expect(reader.next()?.line == .comment("1"))
        #expect(reader.next()?.number == 2)
        #expect(reader.next() == nil)
        #expect(throws: error) { try reader.read("# 5\n".utf8) }
        #expect(throws: error) { try reader.finish() }
        #expect(throws: error) { try reader.finishCutOff() }
        #expect(reader.lineCount == 2)
    }

    /// A stream of lines that exceeds every limit of a reader of whole captures.
    @Test func hasNoEnd() throws {
        let limits = CaptureReader.Limits(lineLength: 64, length: .max, lineCount: .max)
        var reader = CaptureLineReader(limits: limits)
        let piece = Array(String(repeating: "< 2a37 00 48\n", count: 1_000).utf8)
        for round in 1...300 {
            try reader.read(piece)
            var counts = (all: 0, right: 0)
            while let line = reader.next() {
                counts.all += 1
                if line.line.packet?.bytes == [0, 0x48] { counts.right += 1 }
            }
            #expect(counts.all == 1_000 && counts.right == 1_000)
            #expect(reader.lineCount == 1_000 * round)
        }
        try reader.finish()
    }

    @Test func writesPacketsThatLieElsewhere() throws {
        var writer = CaptureWriter()
        var lines: [CaptureLine] = []
        var channels: [CaptureChannel] = [
            .uart, .bigData, .family(.ledStrip), .advertisement, .scanResponse,
            .characteristic(BluetoothUUID(0x2A37)),
            .characteristic(BluetoothUUID(high: 0x12, low: 0x34)),
        ]
        for number in 0x3000..<0x3020 as Range<UInt32> {
            channels.append(.characteristic(BluetoothUUID(number)))
        }
        let left = try CaptureName("left")
        func write(_ line: CaptureLine) throws {
            lines.append(line)
            try writer.write(line)
        }
        for round in 0..<3 {
            for channel in channels + channels.reversed() {
                for (direction, link) in [(Direction.toDevice, nil), (.fromDevice, left)] {
                    let bytes = Array(0..<UInt8(16 * round + 3))
                    lines.append(
                        .packet(try CapturePacket(direction, link: link, channel, bytes)))
                    try writer.writePacket(
                        direction, link: link, channel, ContiguousArray(bytes).span)
                }
            }
            // Names that change how the same channel is written.
            let uuid = BluetoothUUID(high: 0x12, low: 0x33 + UInt64(round))
            try write(.name(CaptureName("n-\(round)"), uuid))
        }
        for time: UInt64 in [
            0, 9, 10, 999, 1_000, 1_001, 10_010, 999_999, 1_000_000, 3_600_000_001,
        ] {
            lines.append(.elapsed(microseconds: time))
            try writer.write(.elapsed(microseconds: time))
        }
        let text = writer.drain()
        #expect(try Capture(reading: text).lines == lines)
        #expect(try Capture(lines).text == text)
    }

    @Test func writesNoPacketThatCannotBeRead() throws {
        var writer = CaptureWriter()
        let bytes = ContiguousArray<UInt8>(repeating: 0, count: CapturePacket.maximumLength + 1)
        #expect(throws: CaptureError(.tooManyBytes, line: 1, column: 1)) {
            try writer.writePacket(.toDevice, .uart, bytes.span)
        }
        let most: UInt64 = 1_000_000_000_000_000
        try writer.write(.elapsed(microseconds: most))
        #expect(throws: CaptureError(.outOfRange, line: 2, column: 1)) {
            try writer.write(.elapsed(microseconds: 1))
        }
        #expect(writer.drain() == "+ 1000000000s\n")
    }
}
