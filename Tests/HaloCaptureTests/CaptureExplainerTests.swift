import HaloCapture
import HaloProtocol
import Testing

@Suite struct CaptureExplainerTests {
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
        #expect(packets.map { $0.link?.text } == ["a", "a", "b", "b"])
        #expect(packets.map(\.direction) == [.fromDevice, .toDevice, .fromDevice, .fromDevice])
        #expect(packets.allSatisfy { $0.bytes == [0xBC, 0x2A, 0, 0, 0xFF, 0xFF] })
        #expect(packets.allSatisfy(\.isDecoded) && !fault)
        #expect(parts.map(\.line.number) == [1, 2, 3, 4, 5, 6, 6])
    }

    @Test func reportsFramesThatNeverEnd() throws {
        let (parts, fault) = try Self.explain(
            """
            < a/bigdata BC 2A 05 00 FF FF 01
            < b/bigdata BC 2A 05 00
            * a/disconnected 08
            + 1s
            < a/bigdata BC 2A 00 00 FF FF

            """)
        let packets = Self.packets(parts)
        #expect(packets.map { $0.link?.text } == ["a", "a", "b"])
        #expect(packets.map(\.bytes.count) == [7, 6, 4])
        #expect(packets.map(\.isDecoded) == [false, true, false])
        guard case .fault(let error) = packets[0].meaning else {
            Issue.record("\(packets[0])")
            return
        }
        #expect(error.bytes == packets[0].bytes)
        #expect(fault)
        // The fault stands before the event that caused it.
        let events = parts.map { if case .event = $0.content { true } else { false } }
        #expect(events == [false, false, false, true, false, false])
        #expect(parts.last?.line.number == 5)
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

    /// A request, or the end of the connection, begins a new reply.
    @Test(arguments: [
        "> uart 15 00 00 00 00 00 00 00 00 00 00 00 00 00 00 15", "* disconnected 08",
    ])
    func forgetsTheBeginningOfAReply(_ line: String) throws {
        let capture = try FixtureFolder("Commands").capture("HeartRateLog.halo")
        let frames = capture.lines.compactMap(\.packet).filter {
            $0.direction == .fromDevice && $0.bytes.first == 0x15
        }
        let reply = try #require(frames.firstIndex { $0.bytes[1] == 0 && $0.bytes[2] > 2 })
        let count = Int(frames[reply].bytes[2])
        let lines = frames[reply..<min(reply + count, frames.count)].map {
            "< uart \(HexText.bytes($0.bytes, separator: " "))\n"
        }
        let whole = try Self.explain(lines.joined()).parts
        #expect(Self.packets(whole).compactMap(\.reply).count == 1)
        let broken = lines[0] + lines[1] + line + "\n" + lines[2...].joined()
        #expect(Self.packets(try Self.explain(broken).parts).allSatisfy { $0.reply == nil })
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
        #expect(packets.map(\.bytes) == [[1, 2], [0x64]])
        #expect(packets.map(\.isDecoded) == [false, true])
        #expect(fault)
    }

    /// A file with endless connections takes no endless memory, and loses no whole packet.
    @Test func boundsTheStreamsThatItKeepsApart() throws {
        let begun = (0..<200).map { "< c\($0)/bigdata BC 2A 05 00\n" }.joined()
        let (parts, _) = try Self.explain(begun + "< z/bigdata BC 2A 00 00 FF FF\n")
        let packets = Self.packets(parts)
        #expect(packets.filter { !$0.isDecoded }.count <= 64)
        #expect(packets.filter(\.isDecoded).map { $0.link?.text } == ["z"])
    }
}
