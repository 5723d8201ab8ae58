import HaloCapture
import HaloProtocol
import Testing

@testable import HaloTraffic

/// Counting what a conversation has.
@Suite struct PacketCensusTests {
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
        let census = try ImportPasses.census(Self.script().bytes)
        let rows = census.entries.map { entry in
            let name = entry.packet?.description ?? "-"
            let code = entry.code.map { HexText.byte($0) } ?? "-"
            return "\(entry.direction) \(name) \(code) \(entry.count) \(entry.faultCount)"
        }
        #expect(
            rows == [
                "fromDevice Battery.Reply 03 2 0", "toDevice Battery.Request 03 1 0",
                "fromDevice Refusal 03 1 0", "fromDevice - - 1 1",
            ])
        #expect(census.count == 5)
        #expect(census.faultCount == 1)
    }

    @Test(arguments: [1, 5, 33])
    func piecesDoNotMatter(length: Int) throws {
        let bytes = try Self.script().bytes
        #expect(
            try ImportPasses.census(bytes, pieces: length).entries
                == ImportPasses.census(bytes).entries)
    }

    /// Every fixture of one kind is counted as that kind, and read.
    @Test(arguments: ["Commands", "BigData", "Characteristics", "LEDStrip"])
    func readsEveryFixture(folder: String) throws {
        let fixtures = FixtureFolder(folder)
        #expect(!fixtures.captures.isEmpty)
        for name in fixtures.captures {
            let census = PacketCensus(of: try fixtures.capture(name))
            #expect(census.faultCount == 0, "\(name): \(census.entries)")
            #expect(census.count > 0)
            #expect(census.entries.allSatisfy { $0.packet != nil }, "\(name)")
        }
    }

    @Test func recordsThatCannotBeReadAreFaults() throws {
        let record = try BigDataFrame(id: Sleep.replyID, payload: [1, 2, 3])
        let line = "< bigdata \(HexText.bytes(record.bytes, separator: " "))\n"
        let census = PacketCensus(of: try Capture(reading: line + line))
        #expect(census.count == 2 && census.faultCount == 2)
        #expect(census.entries.first?.firstFault?.record == 1)
    }

    @Test func saysWhatIsInvalid() throws {
        let capture = try Capture(
            reading: "< uart 03 40 01 00 00 00 00 00 00 00 00 00 00 00 00 45\n< 2a19\n")
        let census = PacketCensus(of: capture)
        #expect(census.faultCount == 2)
        #expect(census.entries.first?.firstFault?.record == 1)
        #expect(census.entries.last?.firstFault?.record == 2)
    }
}
