import Foundation
import HaloCapture
import TestSupport
import Testing

@testable import halo

/// Files that the program makes: what they replace, what signals leave of them, and how the result
/// is reported.
@Suite(.waitsForPrograms) struct OutputFileTests {
    private let folder = TestFolder()

    private static let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
    private static let session = FixtureFolder.url("Sessions/R10Workout.halo").path
    private static let silent = FixtureFolder.url("Captures/Traffic/monitor-254.pcap").path
    private static let secret = FixtureFolder.url("Captures/Traffic/pairing-256.pcap").path

    // MARK: What is replaced

    /// There are packets, and no room for them.
    @Test func namesNoOtherReasonForAFullDisk() throws {
        let path = try folder.write("precious".utf8, to: "a")
        let outcome = try CommandLineProgram.runShell(
            "(trap '' XFSZ; ulimit -f 0; exec \"$0\" export \"$1\" --as pcap --force --out \"$2\") "
                + "2>&1 | cat",
            [Self.session, path])
        #expect(outcome.output.contains("\"\(path)\" stays as it was\n"), "\(outcome)")
        #expect(!outcome.output.contains("there is no packet"))
        #expect(try folder.bytes("a") == Array("precious".utf8))
        #expect(try folder.names == ["a"])
    }

    /// A command, and its exit status if there is no file of the output's name.
    struct Nothing: CustomTestStringConvertible {
        let command: [String]
        let status: Int32
        var testDescription: String { command.joined(separator: " ") }
    }

    private static let nothings = [
        Nothing(command: ["import", silent], status: 3),
        Nothing(command: ["import", secret], status: 3),
        Nothing(command: ["import", log, "--device", "7"], status: 3),
        Nothing(command: ["import", "no-such-file"], status: 3),
        Nothing(command: ["import", "EMPTY"], status: 3),
        Nothing(command: ["scrub", "EMPTY"], status: 3),
        Nothing(command: ["scrub", "EVENTS"], status: 0),
        Nothing(command: ["scrub", "WRONG"], status: 1),
        Nothing(command: ["scrub", silent], status: 3),
        Nothing(command: ["export", "EMPTY", "--as", "pcap"], status: 3),
        Nothing(command: ["export", "EVENTS", "--as", "btsnoop"], status: 0),
        Nothing(command: ["export", "WRONG", "--as", "pcapng"], status: 1),
        Nothing(command: ["export", "NONSENSE", "--as", "pcapng"], status: 3),
        Nothing(command: ["export", silent, "--as", "pcapng"], status: 3),
        Nothing(command: ["export", log, "--device", "7", "--as", "pcapng"], status: 3),
    ]

    @Test(arguments: nothings, [[], ["--json"]])
    func replacesNoFileByNothing(_ nothing: Nothing, _ more: [String]) throws {
        let texts = [
            "EMPTY": "", "EVENTS": "halo-capture 2\n* connected\n+ 1s\n* disconnected 16\n",
            "WRONG": "halo-capture 2\n* connected\n< 2a19 zz\n< 2a19 64\n",
            "NONSENSE": "nonsense\n",
        ]
        for (name, text) in texts { _ = try folder.write(text.utf8, to: name) }
        let path = try folder.write("precious".utf8, to: "a")
        let command = nothing.command.map { texts[$0] == nil ? $0 : folder.path($0) }
        let outcome = try CommandLineProgram.run(command + ["--out", path, "--force"] + more)
        #expect(outcome.status == 3, "\(outcome.errorOutput)")
        #expect(try folder.bytes("a") == Array("precious".utf8))
        let sentence = "\"\(path)\" stays as it was: there is no packet to write\n"
        #expect(outcome.errorOutput.components(separatedBy: sentence).count == 2)
        #expect(try folder.names == ["EMPTY", "EVENTS", "NONSENSE", "WRONG", "a"])
        #expect(!outcome.output.contains("\"path\""))

        try FileManager.default.removeItem(atPath: path)
        let fresh = try CommandLineProgram.run(command + ["--out", path, "--force"] + more)
        #expect(fresh.status == nothing.status)
        #expect(!fresh.errorOutput.contains("stays as it was"))
    }

