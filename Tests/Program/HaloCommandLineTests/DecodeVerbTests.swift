import Foundation
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

/// Packets in hexadecimal, as arguments and on standard input.
@Suite(.waitsForPrograms) struct DecodeVerbTests {
    /// The packets of all fixtures in a folder.
    private static func packets(in folder: String) throws -> [CapturePacket] {
        try FixtureFolder.files(in: folder).flatMap { file in
            let capture = try Capture(reading: Data(contentsOf: file))
            return capture.lines.compactMap { line in
                if case .packet(let packet) = line { packet } else { nil }
            }
        }
    }

    @Test(arguments: ["Commands", "BigData", "Characteristics", "Advertising", "LEDStrip"])
    func decodesAndEncodesEveryFixture(folder: String) throws {
        let packets = try Self.packets(in: folder)
        let groups = Dictionary(grouping: packets) { [Self.kind($0.channel), Self.direction($0)] }
        for (group, packets) in groups {
            let input = packets.map { HexText.bytes($0.bytes) }
            let outcome = try CommandLineProgram.run(
                ["decode", "--json", "--as", group[0], "--direction", group[1]],
                input: Data(input.map { $0 + "\n" }.joined().utf8))
            let objects = try outcome.objects
            #expect(objects.count == input.count)
            for (object, hex) in zip(objects, input) {
                #expect(object["input"] as? String == hex)
                #expect(object["kind"] as? String == group[0])
                if object["status"] as? String == "decoded" {
                    #expect(object["reencoded"] as? String == hex)
                    #expect(object["packet"] is String)
                } else {
                    #expect(outcome.status == 1, "\(hex)")
                    #expect(object["error"] is String, "\(hex)")
                }
            }
        }
        #expect(!groups.isEmpty)
    }

    @Test func detectsTheKindOfFrames() throws {
        for folder in ["Commands", "BigData"] {
            let packets = try Self.packets(in: folder).filter {
                $0.channel != .bigData || $0.bytes.first == BigDataFrame.marker
            }
            let outcome = try CommandLineProgram.run(
                ["decode", "--json"],
                input: Data(packets.map { HexText.bytes($0.bytes) + "\n" }.joined().utf8))
            for (object, packet) in zip(try outcome.objects, packets) {
                #expect(object["kind"] as? String == Self.kind(packet.channel))
            }
        }
    }

