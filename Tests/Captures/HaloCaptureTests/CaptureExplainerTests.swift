import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CaptureExplainerTests {
    private static func explain(_ text: String) throws -> (parts: [ExplainedPart], fault: Bool) {
        var explainer = CaptureExplainer()
        var parts: [ExplainedPart] = []
        for line in try Capture(reading: text).timedLines {
            explainer.read(line)
            while let part = explainer.next() { parts.append(part) }
        }
        explainer.finish()
        while let part = explainer.next() { parts.append(part) }
        return (parts, explainer.foundFault)
    }

    private static func packets(_ parts: [ExplainedPart]) -> [ExplainedPacket] {
        parts.compactMap { part in
            if case .packet(let packet) = part.content { packet } else { nil }
        }
    }

    /// The pieces of two connections and of two directions come in turns.
    @Test func joinsThePiecesOfEachStream() throws {
        let (parts, fault) = try Self.explain(
            """
            < a/bigdata BC 2A 00
            < b/bigdata BC 2A
            > a/bigdata BC 2A 00 00
            < a/bigdata 00 FF FF
            > a/bigdata FF FF
            < b/bigdata 00 00 FF FF BC 2A 00 00 FF FF

            """)
        let packets = Self.packets(parts)
        #expect(packets.map { $0.packet.link?.text } == ["a", "a", "b", "b"])
        #expect(
            packets.map(\.packet.direction)
                == [.fromDevice, .toDevice, .fromDevice, .fromDevice])
        #expect(packets.allSatisfy { $0.packet.bytes == [0xBC, 0x2A, 0, 0, 0xFF, 0xFF] })
        #expect(packets.allSatisfy(\.isDecoded) && !fault)
        #expect(parts.map(\.line.number) == [1, 2, 3, 4, 5, 6, 6])
    }

    @Test func reportsFramesThatNeverEnd() throws {
        let (parts, fault) = try Self.explain(
            """
            < a/bigdata BC 2A 05 00 FF FF 01
            < b/bigdata BC 2A 05 00
            > b/bigdata BC 2A 06 00
            * a/disconnected 08
            + 1s
            < a/bigdata BC 2A 00 00 FF FF

            """)
        let packets = Self.packets(parts)
        #expect(packets.map { $0.packet.link?.text } == ["a", "a", "b", "b"])
        #expect(
            packets.map(\.packet.direction)
                == [.fromDevice, .fromDevice, .toDevice, .fromDevice])
        #expect(packets.map(\.packet.bytes.count) == [7, 6, 4, 4])
        #expect(packets.map(\.isDecoded) == [false, true, false, false])
        guard case .fault(let error) = packets[0].meaning else {
            Issue.record("\(packets[0])")
            return
        }
        #expect(error.bytes == packets[0].packet.bytes)
        #expect(fault)
        // The fault stands before the event that caused it.
        let events = parts.map { if case .event = $0.content { true } else { false } }
        #expect(events == [false, false, false, false, true, false, false, false])
        #expect(parts.last?.line.number == 6)
    }

    @Test func readsALongReplyAtItsLastFrame() throws {
        let capture = try FixtureFolder("Commands").capture("HeartRateLog.halo")
        let readings = capture.lines.compactMap { line in
            if case .reading(let text) = line, text.text.hasPrefix("HeartRateLog.Reply") {
                text.text
            } else {
                String?.none
            }
        }
        let parts = try Self.explain(capture.text).parts
        #expect(!readings.isEmpty)
        #expect(Self.packets(parts).compactMap(\.reply) == readings)
    }

    /// The frames of a whole reply as lines of a capture.
    private static func reply() throws -> [String] {
        let capture = try FixtureFolder("Commands").capture("HeartRateLog.halo")
        let frames = capture.lines.compactMap(\.packet).filter {
            $0.direction == .fromDevice && $0.bytes.first == 0x15
        }
        let first = try #require(frames.firstIndex { $0.bytes[1] == 0 && $0.bytes[2] > 2 })
        let count = Int(frames[first].bytes[2])
        return frames[first..<min(first + count, frames.count)].map {
            "< uart \(HexText.bytes($0.bytes, separator: " "))\n"
        }
    }

    private static func replies(_ lines: some Sequence<String>) throws -> [String] {
        packets(try explain(lines.joined()).parts).compactMap(\.reply)
    }

    /// A request, or the end of the connection, begins a new reply.
    @Test(arguments: [
        "> uart 15 00 00 00 00 00 00 00 00 00 00 00 00 00 00 15", "* disconnected 08",
    ])
    func forgetsTheBeginningOfAReply(_ line: String) throws {
        let lines = try Self.reply()
        #expect(try Self.replies(lines).count == 1)
        #expect(try Self.replies(lines[..<2] + [line + "\n"] + lines[2...]) == [])
    }

    /// A capture need not have the requests. "No data", a lost frame, a repeated one and one of
    /// another reply cost no later reply.
    @Test func readsEachWholeReplyAmongOtherFrames() throws {
        let lines = try Self.reply()
        let noData = "< uart 15 FF 00 00 00 00 00 00 00 00 00 00 00 00 00 14\n"
        let strays: [[String]] = [
            [noData], [noData, noData], [lines[0]], [lines[2]], [lines[0], lines[2]],
            Array(lines[1...]), Array(lines.dropLast()), [lines[0]] + lines[2...],
            Array(lines[..<3] + lines[2...]), Array(lines[..<3] + [noData] + lines[3...]),
        ]
        let reading = try Self.replies(lines)
        #expect(reading.count == 1)
        for (number, stray) in strays.enumerated() {
            #expect(try Self.replies(stray + lines) == reading, "stray frames \(number)")
            #expect(try Self.replies(stray + lines + lines) == reading + reading)
            #expect(try Self.replies(lines + stray + lines) == reading + reading)
        }
    }

    /// The replies that `=` lines state are those that are explained.
    @Test(arguments: ["Commands", "Sessions", "Captures"])
    func readsTheRepliesOfTheReadings(folder: String) throws {
        var count = 0
        for name in FixtureFolder(folder).captures {
            let capture = try FixtureFolder(folder).capture(name)
            let stated = CaptureReadings(capture).all.compactMap { reading in
                if case .reads(let texts) = reading.verdict, texts.count > 1 {
                    texts[1]
                } else {
                    String?.none
                }
            }
            #expect(try Self.replies([capture.text]) == stated, "\(name)")
            count += stated.count
        }
        #expect(count > 0)
    }

    @Test func keepsWhatItDoesNotKnow() throws {
        let (parts, fault) = try Self.explain(
            """
            # a comment
            < 12345678-1234-1234-1234-123456789abc 01 02
            < 2a19 64

            """)
        #expect(parts.first?.content == .comment(CaptureText("a comment")))
        let packets = Self.packets(parts)
        #expect(packets.map(\.meaning).first == .unknownChannel)
        #expect(packets.map(\.packet.bytes) == [[1, 2], [0x64]])
        #expect(packets.map(\.isDecoded) == [false, true])
        #expect(fault)
    }

    /// A file with endless connections takes no endless memory, and loses nothing: a frame that is
    /// given up is a fault.
    @Test func boundsTheStreamsThatItKeepsApart() throws {
        let begun = (0..<200).map { "< c\($0)/bigdata BC 2A 05 00\n" }.joined()
        let (parts, foundFault) = try Self.explain(begun + "< z/bigdata BC 2A 00 00 FF FF\n")
        let packets = Self.packets(parts)
        let open = packets.filter { !$0.isDecoded }
        #expect(foundFault && open.allSatisfy { $0.packet.bytes == [0xBC, 0x2A, 5, 0] })
        let groups = [0..<64, 64..<128, 128..<192, 192..<200]
        #expect(
            open.compactMap { $0.packet.link?.text }
                == groups.flatMap { $0.map { "c\($0)" }.sorted() })
        #expect(packets.filter(\.isDecoded).map { $0.packet.link?.text } == ["z"])
        // The first ones are given up before the file ends.
        let fault = parts.first { if case .packet = $0.content { true } else { false } }
        #expect(fault?.line.number == 65)
    }

    /// A reply goes on while those of 63 other connections have begun.
    @Test(arguments: [(63, 1), (64, 0)])
    func boundsTheRepliesThatItKeepsApart(others: Int, count: Int) throws {
        let lines = try Self.reply()
        let begun = (0..<others).map { "< c\($0)/\(lines[0].dropFirst(2))" }
        #expect(try Self.replies(lines[..<2] + begun + lines[2...]).count == count)
    }

    /// Streams without an open frame make room: the open frame of another one goes on.
    @Test func keepsAnOpenFrameAmongManyStreams() throws {
        let whole = (0..<200).map { "< c\($0)/bigdata BC 2A 00 00 FF FF\n" }.joined()
        let (parts, fault) = try Self.explain(
            "< a/bigdata BC\n" + whole + "< a/bigdata 2A 00 00 FF FF\n")
        #expect(Self.packets(parts).count == 201 && !fault)
        #expect(Self.packets(parts).last?.packet.link?.text == "a")
    }
}
