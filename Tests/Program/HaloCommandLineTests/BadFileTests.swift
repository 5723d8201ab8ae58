import Foundation
import HaloCapture
import TestSupport
import Testing

/// Paths that are not files, content with errors, and malicious names and arguments.
@Suite(.waitsForPrograms) struct BadFileTests {
    private let folder = TestFolder()

    private static let snoop = FixtureFolder.url("Captures/Containers/uart.btsnoop")
    private static let session = FixtureFolder.url("Sessions/R10Workout.halo")

    /// A verb that reads a file.
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

    /// The characters of a text that control a terminal.
    private func controls(in text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    // MARK: Input

    @Test(arguments: Reader.allCases)
    func refusesPathsThatAreNotFiles(_ reader: Reader) throws {
        let output = folder.path("out")
        for (path, reason) in [
            (folder.path, "it is a folder"), ("/dev/zero", "it is not a file"),
            (output + "none", "No such file"),
            (output + String(repeating: "x", count: 300), "too long"),
        ] {
            let outcome = try CommandLineProgram.run(reader.arguments(path, to: output))
            #expect(outcome.status == 3, "\(path)")
            #expect(outcome.errorOutput.contains("\"\(path)\" cannot be opened: "), "\(path)")
            #expect(outcome.errorOutput.contains(reason), "\(path): \(outcome.errorOutput)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    /// The lines before an error count, and the message has the error's position.
    @Test(arguments: Reader.allCases)
    func keepsTheLinesBeforeAnError(_ reader: Reader) throws {
        let input = folder.path("in.halo")
        let text = "halo-capture 2\n< 2a19 64\n< 2a19 zz\n< 2a19 63\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: input))
        let output = folder.path("out")
        let outcome = try CommandLineProgram.run(reader.arguments(input, to: output))
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("3:8: two hexadecimal digits"))
        #expect(outcome.errorOutput.contains("in.halo\""))
        switch reader {
        case .import, .decode, .replay:
            #expect(outcome.output != "", "\(reader)")
        case .scrub, .export:
            #expect(FileManager.default.fileExists(atPath: output))
        }
    }

    /// A text that begins like a comment is no capture, and nothing is made of it.
    @Test(arguments: Reader.allCases)
    func refusesATextWithALineLikeAComment(_ reader: Reader) throws {
        let input = folder.path("README.md")
        try Data("# Title\n\nSome words.\n".utf8).write(to: URL(fileURLWithPath: input))
        let output = folder.path("out")
        let outcome = try CommandLineProgram.run(reader.arguments(input, to: output))
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.errorOutput.contains("README.md\""))
        #expect(!FileManager.default.fileExists(atPath: output))
        guard reader != .import else { return }
        #expect(outcome.errorOutput.contains(":3:1: no line begins like this.\nNot a capture."))
        let comments = folder.path("comments.halo")
        try Data("# only\n# comments\n".utf8).write(to: URL(fileURLWithPath: comments))
        let none = try CommandLineProgram.run(reader.arguments(comments, to: output))
        #expect(none.status == 0 && !none.errorOutput.contains("no capture"), "\(none)")
    }

    /// A capture in another version is a capture.
    @Test(arguments: [Reader.decode, .replay])
    func doesNotCallACaptureNoCapture(_ reader: Reader) throws {
        let input = try folder.write("halo-capture 3\n< 2a19 64\n".utf8, to: "in.halo")
        let outcome = try CommandLineProgram.run(reader.arguments(input, to: folder.path("out")))
        #expect(outcome.status == 3)
        let error = "in.halo\":1:14: this version is not known here; 2 is.\n"
        #expect(outcome.errorOutput.hasSuffix(error), "\(outcome.errorOutput)")
    }

    @Test func reportsTheLineOfTheFirstConnectionBeyondTheLimit() throws {
        let input = folder.path("in.halo")
        let text = (0..<300).map { "< link-\($0)/2a19 64\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: input))
        let output = folder.path("out")
        let outcome = try CommandLineProgram.run(
            Reader.export.arguments(input, to: output))
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("in.halo\":257: there are more than 256 names"))
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    // MARK: Output

    @Test(arguments: ["/dev/full", "/dev/null", "PIPE", "FOLDER", "NOWHERE/out"])
    func refusesOutputsThatCannotBeFiles(_ place: String) throws {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let path = place.replacingOccurrences(of: "PIPE", with: pipe)
            .replacingOccurrences(of: "FOLDER", with: folder.path)
            .replacingOccurrences(of: "NOWHERE", with: folder.path + "/nowhere")
        for arguments in [
            ["import", Self.snoop.path], ["scrub", Self.session.path],
            ["export", Self.session.path, "--as", "pcapng"],
            ["record", "--virtual=strap", "--for", "2s", "--force"],
        ] {
            let outcome = try CommandLineProgram.run(arguments + ["--out", path])
            #expect(outcome.status == 3, "\(arguments)")
            #expect(outcome.errorOutput.contains("\"\(path)\" cannot be created: "))
        }
        #expect(try folder.names == ["pipe"])
    }

    /// A limit on the length of a file replaces a full disk.
    @Test func removesTheFileThatCannotBeWrittenToItsEnd() throws {
        let output = folder.path("out")
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" scrub \"$1\" --out \"$2\"",
            CommandLineProgram.program.path, Self.session.path, output,
        ]
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try CommandLineProgram.start(process)
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 3)
        #expect(String(decoding: message, as: UTF8.self).contains("cannot be written at byte "))
        #expect(try folder.names == [])
    }

