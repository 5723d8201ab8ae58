import Foundation
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@Suite(.waitsForPrograms) struct DecodeFileTests {
    private let folder = TestFolder()

    private static let text = """
        halo-capture 2
        # device: R02
        * connected mtu 247
        + 40ms
        > left/uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
        < left/uart 03 40 00 00 00 00 00 00 00 00 00 00 00 00 00 43
        + 1.5s
        < bigdata BC 2A 00
        + 10ms
        < bigdata 00 FF FF
        < uart 15 00 02 05 00 00 00 00 00 00 00 00 00 00 00 1C
        * left/refused 2a39 80
        < 12345678-1234-1234-1234-123456789abc 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11

        """

    private static func run(
        _ text: String, _ arguments: [String] = [], name: String = "a.halo"
    ) throws -> CommandLineProgram.Outcome {
        let folder = TestFolder()
        let path = try folder.write(text.utf8, to: name)
        return try CommandLineProgram.run(["decode"] + arguments + [path])
    }

    @Test func explainsEveryPacketWithTimeAndDirection() throws {
        let outcome = try Self.run(Self.text)
        let headings = outcome.lines.filter { !$0.hasPrefix("          ") }
        #expect(
            headings == [
                "# device: R02",
                "     0.000000  * connected mtu 247",
                "     0.040000  → left/uart  Battery.Request: battery level, to the device",
                "     0.040000  ← left/uart  Battery.Reply: battery level, from the device",
                "     1.540000  ← bigdata  3 bytes of a frame that continues",
                "     1.550000  ← bigdata  BloodOxygen.Reply: blood oxygen, from the device",
                "     1.550000  ← uart  HeartRateLog.Part: heart-rate log, from the device",
                "     1.550000  * left/refused 2a39 80",
                "     1.550000  ← 12345678-1234-1234-1234-123456789abc  unknown characteristic",
            ], "\(outcome.output)")
        #expect(outcome.output.contains("  percent    64 %\n"))
        #expect(
            outcome.output.hasSuffix(
                """

                                 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10
                                 11

                """))
        #expect(outcome.status == 1, "one characteristic is unknown")
    }

    @Test func printsTheSameAsJSON() throws {
        let outcome = try Self.run(Self.text, ["--json"])
        let objects = try outcome.objects
        #expect(objects.map { $0["line"] as? Int } == [3, 5, 6, 10, 11, 12, 13])
        #expect(
            objects.map { $0["microseconds"] as? Int } == [
                0, 40_000, 40_000, 1_550_000, 1_550_000, 1_550_000, 1_550_000,
            ])
        #expect(
            objects.map { $0["direction"] as? String } == [
                nil, "to", "from", "from", "from", nil, "from",
            ])
        #expect(objects[0]["event"] as? String == "connected mtu 247")
        #expect(objects[1]["link"] as? String == "left")
        #expect(objects[3]["input"] as? String == "BC2A0000FFFF")
        #expect(objects[3]["reencoded"] as? String == "BC2A0000FFFF")
        #expect(objects[6]["status"] as? String == "refused")
        #expect((objects[2]["file"] as? String)?.hasSuffix("a.halo") == true)
    }

    /// The error of a file is an object that names the file, among those of other files.
    @Test func namesTheFileOfAnErrorInJSON() throws {
        let wrong = try folder.write("halo-capture 2\nnonsense\n".utf8, to: "wrong.halo")
        let right = try folder.write("< 2a19 64\n".utf8, to: "right.halo")
        let missing = folder.path("missing.halo")
        let outcome = try CommandLineProgram.run(["decode", "--json", wrong, right, missing])
        #expect(outcome.status == 3)
        let objects = try outcome.objects
        #expect(objects.map { $0["type"] as? String } == ["error", "packet", "error"])
        #expect(objects.map { $0["file"] as? String } == [wrong, right, missing])
    }

    @Test func joinsLongReplies() throws {
        let fixture = FixtureFolder.url("Commands/HeartRateLog.halo")
        let capture = try Capture(contentsOf: fixture.path)
        let replies = capture.lines.compactMap { line in
            if case .reading(let text) = line, text.text.hasPrefix("HeartRateLog.Reply") {
                text.text
            } else {
                String?.none
            }
        }
        #expect(!replies.isEmpty)
        let outcome = try CommandLineProgram.run(["decode", fixture.path])
        let printed = outcome.lines.filter { $0.contains("= HeartRateLog.Reply") }
        #expect(printed.map { String($0.drop { $0 != "=" }.dropFirst(2)) } == replies)
    }

    @Test func reportsFileLineAndColumnOfAnError() throws {
        for arguments in [[], ["--json"]] {
            let outcome = try Self.run(
                "halo-capture 2\n< 2a37 00 48\n< urat 00\n< 2a37 00 49\n", arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errorOutput.contains("a.halo\":3:3: there is no such channel"))
            #expect(outcome.output.contains("HeartRateMeasurement"))
            #expect(!outcome.output.contains("0049"))
        }
    }

    @Test func reportsAnIncompleteRecord() throws {
        for end in ["", "* disconnected 08\n"] {
            let outcome = try Self.run("halo-capture 2\n< bigdata BC 2A 05 00 FF FF 01\n\(end)")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("error: 7 bytes came of"))
        }
    }

    @Test func readsHexadecimalAsBytesUnlessItIsAFile() throws {
        for (arguments, isFile) in [
            ("1648", false), ("--file 1648", true), ("./1648", true), ("in", true),
        ] {
            let outcome = try CommandLineProgram.runShell(
                """
                printf 'halo-capture 2\n< 2a37 00 48\n' | tee 1648 > in
                "$0" decode \(arguments)
                """)
            #expect(outcome.status == 0, "\(arguments) \(outcome)")
            #expect(outcome.output.contains("0.000000") == isFile)
        }
    }

    @Test func refusesAKindForAFile() throws {
        let outcome = try Self.run(Self.text, ["--as", "uart"])
        #expect(outcome.status == 2)
        for path in ["no/such.halo", "/", "/dev/null"] {
            let missing = try CommandLineProgram.run(["decode", "--file", path])
            #expect(missing.status == 3)
            #expect(missing.errorOutput.contains("cannot be opened"))
        }
    }

    @Test func printsNoControlCharacters() throws {
        let outcome = try Self.run(
            "halo-capture 2\n# \u{9B}31m\n< adv 09 09 1B 5B 33 31 6D 41 41 41\n",
            name: "a\u{1B}b.halo")
        #expect(!outcome.output.utf8.contains(0x1B))
        #expect(!outcome.errorOutput.utf8.contains(0x1B))
        #expect(!outcome.output.unicodeScalars.contains("\u{9B}"))
    }

    /// The HCI log of a strap, in the format of a phone.
    private static let btsnoop: [UInt8] = {
        var log = SnoopLog()
        log.add(
            [0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01]
                + [0x66, 0x55, 0x44, 0x33, 0x22, 0xC1, 0x18, 0, 0, 0, 0x48, 0, 0], at: 0)
        for second in 1...20 as ClosedRange<UInt8> {
            let value = [0x1B, 0x10, 0x00, 0x00, 0x48 + second % 3]
            log.add(
                [0x02, 0x40, 0x20, 0x09, 0x00, 0x05, 0x00, 0x04, 0x00] + value, at: UInt64(second))
        }
        return log.bytes
    }()

    /// The error is in the same piece of the file as the packets.
    @Test func explainsTheTrafficBeforeAnError() throws {
        var log = Self.btsnoop
        let lastRecord = log.count - 14 - 24
        log.replaceSubrange((lastRecord + 4)..<(lastRecord + 8), with: [0xFF, 0xFF, 0xFF, 0xFF])
        let outcome = try CommandLineProgram.run(["decode", folder.write(log, to: "a.log")])
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("a.log\": at byte "))
        #expect(outcome.lines.count { $0.contains("← 2a37 notified  HeartRateMeasurement") } == 19)
    }

    @Test func importsTrafficOnTheWay() throws {
        let path = try folder.write(Self.btsnoop, to: "a.log")
        let outcome = try CommandLineProgram.run(["decode", path])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let beats = outcome.lines.filter { $0.contains("← 2a37 notified  HeartRateMeasurement") }
        #expect(beats.count == 20, "\(outcome.output)")
        #expect(outcome.output.contains("# guessed: handle 0x0010 is 2A37"))

        let cut = try folder.write(Self.btsnoop.dropLast(3), to: "cut.log")
        let truncated = try CommandLineProgram.run(["decode", cut])
        #expect(truncated.status == 1)
        #expect(truncated.errorOutput.contains("cut.log\": at byte "))
        let before = truncated.lines.filter { $0.contains("← 2a37 notified  HeartRateMeasurement") }
        #expect(before.count == 19, "the packets before the end are kept")
    }

    /// A log that ends before its first value is cut off, which says more than that it has none.
    @Test(arguments: ["decode", "replay"])
    func saysWhereALogWithoutValuesEnds(_ verb: String) throws {
        let cut = try folder.write(Self.btsnoop.prefix(20), to: "cut.log")
        let outcome = try CommandLineProgram.run([verb, cut])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("at byte 16: the file ends in the middle: 20 bytes"))
        #expect(!outcome.errorOutput.contains("no connection"))
    }
}
