import Foundation
import HaloCapture
import HaloProtocol
import HaloTraffic
import TestSupport
import Testing

/// `-`, pipes by their names, and closed descriptors.
@Suite(.waitsForPrograms) struct StandardStreamTests {
    private let folder = TestFolder()

    private static let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop")
    private static let session = FixtureFolder.url("Sessions/R10Workout.halo")

    /// A way to hand a file to the program, `$1`, as a part of a shell's command: what stands
    /// before it, and the name of the file for the program.
    enum Way: String, CaseIterable {
        case redirected, piped, substituted, descriptor, fifo

        var shell: (before: String, name: String, after: String) {
            switch self {
            case .redirected: ("", "-", "< \"$1\"")
            case .piped: ("cat \"$1\" |", "-", "")
            case .substituted: ("", "<(cat \"$1\")", "")
            case .descriptor: ("cat \"$1\" |", "/dev/stdin", "")
            case .fifo: ("mkfifo pipe; cat \"$1\" > pipe &", "pipe", "")
            }
        }
    }

    private func run(
        _ way: Way, _ verb: String, _ options: String = "", on file: URL
    ) throws -> CommandLineProgram.Outcome {
        let (before, name, after) = way.shell
        return try CommandLineProgram.runShell(
            "\(before) \"$0\" \(verb) \(name) \(options) \(after)", [file.path])
    }