    @Test func recordsNothingOverAFile() throws {
        let path = try folder.write("precious".utf8, to: "a")
        let outcome = try CommandLineProgram.run([
            "record", "--bus", "unix:path=\(folder.path("none"))", "--force", "--json", "--out",
            path,
        ])
        #expect(outcome.status == 3)
        #expect(try outcome.object["type"] as? String == "error")
        #expect(try folder.bytes("a") == Array("precious".utf8))
    }

    /// A file that exists is refused before anything is read, and before a device is looked for.
    @Test(arguments: [
        ["import", "missing", "--out", "FILE"], ["scrub", "missing", "--out", "FILE"],
        ["export", "missing", "--as", "pcap", "--out", "FILE"],
        ["record", "--virtual", "--device", "none", "--wait", "1s", "--out", "FILE"],
        ["report", "FILE", "--virtual", "--device", "none", "--wait", "1s"],
    ])
    func refusesAFileFirst(_ command: [String]) throws {
        let path = try folder.write("precious".utf8, to: "a")
        let outcome = try CommandLineProgram.run(command.map { $0 == "FILE" ? path : $0 })
        #expect(outcome.status == 3, "\(outcome)")
        #expect(
            outcome.errorOutput.hasPrefix(
                "halo: \"\(path)\" cannot be created: it exists already; --force replaces it\n"))
        #expect(try folder.bytes("a") == Array("precious".utf8))
    }

    /// A device that is not found leaves the file as it was, and says so.
    @Test(arguments: [true, false]) func recordsNoDeviceOverAFile(isThere: Bool) throws {
        let path = isThere ? try folder.write("precious".utf8, to: "a") : folder.path("a")
        let outcome = try CommandLineProgram.run([
            "record", "--virtual", "--device", "none", "--wait", "1s", "--force", "--out", path,
        ])
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.errorOutput.contains("\"\(path)\" stays as it was: ") == isThere)
        #expect(try folder.names == (isThere ? ["a"] : []))
    }

    /// The reader of a pipe has looked for a file of the output's name before it opens the pipe.
    @Test func replacesNoFileThatHasAppearedMeanwhile() throws {
        let (outcome, file) = try CommandLineProgram.runShell(
            """
            mkfifo in; "$0" export in --as pcap --out out & exec 3> in
            echo precious > out; cat "$1" >&3; exec 3>&-; wait $!
            """, [Self.session], thenReading: "out")
        #expect(outcome.status == 3)
        #expect(
            outcome.errorOutput.contains(
                "\"out\" cannot be created: it exists already; --force replaces it\n"))
        #expect(file == Array("precious\n".utf8))
    }

    /// The same of a file that is no capture.
    @Test func replacesNoFileByAPageThatWasBegunBefore() throws {
        var console = Console()
        var file = try OutputFile(FilePath(folder.path("page")), &console)
        try file.write(Array("page".utf8))
        _ = try folder.write("precious".utf8, to: "page")
        var problem: Failure?
        do throws(Failure) {
            try file.commit()
        } catch {
            problem = error
        }
        #expect(problem?.message.contains("--force replaces it") == true)
        #expect(try folder.bytes("page") == Array("precious".utf8))
    }

    /// A folder with the log `in`, of which a program reads and writes for a while. Its last record
    /// is repeated: the program itself would need longer to make it.
    private static let longLog = Result {
        let folder = TestFolder()
        _ = try CommandLineProgram.runShell(
            """
            cd "$1"
            for count in 1 2; do
                { echo halo-capture 2; yes '< 2a19 64' | head -n $count; } > in.halo-$count
                "$0" export in.halo-$count -f --as btsnoop --out in-$count > in-report
            done
            tail -c $(($(stat -c %s in-2) - $(stat -c %s in-1))) in-2 > in-record
            for doubling in {1..13}; do cat in-record in-record > in-two; mv in-two in-record; done
            cat in-1 in-record > in
            """, [folder.path])
        return folder
    }

    /// A file of the output's name appears while the program writes. A program that has ended
    /// before it could be stopped is run again.
    @Test(
        arguments: [
            "scrub in --out", "import in --out", "export in --as pcap --out", "scrub in -fo",
        ])
    func replacesAFileThatAppearsOnlyByForce(_ command: String) throws {
        let outcome = try CommandLineProgram.runShell(
            """
            ln -s "$1" in
            for attempt in {1..20}; do
                rm -f out; "$0" \(command) out > report 2> error &
                until compgen -G 'out.*.part' > parts || ! kill -0 $!; do :; done
                kill -STOP $! && compgen -G 'out.*.part' > parts && break
                kill -CONT $!; wait $!
            done 2> shell
            printf 'precious' > out; kill -CONT $!; wait $!; echo $?
            grep -c 'exists already; --force replaces it' error
            rm in* report error parts shell; ls; head -c 8 out
            """, [try Self.longLog.get().path("in")])
        if command.contains("-f") {
            #expect(outcome.output == "0\n0\nout\nhalo-cap", "\(outcome)")
        } else {
            #expect(outcome.output == "3\n1\nout\nprecious", "\(outcome)")
        }
    }

    // MARK: Signals

    /// A signal while a file is written. A program that has ended before the signal is run again.
    @Test(
        arguments: [
            ("import in -fo", "TERM", SIGTERM), ("import in -f --out", "INT", SIGINT),
            ("export in.halo --force --as pcapng --out", "HUP", SIGHUP),
            ("scrub in.halo -f --out", "INT", SIGINT),
            ("scrub in.halo --force -o", "TERM", SIGTERM),
            // As the system sends it when nobody reads what the program prints.
            ("import in -fo", "PIPE", SIGPIPE), ("import in -fo", "QUIT", SIGQUIT),
        ])
    func leavesNoTemporaryFileAfterASignal(
        _ command: String, _ name: String, _ number: Int32
    ) throws {
        let outcome = try CommandLineProgram.runShell(
            """
            set -m; cd "$1"
            ln -s "$2" in
            { echo halo-capture 2; yes '< 2a19 64' | head -n 10000; } > in.halo
            for attempt in {1..20}; do
                echo precious > out
                "$0" \(command) out > report &
                until compgen -G 'out.*.part' > parts || ! kill -0 $!; do :; done
                kill -\(name) $!; wait $!; status=$?
                [[ $status == 0 ]] || break
            done 2> shell
            echo $status; rm in* report parts shell; ls; cat out
            """, [folder.path, try Self.longLog.get().path("in")])
        #expect(outcome.output == "\(128 + number)\nout\nprecious\n", "\(outcome.errorOutput)")
    }

    /// Under `nohup` for example.
    @Test func keepsIgnoringASignal() throws {
        let (outcome, file) = try CommandLineProgram.runShell(
            """
            trap '' HUP
            { echo halo-capture 2; yes '< 2a19 64' | head -n 20000; } > in.halo
            "$0" export in.halo --as pcapng --out out &
            until compgen -G 'out*' > parts; do kill -0 $! || exit 99; sleep 0.01; done
            kill -HUP $!; wait $!
            """, thenReading: "out")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(file.count > 60_000)
    }

    // MARK: JSON

    @Test(arguments: [
        (["import", log], 2), (["import", log, "--device", "all"], 3), (["scrub", log], 3),
        (["export", log, "--as", "btsnoop"], 3),
        (["export", log, "--device", "1", "--as", "pcap"], 1),
        (["export", session, "--as", "pcap"], 1),
        (["record", "--virtual=strap", "--for", "2s"], 1),
    ])
    func tellsProgramsWhatWasWritten(_ command: [String], _ connections: Int) throws {
        let path = folder.path("a")
        let outcome = try CommandLineProgram.run(command + ["--json", "--out", path])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let last = try #require(try outcome.objects.last)
        let isImport = command[0] == "import"
        if isImport { #expect(last["type"] as? String == "written") }
        let written = isImport ? last : try #require(last["written"] as? [String: Any])
        #expect(written["path"] as? String == path)
        #expect(try written["bytes"] as? Int == folder.bytes("a").count)
        #expect(written["connections"] as? Int == connections)
    }

    @Test func tellsProgramsThatAnImportIsNotWhole() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.log))
        let input = try folder.write(bytes.dropLast(97), to: "cut.log")
        let outcome = try CommandLineProgram.run(
            ["import", input, "--json", "--out", folder.path("a")])
        #expect(outcome.status == 1)
        let written = try #require(
            try outcome.objects.first { $0["type"] as? String == "written" })
        #expect(written["isWhole"] as? Bool == false)
        #expect(written["numbers"] as? [Int] == [2, 3])
    }
}
