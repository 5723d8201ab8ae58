import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Recorded rings: frames answer frames of their command.
@Suite(.passesTime) struct ReplayRingTests {
    private static func line(_ sign: String, _ bytes: [UInt8]) -> String {
        "\(sign) uart \(HexText.bytes(frame(bytes), separator: " "))\n"
    }

    private static func words(_ bytes: [UInt8]) -> String { String(line(">", bytes).dropLast()) }

    private static func frame(_ bytes: [UInt8]) -> [UInt8] {
        let padded = bytes + [UInt8](repeating: 0, count: max(Frame.length - 1 - bytes.count, 0))
        return padded + [padded.reduce(0, &+)]
    }

    private static let write = RingServices.uartWrite

    @Test func answersThatCameAmidOtherRequestsAreFound() throws {
        // Two questions, then two answers, as apps do it.
        var bench = try ReplayBench(
            Self.line(">", [0x03]) + Self.line(">", [0x3C]) + "+ 10ms\n"
                + Self.line("<", [0x03, 78]) + "+ 10ms\n" + Self.line("<", [0x3C, 0, 1]))
        bench.write(Self.frame([0x03]), to: Self.write)
        bench.advance(byMilliseconds: 50)
        #expect(bench.takeSent() == [ReplayBench.Sent(10, Self.frame([0x03, 78]))])
        bench.write(Self.frame([0x3C]), to: Self.write)
        bench.advance(byMilliseconds: 50)
        #expect(bench.takeSent() == [ReplayBench.Sent(70, Self.frame([0x3C, 0, 1]))])
    }

    @Test func unknownRequestsAreReportedWithTimeAndName() throws {
        var bench = try ReplayBench(Self.line(">", [0x03]) + Self.line("<", [0x03, 78]))
        bench.advance(byMilliseconds: 6_167)
        for bytes in [[0x48], [0x15, 0x00, 0x1F, 0x32, 0x69], [0x7E, 1]] as [[UInt8]] {
            bench.write(Self.frame(bytes), to: Self.write)
        }
        bench.write([1], to: Self.write)
        let log = "HeartRateLog.Request(time: 2025-12-04 23:53:36)"
        let packets: [String] = [
            "TodayTotals.Request(), \(Self.words([0x48]))",
            "\(log), \(Self.words([0x15, 0x00, 0x1F, 0x32, 0x69]))",
            Self.words([0x7E, 1]), "> uart 01",
        ]
        let lines = bench.device.report.description.split(separator: "\n").dropFirst()
        #expect(lines.map(String.init) == packets.map { "  unknown at 6.167000 s: \($0)" })
    }

    @Test func argumentsMayDifferAndActionsNot() throws {
        // A day's heart rates; a setting that is read.
        let text =
            Self.line(">", [0x15, 0x00, 0xCF, 0x30, 0x69]) + Self.line("<", [0x15, 0xFF])
            + Self.line(">", [0x16, 1]) + Self.line("<", [0x16, 1, 1, 5])
        let other = Self.frame([0x15, 0x00, 0x1F, 0x32, 0x69])
        let writing = Self.frame([0x16, 2, 1, 5])
        var bench = try ReplayBench(text)
        bench.write(other, to: Self.write)
        #expect(bench.takeSent().map(\.bytes) == [Self.frame([0x15, 0xFF])])
        #expect(bench.device.report.similarCount == 1)
        bench.write(writing, to: Self.write)
        #expect(bench.takeSent() == [])
        #expect(bench.device.report.unknownCount == 1)
        var options = ReplayOptions.lenient
        options.answersSimilar = false
        var exact = try ReplayBench(text, options)
        exact.write(other, to: Self.write)
        #expect(exact.takeSent() == [])
        #expect(exact.device.report.unknownCount == 1)
    }