    @Test(arguments: ["import", "scrub", "export", "record"])
    func refusesToReplaceItsInput(_ verb: String) throws {
        let files = FileManager.default
        let source = verb == "import" ? Self.snoop : Self.session
        let input = folder.path("in")
        try files.copyItem(atPath: source.path, toPath: input)
        let link = folder.path("link")
        try files.createSymbolicLink(atPath: link, withDestinationPath: input)
        let other = folder.path("other")
        try files.linkItem(atPath: input, toPath: other)
        for output in [input, folder.path + "/./in", link, other] {
            let format = verb == "export" ? ["--as", "btsnoop"] : []
            let outcome = try CommandLineProgram.run(
                (verb == "record" ? [verb, "-f", "--replay"] : [verb])
                    + [input, "--out", output] + format)
            #expect(outcome.status == 2, "\(output)")
            #expect(outcome.errorOutput.contains("would overwrite its own input"))
            #expect(try Data(folder.bytes("in")) == Data(contentsOf: source))
        }
    }

    /// A page over the file of all syncs would lose it.
    @Test(arguments: [
        ["report", "-f", "$", "--file", "$"], ["report", "-f", "$", "--replay", "$"],
        ["simulate", "ring", "--fake-bluez", "-f", "--record", "$", "--script", "$"],
    ])
    func refusesToReplaceWhatItReads(_ arguments: [String]) throws {
        let input = try folder.write("1s walk\n", to: "in")
        let outcome = try CommandLineProgram.run(arguments.map { $0 == "$" ? input : $0 })
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("would overwrite its own input"))
        #expect(try folder.text("in") == "1s walk\n")
    }

    /// An empty file is no capture.
    @Test(arguments: Reader.allCases, [[], ["--json"]])
    func refusesAnEmptyFile(_ reader: Reader, _ more: [String]) throws {
        let empty = try folder.write([], to: "empty.halo")
        let packed = try CommandLineProgram.runShell(
            "gzip -c \"$1\" > in.gz", [empty], thenReading: "in.gz")
        for path in [empty, try folder.write(packed.file, to: "empty.gz")] {
            let command = reader.arguments(path, to: folder.path("out")) + more
            let outcome = try CommandLineProgram.run(command)
            #expect(outcome.status == 3, "\(outcome)")
            #expect(outcome.errorOutput.contains("the file is empty"), "\(outcome)")
            #expect(!folder.hasFile("out"))
        }
    }

    @Test func writesFilesWithTheLongestNames() throws {
        let output = folder.path + "/" + String(repeating: "y", count: 250)
        let outcome = try CommandLineProgram.run(["scrub", Self.session.path, "--out", output])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(try folder.names.count == 1)
    }

    // MARK: Control characters

    private static let control =
        "\u{1B}[31m\u{202E}\u{200F}\u{7}\n\u{9B}1m\u{2028}\u{2066}\u{E0041}"

    @Test(arguments: Reader.allCases, [[], ["--json"]])
    func printsNoControlCharactersOfAName(_ reader: Reader, _ more: [String]) throws {
        let source = reader == .import ? Self.snoop : Self.session
        let input = folder.path(Self.control + ".halo")
        try FileManager.default.copyItem(atPath: source.path, toPath: input)
        let output = folder.path(Self.control)
        for path in [input, input + "none"] {
            let outcome = try CommandLineProgram.run(reader.arguments(path, to: output) + more)
            #expect(outcome.status == (path == input ? 0 : 3), "\(outcome.errorOutput)")
            #expect(controls(in: outcome.output) == [])
            #expect(controls(in: outcome.errorOutput) == [])
            for line in more.isEmpty ? [] : outcome.lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                let members = object as? [String: Any]
                let name = members?["file"] as? String ?? members?["input"] as? String
                if let name, reader != .decode || name.contains("/") {
                    #expect(name.unicodeScalars.elementsEqual(path.unicodeScalars))
                }
            }
        }
    }

    @Test(arguments: [[], ["--json"]])
    func printsNoControlCharactersOfTheContent(_ more: [String]) throws {
        let input = folder.path("in.halo")
        let text = """
            halo-capture 2
            # name: \u{202E}evil\u{200F} \u{9B}31m\u{2028}\u{E0041}
            # exception: \u{202E}so\u{9B}31m\u{2028}
            < 2a00 1b 5b 33 31 6d e2 80 ae 41 0a
            = \u{202E}text\u{2066}
            < adv 07 09 1b 5b 32 4a e2 80 ae
            > uart 04 1b 5b 33 31 6d e2 80 ae 0a 0a 00 00 00 00 00

            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: input))
        for reader in Reader.allCases {
            let output = folder.path("\(reader)")
            let outcome = try CommandLineProgram.run(
                reader.arguments(input, to: output) + more)
            #expect([0, 1].contains(outcome.status))
            #expect(controls(in: outcome.output) == [], "\(reader)")
            #expect(controls(in: outcome.errorOutput) == [], "\(reader)")
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
            ["record", "--virtual=strap", "--out", "a", "--for", "+1s"],
            ["record", "--virtual=strap", "--out", "a", "--for", "9223372036854775807h"],
            ["record", "--virtual=strap", "--out", "a", "--for", "1s", "--for", "2s"],
            ["record", "--virtual=strap", "--out", "a", "--out", "b"],
            ["decode", "00", "--direction", "to", "--direction", "from"],
            ["demo", "--seed", "1", "--seed", "2"],
            ["live", "hr", "--count", "0"], ["report", "a", "--age", "0"],
            ["report", "a", "--age", "121"], ["report", "a", "b"],
            ["strip", "mode", "red-fade", "--speed", "256"],
        ] as [[String]])
    func refusesRepeatedAndMalformedValues(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("'halo help \(arguments[0])' says more."))
        #expect(outcome.output == "")
    }

    @Test func reportsAMissingConversation() throws {
        let outcome = try CommandLineProgram.run(["import", Self.snoop.path, "--device", "9"])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("no conversation has this number"))
    }
}
