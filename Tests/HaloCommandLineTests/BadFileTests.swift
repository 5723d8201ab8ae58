import Foundation
import HaloCapture
import Testing

/// What the built program does with files that are none, and with names and arguments that are
/// meant to harm.
@Suite struct BadFileTests {
    private static let fixtures = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")
    private static let snoop = fixtures.appendingPathComponent("Captures/Containers/uart.btsnoop")
    private static let session = fixtures.appendingPathComponent("Sessions/R10Workout.halo")

    /// Whom to ask: a verb with what it needs to read a file.
    enum Reader: String, CaseIterable {
        case `import`, decode, replay, scrub, export

        func arguments(_ file: String, to output: String) -> [String] {
            switch self {
            case .import, .replay: [rawValue, file]
            case .decode: [rawValue, "--file", file]
            case .scrub: [rawValue, file, "--out", output]
            case .export: [rawValue, file, "--as", "btsnoop", "--out", output]
            }
        }
    }

    /// Gives `body` a folder that is gone afterwards.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("halo-bad-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func steering(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    // MARK: Files that are none

    @Test(arguments: Reader.allCases)
    func refusesWhatIsNoFile(_ reader: Reader) throws {
        try withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let output = folder.appendingPathComponent("out").path
            for (path, reason) in [
                (folder.path, "it is a folder"), (pipe, "it is a pipe"),
                ("/dev/zero", "it is not a file"), (output + "none", "No such file"),
                (output + String(repeating: "x", count: 300), "too long"),
            ] {
                let outcome = try CommandLineProgram.run(reader.arguments(path, to: output))
                #expect(outcome.status == 1, "\(path)")
                #expect(outcome.complaints.contains("\"\(path)\" cannot be opened: "), "\(path)")
                #expect(outcome.complaints.contains(reason), "\(path): \(outcome.complaints)")
                #expect(!FileManager.default.fileExists(atPath: output))
            }
        }
    }

    /// What stands before an error is said, and so is where the error is.
    @Test(arguments: Reader.allCases)
    func keepsWhatIsBeforeAnError(_ reader: Reader) throws {
        try withFolder { folder in
            let input = folder.appendingPathComponent("in.halo").path
            let text = "halo-capture 1\n< 2a19 64\n< 2a19 zz\n< 2a19 63\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: input))
            let output = folder.appendingPathComponent("out").path
            let outcome = try CommandLineProgram.run(reader.arguments(input, to: output))
            #expect(outcome.status == 1)
            #expect(outcome.complaints.contains("3:8: two hexadecimal digits"))
            #expect(outcome.complaints.contains("in.halo\""))
            switch reader {
            case .import, .decode, .replay:
                #expect(outcome.output != "", "\(reader)")
            case .scrub, .export:
                #expect(FileManager.default.fileExists(atPath: output))
            }
        }
    }

    /// What no file for other programs can hold has a place, too.
    @Test func saysWhereThereIsTooMuchToExport() throws {
        try withFolder { folder in
            let input = folder.appendingPathComponent("in.halo").path
            let text = (0..<300).map { "< link-\($0)/2a19 64\n" }.joined()
            try Data(text.utf8).write(to: URL(fileURLWithPath: input))
            let output = folder.appendingPathComponent("out").path
            let outcome = try CommandLineProgram.run(
                Reader.export.arguments(input, to: output))
            #expect(outcome.status == 1)
            #expect(outcome.complaints.contains("in.halo\":257: there are more than 256 names"))
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    // MARK: Where to write

    @Test(arguments: ["/dev/full", "/dev/null", "PIPE", "FOLDER", "NOWHERE/out", ""])
    func refusesToWriteWhereNoFileCanBe(_ place: String) throws {
        try withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let path = place.replacingOccurrences(of: "PIPE", with: pipe)
                .replacingOccurrences(of: "FOLDER", with: folder.path)
                .replacingOccurrences(of: "NOWHERE", with: folder.path + "/nowhere")
            for arguments in [
                ["import", Self.snoop.path], ["scrub", Self.session.path],
                ["export", Self.session.path, "--as", "pcapng"],
                ["record", "--virtual", "strap", "--for", "2s", "--replace"],
            ] {
                let outcome = try CommandLineProgram.run(arguments + ["--out", path])
                #expect(outcome.status == 1, "\(arguments)")
                #expect(outcome.complaints.contains("\"\(path)\" cannot be made: "))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
        }
    }

    /// Where a file may not become so long, nothing is left of it.
    @Test func leavesNothingWhereThereIsNoRoom() throws {
        try withFolder { folder in
            let output = folder.appendingPathComponent("out").path
            let process = Process()
            let complaints = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" scrub \"$1\" --out \"$2\"",
                CommandLineProgram.program.path, Self.session.path, output,
            ]
            process.standardError = complaints
            process.standardOutput = FileHandle.nullDevice
            try CommandLineProgram.begin(process)
            let said = complaints.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 1)
            #expect(String(decoding: said, as: UTF8.self).contains("cannot be written at byte "))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test(arguments: ["import", "scrub", "export"])
    func writesNoFileOverItself(_ verb: String) throws {
        try withFolder { folder in
            let files = FileManager.default
            let source = verb == "import" ? Self.snoop : Self.session
            let input = folder.appendingPathComponent("in")
            try files.copyItem(at: source, to: input)
            let link = folder.appendingPathComponent("link").path
            try files.createSymbolicLink(atPath: link, withDestinationPath: input.path)
            let other = folder.appendingPathComponent("other").path
            try files.linkItem(atPath: input.path, toPath: other)
            for output in [input.path, folder.path + "/./in", link, other] {
                let format = verb == "export" ? ["--as", "btsnoop"] : []
                let outcome = try CommandLineProgram.run(
                    [verb, input.path, "--out", output] + format)
                #expect(outcome.status == 2, "\(output)")
                #expect(outcome.complaints.contains("not written over the one"))
                #expect(try Data(contentsOf: input) == Data(contentsOf: source))
            }
        }
    }

    @Test func writesFilesOfTheLongestNames() throws {
        try withFolder { folder in
            let output = folder.path + "/" + String(repeating: "y", count: 250)
            let outcome = try CommandLineProgram.run(["scrub", Self.session.path, "--out", output])
            #expect(outcome.status == 0, "\(outcome.complaints)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        }
    }

    // MARK: What reaches a terminal

    private static let nasty =
        "\u{1B}[31m\u{202E}\u{200F}\u{7}\n\u{9B}1m\u{2028}\u{2066}\u{E0041}"

    @Test(arguments: Reader.allCases, [[], ["--json"]])
    func steersNoTerminal(_ reader: Reader, _ more: [String]) throws {
        try withFolder { folder in
            let source = reader == .import ? Self.snoop : Self.session
            let input = folder.appendingPathComponent(Self.nasty + ".halo").path
            try FileManager.default.copyItem(atPath: source.path, toPath: input)
            let output = folder.appendingPathComponent(Self.nasty).path
            for path in [input, input + "none"] {
                let outcome = try CommandLineProgram.run(reader.arguments(path, to: output) + more)
                #expect(outcome.status == (path == input ? 0 : 1), "\(outcome.complaints)")
                #expect(steering(outcome.output) == [])
                #expect(steering(outcome.complaints) == [])
                for line in more.isEmpty ? [] : outcome.lines {
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    let said = object as? [String: Any]
                    let name = said?["file"] as? String ?? said?["input"] as? String
                    if let name, reader != .decode || name.contains("/") {
                        #expect(name.unicodeScalars.elementsEqual(path.unicodeScalars))
                    }
                }
            }
        }
    }

    @Test(arguments: [[], ["--json"]])
    func steersNoTerminalByWhatIsInAFile(_ more: [String]) throws {
        try withFolder { folder in
            let input = folder.appendingPathComponent("in.halo").path
            let text = """
                halo-capture 1
                # name: \u{202E}evil\u{200F} \u{9B}31m\u{2028}\u{E0041}
                # exception: \u{202E}so\u{9B}31m\u{2028}
                < 2a00 1b 5b 33 31 6d e2 80 ae 41 0a
                = \u{202E}text\u{2066}
                < adv 07 09 1b 5b 32 4a e2 80 ae
                > uart 04 1b 5b 33 31 6d e2 80 ae 0a 0a 00 00 00 00 00

                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: input))
            let output = folder.appendingPathComponent("out").path
            for reader in Reader.allCases {
                let outcome = try CommandLineProgram.run(
                    reader.arguments(input, to: output) + more)
                #expect([0, 1].contains(outcome.status))
                #expect(steering(outcome.output) == [], "\(reader)")
                #expect(steering(outcome.complaints) == [], "\(reader)")
            }
        }
    }

    // MARK: Arguments

    @Test(
        arguments: [
            ["import", "a", "--map", "0x+1=2a37"], ["import", "a", "--map", "+1=2a37"],
            ["import", "a", "--map", "0x10000=2a37"], ["import", "a", "--map", "1=2a37,"],
            ["import", "a", "--map", "1=2a37", "--map", "1=2a38"],
            ["import", "a", "--device", "11:22:33:44:55:+6"], ["import", "a", "--device", "+1"],
            ["import", "a", "--device", "99999999999999999999"], ["import", "a", "--device", ""],
            ["import", "a", "--device", "1", "--device", "2"],
            ["import", "a", "--out", "b", "--out", "c"],
            ["import", "a", "--format", "pcap", "--format", "btsnoop"],
            ["scrub", "a", "--seed", "1", "--seed", "2"], ["scrub", "a", "--seed", "-1"],
            ["scrub", "a", "--out", "b", "--out", "c"], ["scrub", "a", "--keep", "names,,dates"],
            ["export", "a", "--as", "pcap", "--as", "btsnoop", "--out", "b"],
            ["export", "a", "--as", "pcap", "--out", "b", "--out", "c"],
            ["replay", "a", "--against", "r02", "--against", "r10"],
            ["record", "--virtual", "strap", "--out", "a", "--for", "+1s"],
            ["record", "--virtual", "strap", "--out", "a", "--for", "9223372036854775807h"],
            ["record", "--virtual", "strap", "--out", "a", "--for", "1s", "--for", "2s"],
            ["record", "--virtual", "strap", "--out", "a", "--out", "b"],
            ["decode", "00", "--direction", "to", "--direction", "from"],
        ] as [[String]])
    func refusesWhatIsSaidTwiceOrBadly(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.complaints.contains("usage: halo \(arguments[0])"))
        #expect(outcome.output == "")
    }

    @Test func saysThatTheDeviceIsNotThere() throws {
        let outcome = try CommandLineProgram.run(["import", Self.snoop.path, "--device", "7"])
        #expect(outcome.status == 1)
        #expect(outcome.complaints.contains("no conversation has this number"))
    }
}
