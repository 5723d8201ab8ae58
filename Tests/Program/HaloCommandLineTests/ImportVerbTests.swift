import Foundation
import HaloCapture
import HaloTraffic
import TestSupport
import Testing

/// Reports on files of traffic, and captures made of them.
@Suite(.waitsForPrograms) struct ImportVerbTests {
    private let folder = TestFolder()

    private static let strap = FixtureFolder.url("Captures/Containers/uart.btsnoop")

    private func run(_ arguments: [String]) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["import"] + arguments)
    }

    @Test func reportsTheContentOfAFile() throws {
        let outcome = try run([Self.strap.path])
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput == "")
        #expect(outcome.output.contains("btsnoop, "))
        #expect(outcome.output.contains("11:22:33:44:55:66 (random)"))
        #expect(
            outcome.output.contains("2A37 HeartRateMeasurement  guessed by its values"))
        #expect(outcome.output.contains("←  2a37  HeartRateMeasurement  20"))
    }

    @Test func printsTheSameAsJSON() throws {
        let outcome = try run([Self.strap.path, "--json"])
        #expect(outcome.status == 0)
        let objects = try outcome.objects
        let kinds = objects.compactMap { $0["type"] as? String }
        #expect(kinds == ["file", "connection", "attribute", "packets"])
        #expect(objects[0]["format"] as? String == "btsnoop")
        #expect(objects[1]["mtu"] as? Int == 247)
        #expect(objects[2]["isGuess"] as? Bool == true)
        #expect(objects[3]["count"] as? Int == 20)
    }

    /// A log that names no characteristic is imported, and `--map` names it.
    @Test func mapsWhatALogDoesNotName() throws {
        let log = try folder.write("TX: 01 02 03\nRX: 04 05\n", to: "log.txt")
        let plain = try run([log])
        #expect(plain.status == 0)
        #expect(plain.output.contains("without a name: see --map"))
        let path = folder.path("out.halo")
        let outcome = try run([log, "--map", "write=ffe1,notify=ffe2", "--out", path])
        #expect(outcome.status == 0)
        let text = try folder.text("out.halo")
        #expect(text.contains("> ffe1 01 02 03\n") && text.contains("< ffe2 04 05\n"))
        for wrong in ["write=x", "read=ffe1", "write=ffe1,write=ffe2"] {
            #expect(try run([log, "--map", wrong]).status == 2)
        }
    }

    /// The beginning of the connection is not in this log, so its side is decided.
    @Test(arguments: [([], "app"), (["--role", "device"], "device"), (["--role", "app"], "app")])
    func tellsAndTakesTheSideOfTheRecorder(options: [String], side: String) throws {
        let log = FixtureFolder.url("Captures/Traffic/treadmill.btsnoop").path
        let outcome = try run([log] + options)
        let basis = options.isEmpty ? ", by 207 packets" : ", as given"
        #expect(
            outcome.output.contains("  recorded on the \(side)'s side\(basis)\n")
                == (options.isEmpty || side == "app"))
        #expect(outcome.status == (side == "app" ? 0 : 3))
        #expect(try run([log, "--role", "phone"]).status == 2)
    }

    @Test func writesACapture() throws {
        let path = folder.path("strap.halo")
        let outcome = try run([Self.strap.path, "--out", path])
        #expect(outcome.status == 0)
        let capture = try Capture(contentsOf: path)
        let packets = capture.lines.compactMap(\.packet)
        #expect(packets.count == 20)
        #expect(try Capture(importing: Data(contentsOf: Self.strap)) == capture)
        let names = try folder.names
        #expect(names == ["strap.halo"])
    }

    @Test(arguments: ["uart.btsnoop.gz", "bugreport.zip"])
    func readsPackedFiles(_ name: String) throws {
        let outcome = try run([FixtureFolder.url("Captures/Packed/\(name)").path])
        let plain = try run([Self.strap.path])
        #expect(outcome.status == 0 && outcome.errorOutput == "")
        #expect(
            outcome.output.split(separator: "\n").dropFirst()
                == plain.output.split(separator: "\n").dropFirst())
    }

    /// What was unpacked before damage counts, also if it is less than what a parser waits for.
    @Test(arguments: ["import", "decode", "replay", "scrub"])
    func usesWhatWasUnpackedBeforeDamage(_ verb: String) throws {
        var bytes = Array(
            try Data(contentsOf: FixtureFolder.url("Captures/Packed/uart.btsnoop.gz")))
        bytes[bytes.count - 8] ^= 1
        let path = try folder.write(bytes, to: "damaged.gz")
        let outcome = try CommandLineProgram.run(
            [verb, path] + (verb == "scrub" ? ["--out", "-"] : []))
        #expect(outcome.status == 1, "\(outcome)")
        let reason = "damaged.gz\" cannot be read at byte 1015: what was unpacked is not"
        #expect(outcome.errorOutput.contains(reason), "\(outcome)")
        #expect(outcome.errorOutput.contains(". The lines before") == (verb == "scrub"))
        switch verb {
        case "import": #expect(outcome.output.hasSuffix("HeartRateMeasurement  20\n"))
        case "replay": #expect(outcome.output.contains("20 packets, 20 decoded"))
        case "scrub": #expect(outcome.lines.count { $0.hasPrefix("< 2a37") } == 20)
        default: #expect(outcome.lines.count { $0.contains("HeartRateMeasurement") } == 20)
        }
    }

    @Test func choosesAmongLogsByItsOption() throws {
        let path = FixtureFolder.url("Captures/Packed/two-logs.zip").path
        let outcome = try run([path])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("\"a/uart.btsnoop\", \"b/uart.pcap\""))
        let chosen = try run([path, "--entry", "uart.pcap"])
        #expect(chosen.status == 0 && chosen.output.contains("pcap, "))
        let decoded = try CommandLineProgram.run(["decode", "--entry", "uart.pcap", path])
        #expect(decoded.status == 0 && decoded.output.contains("HeartRateMeasurement"))
        let wrong = try run([path, "--entry", "c.pcap"])
        #expect(wrong.status == 3 && wrong.errorOutput.contains("no entry has this name"))
        let packed = FixtureFolder.url("Captures/Packed/uart.btsnoop.gz")
        for file in [Self.strap, packed] {
            let outcome = try run([file.path, "--entry", "x"])
            #expect(outcome.status == 3 && outcome.errorOutput.contains("it is not an archive"))
        }
    }

    @Test func mapsHandlesByItsOption() throws {
        let outcome = try run([Self.strap.path, "--map", "0x10=2a19,17=2a38,1=2a00", "--json"])
        let attribute = try #require(
            outcome.objects.first { $0["handle"] as? String == "0x0010" })
        #expect(attribute["uuid"] as? String == "2A19")
        #expect(attribute["basis"] as? String == "as told")
    }

    /// A phone's log: a ring that was connected twice, a heart-rate strap, and a scale that only
    /// advertised.
    private static let phone = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop")

    @Test func importsTheRingOfAPhonesLog() throws {
        let path = folder.path("bug.halo")
        let outcome = try run([Self.phone.path, "--out", path])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(outcome.output.contains("bytes: connections 2, 3\n"))
        let capture = try Capture(contentsOf: path)
        let packets = capture.lines.compactMap(\.packet)
        #expect(packets.count == 587)
        #expect(packets.allSatisfy { $0.channel == .uart || $0.channel == .bigData })
        #expect(packets.allSatisfy { $0.link == nil })
    }

    /// The last line names eight connections.
    @Test(arguments: [1, 8, 9]) func namesTheConnectionsThatItWrites(count: Int) throws {
        let connection = """
            * connected mtu 247
            > uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
            + 1s
            * disconnected
            + 1s

            """
        let capture = try folder.write(
            ("halo-capture 2\n" + String(repeating: connection, count: count)).utf8, to: "in.halo")
        let log = folder.path("log")
        let export = ["export", capture, "--as", "btsnoop", "--out", log]
        #expect(try CommandLineProgram.run(export).status == 0)
        let old = try folder.write("precious".utf8, to: "out.halo")
        let outcome = try run([log, "--out", old, "--force"])
        let numbers = (1...min(count, 8)).map { "\($0)" }.joined(separator: ", ")
        let noun = count == 1 ? "connection" : "connections"
        #expect(
            outcome.output.hasSuffix(": \(noun) \(numbers)\(count > 8 ? ", …" : "")\n"),
            "\(outcome)")
    }

    /// Of the devices that advertise, twenty are listed.
    @Test(arguments: [(20, ""), (21, "  and 1 more\n")])
    func listsTwentyDevices(count: UInt8, rest: String) throws {
        var log = SnoopLog()
        for device in 0..<count {
            // An LE advertising report without data.
            log.add(
                [0x04, 0x3E, 0x0C, 0x02, 0x01, 0x00, 0x00]
                    + [device, 0x22, 0x33, 0x44, 0x55, 0x66, 0x00, 0xC4])
        }
        let outcome = try run([folder.write(log.bytes, to: "a.log")])
        #expect(outcome.lines.count { $0.hasSuffix(", once, at most -60 dBm") } == 20)
        #expect(outcome.output.hasSuffix(" dBm\n\(rest)"), "\(outcome)")
    }

    /// A terminal has 80 columns; UUIDs of 128 bits may need more.
    @Test(arguments: ["bug-report.btsnoop", "car.btsnoop", "lesc-256.pcapng", "pairing-256.pcap"])
    func fitsATerminal(file: String) throws {
        let path = FixtureFolder.url("Captures/Traffic/\(file)").path
        let lines = try run([path]).lines
        #expect(lines.count > 5)
        for line in lines where !line.contains(path) { #expect(line.count <= 80, "\(line)") }
    }

    @Test func reportsWhyThereIsNothingToImport() throws {
        let folder = FixtureFolder.url("Captures/Traffic")
        let secret = try run([folder.appendingPathComponent("pairing-256.pcap").path])
        #expect(secret.status == 3)
        #expect(secret.errorOutput.contains("pairing-256.pcap\": the connections are encrypted, "))
        let silent = try run([folder.appendingPathComponent("monitor-254.pcap").path])
        #expect(silent.status == 3)
        #expect(silent.errorOutput.hasSuffix("no connection of this file has any values.\n"))
        let temporary = TestFolder()
        let bytes = try Data(contentsOf: folder.appendingPathComponent("monitor-254.pcap"))
        let cut = try run([try temporary.write(bytes.dropLast(9), to: "cut.pcap")])
        #expect(cut.status == 3 && cut.errorOutput.contains("cut.pcap\": at byte "), "\(cut)")
    }

    @Test func selectsADeviceByItsAddress() throws {
        let path = Self.strap.path
        #expect(try run([path, "--device", "11:22:33:44:55:66"]).status == 0)
        let output = folder.path("out.halo")
        let outcome = try run([path, "--device", "11:22:33:44:55:67", "--out", output])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("no conversation has a device of this address"))
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    /// The packets before the error are imported. It shows at the end of a file that was cut off,
    /// or within a piece of the file.
    @Test(arguments: [(0, "the file ends in the middle"), (200, "this is longer than any")])
    func importsAFileUpToAnError(_ noise: Int, _ reason: String) throws {
        let bytes = try Data(contentsOf: Self.strap)
        let cut = try folder.write(
            bytes.dropLast(97) + Data(repeating: 0xFF, count: noise), to: "cut.log")
        let output = folder.path("cut.halo")
        let outcome = try run([cut, "--out", output])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("HeartRateMeasurement"))
        #expect(outcome.output.contains("connection 1, as far as the file can be read\n"))
        #expect(outcome.errorOutput.contains("cut.log\": at byte "))
        #expect(outcome.errorOutput.contains(reason))
        let capture = try Capture(contentsOf: output)
        #expect(capture.lines.contains { $0.packet != nil })
    }

    @Test func reportsWhyAFileCannotBeRead() throws {
        let missing = try run([folder.path("none")])
        #expect(missing.status == 3 && missing.output == "")
        #expect(missing.errorOutput.contains("cannot be opened"))
        let isFolder = try run([folder.path])
        #expect(isFolder.status == 3)
        #expect(isFolder.errorOutput.contains("it is a folder"))
        let empty = try folder.write([], to: "empty")
        #expect(try run([empty]).errorOutput.contains("the file is empty"))
        let noise = try folder.write(
            (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 0x80) }, to: "noise")
        let unknown = try run([noise, "--json"])
        #expect(unknown.status == 3)
        #expect(try unknown.objects.last?["type"] as? String == "error")
    }

    @Test func reportsAnOutputThatCannotBeWritten() throws {
        let outcome = try run([Self.strap.path, "--out", "/nowhere/at/all.halo"])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("/nowhere/at/all.halo\" cannot be created"))
    }

    @Test func reportsOnItsOwnCaptures() throws {
        let session = FixtureFolder.url("Sessions/QRingR12Sync.halo").path
        let outcome = try run([session])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("halo, "))
        #expect(outcome.output.contains("HeartRateLog.Part"))
        #expect(try run([session, "--out", "/nowhere/out.halo"]).status == 3)
        // A line of a capture has no position in it.
        let wrong = "halo-capture 2\n+ 1s\n< uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 52\n"
        let damaged = try run([folder.write(wrong.utf8, to: "a.halo")])
        #expect(
            damaged.output.hasSuffix(
                """
                : halo, 3 lines, 1 packet, 1.000000 s

                Packets
                  ←  uart  no frame  1
                      1 cannot be read; first at 3:
                        checksum at byte 15: expected 51, found 52.

                """), "\(damaged)")
        // What is not known is null.
        let row = try #require(try run([folder.path("a.halo"), "--json"]).objects.first)
        #expect(row["bytes"] as? Int == wrong.utf8.count && row["began"] is NSNull)
        let silent = try run([
            try folder.write("halo-capture 2\n* connected\n".utf8, to: "silent.halo")
        ])
        #expect(silent.status == 3)
        #expect(silent.errorOutput.hasSuffix("silent.halo\": it has no packet\n"), "\(silent)")
    }

    /// A capture whose last line has no end is no fault, for any verb.
    @Test(arguments: [
        ("< 2a37 00 4", "11 bytes at its end are"), ("<", "1 byte at its end is"),
    ])
    func remarksOnARecordingThatWasCutOff(_ line: String, _ words: String) throws {
        let path = try folder.write(
            "halo-capture 2\n< 2a37 00 48\n\(line)".utf8, to: "a.halo")
        let remark = "the recording was cut off; \(words) not a whole line"
        let export = ["export", "--as", "pcap", "--out", folder.path("out")]
        for arguments in [["import"], ["import", "--json"], ["decode"], ["replay"], export] {
            let outcome = try CommandLineProgram.run(arguments + [path])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.errorOutput == "halo: \"\(path)\": \(remark)\n")
        }
        let fixture = try folder.write("< 2a37 00 48\n< 2a37 00 4".utf8, to: "b.halo")
        for verb in ["import", "decode"] {
            let damaged = try CommandLineProgram.run([verb, fixture])
            #expect(damaged.status == 1)
            #expect(damaged.errorOutput.contains("b.halo\":2:11: the last line has no end"))
        }
    }

    /// Every file of another program is read to its end.
    @Test func readsEveryFixture() throws {
        let files = try FixtureFolder.files(in: "Captures/Containers")
        #expect(files.count >= 12)
        for file in files {
            let outcome = try run([file.path, "--device", "all", "--json"])
            #expect(outcome.status == 0, "\(file.lastPathComponent): \(outcome.errorOutput)")
            let faults = try outcome.objects.compactMap { $0["faults"] as? Int }.reduce(0, +)
            #expect(faults == 0, "\(file.lastPathComponent)")
        }
    }
}
