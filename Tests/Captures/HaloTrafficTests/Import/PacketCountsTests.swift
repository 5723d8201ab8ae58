import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The packet counts of a conversation.
@Suite(.computes) struct PacketCountsTests {
    private static func script() throws -> SnoopScript {
        var script = SnoopScript()
        script.connect()
        script.say(SnoopScript.discovery)
        script.say(SnoopScript.conversation)
        script.say(.fromDevice, [0x1B, 0x12, 0] + RingSamples.answer)
        script.say(.fromDevice, [0x1B, 0x12, 0] + RingSamples.frame(0x83, [0xEE]))
        script.say("< 1B 12 00 01 02 03")
        return script
    }

    @Test func countsFramesByTheirName() throws {
        let counts = try ImportPasses.counts(Self.script().bytes)
        let rows = counts.entries.map { entry in
            let name = entry.packet?.description ?? "-"
            let code = entry.code.map { HexText.byte($0) } ?? "-"
            return "\(entry.direction) \(name) \(code) \(entry.count) \(entry.faultCount)"
        }
        #expect(
            rows == [
                "fromDevice Battery.Reply 03 2 0", "toDevice Battery.Request 03 1 0",
                "fromDevice Refusal 03 1 0", "fromDevice - - 1 1",
            ])
        #expect(counts.count == 5)
        #expect(counts.faultCount == 1)
    }

    @Test(arguments: [1, 5, 33])
    func piecesDoNotMatter(length: Int) throws {
        let bytes = try Self.script().bytes
        #expect(
            try ImportPasses.counts(bytes, pieces: length).entries
                == ImportPasses.counts(bytes).entries)
    }

    /// Every packet of a fixture is counted under its name, and without a fault.
    @Test(arguments: ["Commands", "BigData", "Characteristics", "LEDStrip"])
    func readsEveryFixture(folder: String) throws {
        let fixtures = FixtureFolder(folder)
        #expect(!fixtures.captures.isEmpty)
        for name in fixtures.captures {
            let counts = PacketCounts(of: try fixtures.capture(name))
            #expect(counts.faultCount == 0, "\(name): \(counts.entries)")
            #expect(counts.count > 0)
            #expect(counts.entries.allSatisfy { $0.packet != nil }, "\(name)")
        }
    }

    @Test func recordsThatCannotBeReadAreFaults() throws {
        let record = try BigDataFrame(id: Sleep.replyID, payload: [1, 2, 3])
        let line = "< bigdata \(HexText.bytes(record.bytes, separator: " "))\n"
        let counts = PacketCounts(of: try Capture(reading: line + line))
        #expect(counts.count == 2 && counts.faultCount == 2)
        #expect(counts.entries.first?.firstFault?.record == 1)
    }

    @Test func countsTheRecordsOfManyLinks() throws {
        let record = try BigDataFrame(id: Sleep.replyID, payload: [1, 2, 3])
        let bytes = HexText.bytes(record.bytes, separator: " ")
        let lines = (1...65).map { "< link-\($0)/bigdata \(bytes)\n" }.joined()
        #expect(PacketCounts(of: try Capture(reading: lines)).count == 65)
    }

    @Test func reportsInvalidLines() throws {
        let capture = try Capture(
            reading: "< uart 03 40 01 00 00 00 00 00 00 00 00 00 00 00 00 45\n< 2a19\n")
        let counts = PacketCounts(of: capture)
        #expect(counts.faultCount == 2)
        #expect(counts.entries.first?.firstFault?.record == 1)
        #expect(counts.entries.last?.firstFault?.record == 2)
    }
}