    @Test func explainsEveryLineInOrder() throws {
        let input = "zz\n\n # a note\n03400000000000000000000000000043\r\n0340\n 16 48 \n03 4"
        let outcome = try CommandLineProgram.run(["decode", "--json"], input: Data(input.utf8))
        let objects = try outcome.objects
        #expect(
            objects.map { $0["status"] as? String } == [
                "refused", "decoded", "unknown", "decoded", "refused",
            ])
        #expect(objects[1]["packet"] as? String == "Battery.Reply")
        #expect(outcome.status == 1)
    }

    /// A line may have 2²⁰ bytes.
    @Test(arguments: [(1 << 20, true), (1 << 21, false)])
    func takesALongLine(length: Int, isRead: Bool) throws {
        let line = "0300".padding(toLength: length, withPad: " ", startingAt: 0)
        let outcome = try CommandLineProgram.run(["decode"], input: Data("\(line)\n03\n".utf8))
        #expect(outcome.output.contains("are 2.") == isRead)
        #expect(outcome.output.contains("the line is longer than 1048576 bytes") != isRead)
        #expect(outcome.output.contains("are 1."), "the next line is read")
    }

    @Test func listsAllEntriesOfTheCatalogues() throws {
        let outcome = try CommandLineProgram.run(["packets"])
        #expect(outcome.status == 0)
        let names =
            CommandCatalog.entries.map(\.name.description)
            + BigDataCatalog.entries.map(\.name.description)
            + CharacteristicCatalog.entries.map(\.name.description)
        for name in names { #expect(outcome.output.contains(name)) }
    }

    /// Words are searched in the whole line: in its evidence, too.
    @Test func listsPacketsByEvidence() throws {
        let known: (Evidence) -> Int = { evidence in
            CommandCatalog.entries.count { $0.facts.evidence == evidence }
                + BigDataCatalog.entries.count { $0.facts.evidence == evidence }
        }
        for (words, evidence) in [
            (["vendor", "notes"], Evidence.vendor), (["captures"], .captured),
        ] {
            let outcome = try CommandLineProgram.run(["packets", "--json"] + words)
            #expect(outcome.output.split(separator: "\n").count == known(evidence))
        }
        // Documentation/RingProtocol.md has this number.
        #expect(known(.vendor) == 63)
    }

    /// Arguments of one byte each form one packet.
    @Test(arguments: [
        (["16", "48"], 1), (["0x16", "48"], 1), (["1648", "1648"], 2), (["0x1648", "48"], 2),
    ])
    func joinsArgumentsOfOneByte(words: [String], count: Int) throws {
        let outcome = try CommandLineProgram.run(["decode", "--json"] + words)
        #expect(try outcome.objects.count == count, "\(outcome)")
    }

    /// A code may have the mark of hexadecimal.
    @Test func listsPacketsByCode() throws {
        let marked = try CommandLineProgram.run(["packets", "0x16"])
        #expect(marked.output.contains("  16  AutoHeartRate "))
        #expect(try marked.output == CommandLineProgram.run(["packets", "16"]).output)
    }

    #if os(Linux)
    /// A person at a terminal is told what is read.
    @Test func announcesWhatItReads() throws {
        let program = try PseudoTerminalProgram(["decode"])
        try program.waitForText(
            """
            halo: reading hexadecimal, one packet per line, from standard input; Ctrl-D ends
            it

            """)
        try program.type("1648\n\u{04}")
        #expect(try program.waitForEnd() == 0)
    }
    #endif

    @Test func printsNoControlCharacters() throws {
        // A phone's name with an escape sequence, and an argument with one.
        let frame = try PhoneName.Request(
            platform: .android, systemVersion: 1, phoneName: "\u{1B}[31m"
        ).frame
        let explained = try CommandLineProgram.run(["decode", HexText.bytes(frame.bytes)])
        #expect(!explained.output.utf8.contains(0x1B))
        let refused = try CommandLineProgram.run(["decode", "\u{1B}[31m\u{9B}31m"])
        #expect(!refused.output.utf8.contains(0x1B))
        #expect(refused.status == 1)
    }

    @Test(arguments: [[], ["--json"]])
    func explainsALineThatComesAgainAlike(options: [String]) throws {
        let lines = ["03640000000000000000000000000067", "1648", "nonsense"]
        func output(of lines: [String]) throws -> CommandLineProgram.Outcome {
            let text = lines.map { $0 + "\n" }.joined()
            return try CommandLineProgram.run(["decode"] + options, input: Data(text.utf8))
        }
        let alone = try lines.map { try output(of: [$0]).output }
        let order = [0, 1, 0, 2, 1, 0, 2, 2, 1, 0]
        let together = try output(of: order.map { lines[$0] })
        #expect(together.status == 1)
        let separator = options.isEmpty ? "\n" : ""
        #expect(together.output == order.map { alone[$0] }.joined(separator: separator))
        #expect(try output(of: [lines[0], lines[0], lines[0]]).status == 0)
    }

    @Test func aByteOrderMarkIsNoDigit() throws {
        let input = Data("\u{FEFF}1648\r\n\u{FEFF}1648\n".utf8)
        let objects = try CommandLineProgram.run(["decode", "--json"], input: input).objects
        #expect(objects.map { $0["status"] as? String } == ["decoded", "refused"])
        #expect(objects.first?["input"] as? String == "1648")
    }

    @Test func skipsALineThatIsTooLong() throws {
        let line = String(repeating: "00", count: 1 << 20)
        let outcome = try CommandLineProgram.run(
            ["decode", "--json"], input: Data("\(line)\n1648\n".utf8))
        let objects = try outcome.objects
        #expect(objects.map { $0["status"] as? String } == ["refused", "decoded"])
    }

    @Test func reportsThatStandardInputCannotBeRead() throws {
        let outcome = try CommandLineProgram.run(["decode"], readsFolder: true)
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.hasPrefix("halo: standard input: "))
    }

    @Test func survivesAnyArgument() throws {
        for argument in ["", "0", "\\", "\\x", "0x", "0x0", "\u{0}", "🙂", "--", "-"] {
            let outcome = try CommandLineProgram.run(["decode", argument])
            // Standard input is empty, and that is status 3.
            #expect((0...3).contains(outcome.status), "\(argument)")
        }
    }

    private static func direction(_ packet: CapturePacket) -> String {
        packet.direction == .toDevice ? "to" : "from"
    }

    private static func kind(_ channel: CaptureChannel) -> String {
        switch channel {
        case .uart: "uart"
        case .bigData: "bigdata"
        case .family(let family): family.name.description
        case .advertisement, .scanResponse: "adv"
        case .characteristic(let uuid):
            String(uuid.short32 ?? 0, radix: 16)
        case .descriptor: "descriptor"
        }
    }
}