    @Test func aMeasurementThatIsStoppedReportsNoMore() throws {
        var text = Self.line(">", [0x69, 1, 1])
        for rate in 60..<70 as Range<UInt8> {
            text += "+ 1s\n" + Self.line("<", [0x69, 1, 0, rate])
        }
        text += Self.line(">", [0x6A, 1]) + Self.line("<", [0x6A, 1])
        var bench = try ReplayBench(text)
        bench.write(Self.frame([0x69, 1, 1]), to: Self.write)
        bench.advance(byMilliseconds: 3_000)
        bench.write(Self.frame([0x6A, 1]), to: Self.write)
        bench.advance(byMilliseconds: 20_000)
        #expect(bench.takeSent().map { $0.bytes[0] } == [0x69, 0x69, 0x69, 0x6A])
    }

    @Test func refusalsAreAnswers() throws {
        var bench = try ReplayBench(
            Self.line(">", [0x06, 1]) + Self.line(">", [0x03]) + Self.line("<", [0x03, 50])
                + Self.line("<", [0x86, 0xEE]))
        bench.write(Self.frame([0x06, 1]), to: Self.write)
        #expect(bench.takeSent().map(\.bytes) == [Self.frame([0x86, 0xEE])])
    }

    @Test func oneOfSeveralConnectionsIsPlayed() throws {
        let text = "> left/ffe1 01\n< left/ffe1 0A\n> right/ffe1 01\n< right/ffe1 0B\n"
        var left = try ReplayBench(text)
        left.write([1], to: BluetoothUUID(0xFFE1))
        #expect(left.takeSent().map(\.bytes) == [[0x0A]])
        var options = ReplayOptions.lenient
        options.link = try CaptureName("right")
        var right = try ReplayBench(text, options)
        right.write([1], to: BluetoothUUID(0xFFE1))
        #expect(right.takeSent().map(\.bytes) == [[0x0B]])
    }

    @Test func aFloodComesInPortions() throws {
        var text = "> ffe1 01\n"
        for number in 0..<1_000 { text += "< ffe1 \(HexText.byte(UInt8(number % 256)))\n" }
        var bench = try ReplayBench(text)
        bench.write([1], to: BluetoothUUID(0xFFE1))
        var counts: [Int] = []
        for _ in 0..<5 {
            counts.append(bench.takeSent().count)
            bench.advance(byMilliseconds: 4_000)
        }
        #expect(counts == [256, 256, 256, 232, 0])
    }

    @Test(arguments: ReplayTranscriptTests.sessions)
    func aReplayIsWhatItReplays(_ path: String) async throws {
        let capture = try #require(RingFixture.capture(path))
        let air = VirtualBluetooth(seed: 3)
        let device = air.add(ReplayDevice(capture, .lenient))
        let comparison = try await ReplayClient(capture).run(over: air, to: device.identity)
        #expect(comparison.isSame, "\(comparison)")
        #expect(device.state?.report.isExact == true)
    }

    @Test func dangerIsNotSentUnlessItIsAllowed() async throws {
        var text = ""
        for entry in CommandCatalog.entries where entry.name.description.hasPrefix("Dangerous") {
            text += Self.line(">", [entry.opcode])
            // A ring need not look at the sum.
            text += "> uart \(HexText.byte(entry.opcode)) 01 02\n"
        }
        for entry in BigDataCatalog.entries where entry.name.description.hasPrefix("Dangerous") {
            let start = "BC \(HexText.byte(entry.requestID ?? 0)) 04 00 00 00"
            text += "> bigdata \(start) 01 02\n> bigdata 03 04\n"
        }
        text += "> ffe1 01\n" + Self.line(">", [0xFE]) + Self.line(">", [0x03])
        let capture = try Capture(reading: text)
        for (permission, sent) in [
            ([], 1), (.unknown, 3), ([.unknown, .dangerous], nil),
        ] as [(ReplayClientOptions.Permissions, Int?)] {
            let air = VirtualBluetooth(seed: 3)
            let device = air.add(ReplayDevice(capture))
            var options = ReplayClientOptions()
            options.permissions = permission
            let comparison = try await ReplayClient(capture, options).run(
                over: air, to: device.identity)
            let report = try #require(device.state?.report)
            #expect(comparison.exchanges.count == sent ?? report.requestCount)
            #expect(report.matchedCount == comparison.exchanges.count)
            #expect(
                comparison.skipped.count == report.requestCount - comparison.exchanges.count)
        }
    }
}