    @Test(arguments: Way.allCases) func importsALogThatCanBeReadOnce(_ way: Way) throws {
        let outcome = try run(way, "import", "--out -", on: Self.log)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        var options = ImportOptions()
        options.device = .connection(2)
        let capture = try Capture(reading: outcome.output)
        #expect(capture.lines.count(where: { $0.packet != nil }) == 587)
        let length = outcome.output.utf8.count
        #expect(
            outcome.errorOutput.contains(
                "\"-\" is written, \(length) bytes: connections 2, 3\n"))
    }

    @Test(arguments: ["decode --file", "replay", "scrub --seed 7", "export --as pcap --out -"])
    func readsStandardInputAsAFile(_ verb: String) throws {
        let output = folder.path("out")
        let out = verb.hasPrefix("scrub") ? " --out \(output)" : ""
        let byName = try CommandLineProgram.runShell("\"$0\" \(verb) \"$1\"\(out)", [Self.log.path])
        let made = verb.hasPrefix("scrub") ? try folder.bytes("out") : Array(byName.output.utf8)
        for way in [Way.redirected, .piped, .substituted] {
            // A substitution has a name, beside which there is no place for a file.
            guard way != .substituted || !verb.hasPrefix("scrub") else { continue }
            let outcome = try run(way, verb, on: Self.log)
            #expect(outcome.status == byName.status)
            #expect(Array(outcome.output.utf8) == made, "\(verb) \(way)")
        }
    }

    @Test func refusesAFolderAndNothingAsStandardInput() throws {
        let folder = try CommandLineProgram.run(["import", "-"], readsFolder: true)
        #expect(folder.status == 3)
        #expect(folder.errorOutput.contains("\"-\" cannot be opened: it is a folder"))
        let closed = try CommandLineProgram.runShell("\"$0\" import - <&-")
        #expect(closed.status == 3)
        #expect(closed.errorOutput.contains("\"-\" cannot be read: "))
        let nothing = try CommandLineProgram.run(["import", "-"])
        #expect(nothing.errorOutput.contains("the file is empty"))
    }

    /// The file behind a descriptor is refused, and the same device or pipe behind both is not.
    @Test func refusesToReplaceStandardInput() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            cp "$1" in; "$0" scrub - --force --out in < in; echo $?
            "$0" scrub in --out - >> in; echo $?; cmp in "$1" && echo same
            "$0" scrub - --out - < /dev/null > /dev/null; echo $?
            """, [Self.session.path])
        #expect(outcome.output == "2\n2\nsame\n3\n", "\(outcome)")
        let reason = "halo: the output would overwrite its own input\n"
        #expect(outcome.errorOutput.components(separatedBy: reason).count == 3)
    }

    /// The copy has no name as soon as it exists, so nothing is left when the program is killed.
    @Test func leavesNoCopyOfAPipe() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            mkfifo pipe; cat "$1" > pipe &
            TMPDIR="$2" "$0" import pipe
            """, [Self.log.path, folder.path])
        #expect(outcome.output.contains("Connection 3"), "\(outcome)")
        #expect(try folder.names == [])
        let missing = try CommandLineProgram.runShell(
            "cat \"$1\" | TMPDIR=/nowhere \"$0\" import -", [Self.log.path])
        #expect(missing.status == 3)
        #expect(missing.errorOutput.contains("/nowhere/halo-"))
    }

    @Test(arguments: [
        "import LOG --out -", "import LOG --out - --json", "scrub SESSION --out -",
        "scrub SESSION --out - --json", "export SESSION --as btsnoop --out -",
        "export SESSION --as btsnoop --out - --json", "record --virtual=strap --for 3s --out -",
        "record --virtual=strap --for 3s --out - --json",
    ])
    func printsOnlyTheFileOnStandardOutput(_ command: String) throws {
        let command = command.replacingOccurrences(of: "LOG", with: "\"$1\"")
            .replacingOccurrences(of: "SESSION", with: "\"$2\"")
        let seed = command.hasPrefix("scrub") ? " --seed 3" : ""
        let streamed = try CommandLineProgram.runShell(
            "\"$0\" \(command)\(seed) > out", [Self.log.path, Self.session.path],
            thenReading: "out")
        let named = command.replacingOccurrences(of: "--out -", with: "--out out")
        let file = try CommandLineProgram.runShell(
            "\"$0\" \(named)\(seed)", [Self.log.path, Self.session.path], thenReading: "out")
        #expect(streamed.outcome.status == 0 && file.outcome.status == 0)
        #expect(streamed.file == file.file && !file.file.isEmpty)
        #expect(
            streamed.outcome.errorOutput
                == file.outcome.errorOutput
                + file.outcome.output.replacingOccurrences(of: "\"out\"", with: "\"-\"")
                .replacingOccurrences(of: "in out", with: "in -"))
    }

    /// As other programs in a pipeline, it ends by the signal.
    @Test(arguments: [
        "import \"$1\" --out -", "scrub \"$2\" --out -", "record --virtual=strap --for 24h --out -",
    ])
    func endsQuietlyWithItsReader(_ command: String) throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" \(command) 2> errors | true; echo ${PIPESTATUS[0]}; cat errors",
            [Self.log.path, Self.session.path])
        #expect(outcome.lines.first == "\(128 + SIGPIPE)")
        #expect(!outcome.output.contains("ipe:") && !outcome.output.contains("Broken"))
    }

    #if os(Linux)
    /// Its reader is there, and has no room. The recording ends then, and not after a day.
    @Test func aRecordingWithoutRoomIsAnError() throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" record --virtual=strap --for 24h --out - > /dev/full")
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("\"-\" cannot be written: No space left on device"))
        #expect(outcome.errorOutput.contains(#/ in \d s, 0 bytes/#), "\(outcome.errorOutput)")
    }
    #endif

    /// A reader that has read enough, while a recording writes.
    @Test func aRecordingEndsQuietlyWithItsReader() throws {
        for _ in 0..<5 {
            let outcome = try CommandLineProgram.runShell(
                "\"$0\" record --virtual=strap --for 24h --out - 2> errors | head -c 10 > first; "
                    + "echo ${PIPESTATUS[0]}; cat errors", [])
            #expect(outcome.lines.first == "\(128 + SIGPIPE)")
            #expect(!outcome.output.contains("Broken"), "\(outcome.output)")
        }
    }

    /// A page is longer than what a pipe holds.
    @Test func aPageEndsQuietlyWithItsReader() throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" report - --virtual=r10 2> errors | head -c 10 > first; "
                + "echo ${PIPESTATUS[0]}; cat errors", [])
        #expect(outcome.output == "\(128 + SIGPIPE)\n")
    }

    /// A descriptor that a parent has set to return at once, with a reader that is slower.
    @Test func waitsForAReaderWhereWritingDoesNotWait() throws {
        let lines = (0..<3000).map { "03\(HexText.byte(UInt8($0 % 100)))" }
        let input = Data((lines.joined(separator: "\n") + "\n").utf8)
        let expected = try CommandLineProgram.run(["decode"], input: input).output
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let smallest: Int32 = 4096
        // F_SETPIPE_SZ, whose name is hidden from Swift.
        _ = fcntl(ends[1], 1031, smallest)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let process = Process()
        process.executableURL = CommandLineProgram.program
        process.arguments = ["decode"]
        process.environment = CommandLineProgram.environment(["TERM": "xterm"])
        process.standardInput = FileHandle(forReadingAtPath: try folder.write(input, to: "input"))
        process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
        try CommandLineProgram.start(process)
        close(ends[1])
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            .readDataToEndOfFile()
        process.waitUntilExit()
        #expect(expected.utf8.count > 16 * Int(smallest))
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    /// The next opened file would get the number of a closed descriptor, and with it the text for
    /// people.
    @Test(arguments: [
        ("<&-", 0), (">&-", 3), ("2>&-", 0), ("<&- >&-", 3), ("<&- >&- 2>&-", 3), (">&- 2>&-", 3),
    ])
    func writesNoTextIntoAFileWithoutDescriptors(_ closed: String, _ status: Int) throws {
        let (outcome, file) = try CommandLineProgram.runShell(
            """
            "$0" record --virtual=strap --for 3s --out good > good.txt || exit 9
            "$0" record --virtual=strap --for 3s --out a \(closed)
            echo $?
            "$0" record --virtual=strap --out a \(closed) # there is one already
            cmp a good && echo same
            """, thenReading: "a")
        #expect(!file.isEmpty)
        // What cannot be printed is an error, as with any closed output.
        #expect(outcome.output.hasSuffix("\(status)\nsame\n"), "\(outcome)")
    }

    #if os(Linux)
    /// Before the program waits for the writer of a pipe. Until then, the loader has files open.
    @Test func takesThePlacesOfClosedDescriptors() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            mkfifo pipe; "$0" import pipe <&- >&- 2>&- &
            for ((count = 0; count < 2000; count++)); do
                links=$(readlink /proc/$!/fd/{0,1,2} | tr '\\n' ' ')
                [[ $links != "/dev/null /dev/null /dev/null " ]] || break
                sleep 0.01
            done
            echo "$links"; kill $!
            """)
        #expect(outcome.output == "/dev/null /dev/null /dev/null \n", "\(outcome)")
    }
    #endif

    @Test(arguments: ["import", "decode", "replay", "scrub", "export"])
    func saysWhatAPipeIs(_ verb: String) throws {
        let help = try CommandLineProgram.run(["help", verb]).output
            .split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(help.contains("- for standard input") && help.contains("at most 1 GiB"))
        #expect(OpenFile.lengthLimit == 1 << 30)
    }
}
