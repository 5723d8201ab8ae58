import Foundation
import HaloProtocol
import TestSupport
import Testing

/// Bytes that are sent to a virtual ring.
@Suite(.waitsForPrograms) struct SendVerbTests {
    private static func send(
        _ words: [String], _ options: [String] = ["--virtual"], status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CommandLineProgram.Outcome {
        let outcome = try CommandLineProgram.run(["send"] + words + options)
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// A short packet becomes a frame with its checksum; a whole frame is sent as it is.
    @Test(arguments: [
        ["03"], ["03", "00"], ["0300"], ["03 00 00"], ["--", "03"],
        ["030000000000000000000000000000"], ["03000000000000000000000000000003"],
    ])
    func asksForTheBattery(words: [String]) throws {
        let options = ["--virtual", "--json", "--for", "1s"]
        let outcome = try CommandLineProgram.run(["send"] + options + words)
        #expect(outcome.status == 0, "\(outcome)")
        let objects = try outcome.objects
        #expect(objects.count == 2)
        #expect(objects.allSatisfy { $0["type"] as? String == "packet" })
        #expect(objects.map { $0["direction"] as? String } == ["to", "from"])
        #expect(objects.first?["input"] as? String == "03000000000000000000000000000003")
        #expect(objects.last?["packet"] as? String == "Battery.Reply")
        #expect((objects.last?["input"] as? String)?.hasPrefix("0353") == true)
        #expect(objects.first?["microseconds"] as? Int == 0)
        #expect(objects.last?["microseconds"] as? Int ?? 0 > 0)
        let fields = try #require(objects.last?["fields"] as? [[String: Any]])
        #expect(fields.contains { $0["name"] as? String == "percent" && $0["value"] as? Int == 83 })
    }

    @Test func explainsRequestAndReplies() throws {
        let outcome = try Self.send(["69", "01", "00"], ["--virtual=r12"])
        #expect(outcome.lines.first?.hasPrefix("→ RealtimeMeasurement.Request: ") == true)
        #expect(outcome.output.contains("quantity   heart rate"))
        let replies = outcome.lines.filter { $0.hasPrefix("← ") }
        #expect(replies.count > 2)
        #expect(replies.allSatisfy { $0.hasPrefix("← RealtimeMeasurement.Reply: ") })
        #expect(outcome.output.contains("checksum   right"))
    }

    /// The time to listen decides how much is received.
    @Test func listensForATime() throws {
        func count(_ time: String) throws -> Int {
            let outcome = try Self.send(["690100"], ["--virtual=r12", "--json", "--for", time])
            return try outcome.objects.count { $0["direction"] as? String == "from" }
        }
        let (short, long) = (try count("2s"), try count("10s"))
        #expect(short >= 1 && long > short * 4)
    }

    /// No reply, or one that nobody knows: the status says so.
    @Test func reportsAnUnknownOpcode() throws {
        let outcome = try Self.send(["99"], ["--virtual", "--json"], status: 1)
        let objects = try outcome.objects
        #expect(objects.first?["packet"] is NSNull)
        let error = try #require(objects.last)
        #expect(error["type"] as? String == "error" && error["status"] as? Int == 1)
        #expect(error["message"] as? String == "the ring has not replied within 3 s")
    }

    /// A frame with a wrong checksum is sent as it is, and the ring ignores it.
    @Test func leavesAWrongChecksum() throws {
        let outcome = try Self.send(
            ["03000000000000000000000000000001"], ["--virtual", "--for", "1s"], status: 1)
        #expect(outcome.output.contains("error: checksum at byte 15: expected 03, found 01."))
        #expect(outcome.errorOutput == "halo: the ring has not replied within 1 s\n")
    }

    @Test func namesAShortTime() throws {
        let outcome = try Self.send(["99"], ["--virtual", "--for", "10ms"], status: 1)
        #expect(outcome.errorOutput == "halo: the ring has not replied within 10 ms\n")
    }

    /// The reader of the output ends the program before the reply can come.
    @Test func doesNotBlameTheRingForItsReader() throws {
        for _ in 0..<5 {
            let outcome = try CommandLineProgram.runShell(
                "\"$0\" send 03 --virtual 2> errors | head -c 1 > first; cat errors", [])
            #expect(outcome.output == "", "\(outcome)")
        }
    }

    @Test func sendsBigData() throws {
        let outcome = try Self.send(
            ["BC", "2A", "00", "00", "FF", "FF"], ["--virtual=r12", "--for", "5s", "--json"])
        let objects = try outcome.objects
        #expect(objects.allSatisfy { $0["channel"] as? String == "bigdata" })
        #expect(objects.count > 1)
        let forced = try Self.send(
            ["03"], ["--virtual", "--channel=bigdata", "--for", "1s", "--json"], status: 1)
        #expect(try forced.objects.first?["channel"] as? String == "bigdata")
        #expect(try forced.objects.first?["input"] as? String == "03")
    }

    /// Without `--dangerous` nothing is sent, and no device is looked for. The last packet has its
    /// danger behind a harmless frame.
    @Test(arguments: [
        (["FF", "66", "66"], "DangerousFactoryReset erases everything that the ring has stored"),
        (["08"], "DangerousPowerOff may turn the ring off: only its charger wakes it again"),
        (["0801"], "DangerousPowerOff turns the ring off: only its charger wakes it again"),
        (["08", "05"], "DangerousPowerOff restarts the ring, by one source, or turns it off"),
        (
            ["BC2A0000FFFF", "BC010000FFFF"],
            "DangerousFirmwareUpdateStart is a step of a firmware update: the ring may not recover"
        ),
    ])
    func refusesDanger(words: [String], danger: String) throws {
        let refused = try Self.send(words, ["--json", "--bus=unix:path=/nowhere"], status: 2)
        let error = try refused.object
        #expect(error["message"] as? String == danger)
        #expect(error["advice"] as? String == "--dangerous sends it anyway.")
        let done = try CommandLineProgram.run(
            ["send", "--dangerous", "--virtual", "--json", "--for", "1s"] + words)
        #expect(try done.objects.first?["direction"] as? String == "to")
        #expect([0, 1, 3].contains(done.status), "\(done)")
        #expect(!done.output.contains(danger))
    }

    /// The lines of a capture in which a ring replies with a record in pieces of 20 bytes.
    private static func capture(of record: BigDataFrame, withoutLast missing: Int) -> String {
        func hex(_ bytes: some Sequence<UInt8>) -> String {
            bytes.map { String(format: "%02X", $0) }.joined(separator: " ")
        }
        let bytes = Array(record.bytes.dropLast(missing))
        let pieces = stride(from: 0, to: bytes.count, by: 20).map { bytes[$0...].prefix(20) }
        let service = "de5bf728-d711-4e47-af26-65e3012a5dc7"
        return DeviceChoiceTests.capture("R02_1234") + """
            * offers \(service) de5bf72a-d711-4e47-af26-65e3012a5dc7 command write
            * offers \(service) de5bf729-d711-4e47-af26-65e3012a5dc7 notify
            * subscribed bigdata
            > bigdata command BC 2A 00 00 FF FF
            \(pieces.map { "< bigdata notified \(hex($0))" }.joined(separator: "\n"))

            """
    }

    /// A record of two days, which no notification has as a whole, is explained once.
    @Test(arguments: [0, 1, 60, 103]) func joinsThePiecesOfARecord(missing: Int) throws {
        let days: [UInt8] = [1, 0].flatMap { [$0] + [UInt8](repeating: 97, count: 48) }
        let record = try BigDataFrame(id: 0x2A, payload: days)
        #expect(record.bytes.count == 104)
        let folder = TestFolder()
        let capture = Self.capture(of: record, withoutLast: missing)
        let path = try folder.write(capture.utf8, to: "a.halo")
        let isWhole = missing == 0
        let json = try Self.send(
            ["BC2A0000FFFF"], ["--replay", path, "--json"], status: isWhole ? 0 : 1)
        let replies = try json.objects.filter { $0["direction"] as? String == "from" }
        #expect(replies.count == 1, "\(json)")
        let received = HexText.bytes(Array(record.bytes.dropLast(missing)))
        #expect(replies.first?["input"] as? String == received)
        #expect(replies.first?["status"] as? String == (isWhole ? "decoded" : "refused"))
        let text = try Self.send(["BC2A0000FFFF"], ["--replay", path], status: isWhole ? 0 : 1)
        let heading = try #require(text.lines.first { $0.hasPrefix("← ") })
        #expect(heading.hasPrefix(isWhole ? "← BloodOxygen.Reply: " : "← error: "))
        #expect(isWhole || heading.hasSuffix(", and no more."))
    }

    /// A strap is not taken, also if it is the only device; a strap that is named is refused.
    @Test func needsARing() throws {
        let none = try Self.send(["03"], ["--virtual=strap", "--wait", "5s"], status: 3)
        #expect(
            none.errorOutput.hasPrefix("halo: that needs a ring, which the virtual devices are not")
        )
        let named = try Self.send(["03"], ["--virtual", "--device", "strap"], status: 3)
        #expect(named.errorOutput == "halo: Virtual HR is a strap; that needs a ring\n")
    }

    /// A ring that turns itself off does not reply; that it is gone shows that it was told.
    @Test(arguments: ["0801", "0805"], VirtualPlace.all)
    func saysThatADangerousPacketEndedTheLink(packet: String, place: VirtualPlace) throws {
        let outcome = try Self.send(
            [packet, "--dangerous", "--for", "20s", "--json"], place.options("r02"))
        #expect(try outcome.objects.count == 1)
        #expect(outcome.errorOutput.hasPrefix("halo: the packet was sent; then the link ended"))
    }

    #if os(Linux)
    /// The requests of one program after the other, to one ring: the last one turns it off.
    @Test func sendsOverABus() throws {
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "ring", "--fake-bluez", "--", "bash", "-c",
                """
                "$0" send 03 --for 1s && "$0" send 08 --for 1s; echo "refused $?"
                "$0" send 08 01 --dangerous --for 5s; echo "off $?"
                "$0" info --wait 2s; echo "gone $?"
                """, CommandLineProgram.program.path,
            ], environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.output.contains("percent    83 %"), "\(outcome)")
        #expect(outcome.output.contains("refused 2\n") && outcome.output.contains("off 0\n"))
        #expect(outcome.output.contains("→ DangerousPowerOff.Request"))
        #expect(outcome.output.hasSuffix("gone 4\n"), "\(outcome)")
        #expect(outcome.errorOutput.contains("it writes uart: Battery 03"))
    }
    #endif
}
