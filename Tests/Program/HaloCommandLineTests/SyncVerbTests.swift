import Foundation
import HaloDevices
import HaloHealth
import HaloTransport
import TestSupport
import Testing

/// `halo sync`.
@Suite(.passesTime) struct SyncVerbTests {
    private let folder = TestFolder()

    private static func sync(_ folder: TestFolder, _ more: String...) throws
        -> CommandLineProgram.Outcome
    {
        try CommandLineProgram.run(["sync", "--file", folder.path("a.db")] + more)
    }

    private static func history(in folder: TestFolder) throws -> RingHistory {
        let store = try HealthStore(path: folder.path("a.db"))
        let ring = try #require(try store.rings().first)
        return try #require(try store.history(of: ring.identity))
    }

    @Test func aSecondSyncHasNothingNew() throws {
        let first = try Self.sync(folder, "--virtual=r10")
        #expect(first.status == 0 && first.errorOutput == "", "\(first)")
        #expect(
            first.output == """
                COLMI R10_2FCA: 806 new values (all that the ring holds)
                  heart rate              576
                  stress                  96
                  heart-rate variability  48
                  activity                18
                  blood oxygen            48
                  temperature             18
                  sleep                   2
                kept in "\(folder.path("a.db"))"

                """)
        let history = try Self.history(in: folder)
        #expect(!history[.heartRate].isEmpty && !history[.sleep].isEmpty)

        let second = try Self.sync(folder, "--virtual=r10")
        #expect(second.status == 0, "\(second)")
        #expect(second.output.contains(": nothing new (since "))
        #expect(second.output.split(separator: "\n").count == 2)
        #expect(try Self.history(in: folder).heartRates == history[.heartRate])
    }

    /// With `-q`, as cron runs it, nothing is printed when all went well; another wearer is.
    @Test func quietlyItSaysOnlyWhatNeedsAttention() throws {
        let first = try Self.sync(folder, "--virtual=r10", "-q")
        #expect(first.status == 0 && first.output == "" && first.errorOutput == "", "\(first)")
        let other = try CommandLineProgram.runShell(
            """
            "$0" simulate ring --model r10 --fake-bluez 2> requests -- sh -c '
                for wearer in "sex=female age=70 height=210" "sex=male age=30 height=180"; do
                    "$0" settings wearer $wearer -q > report
                    for file in "$1" "$1"; do "$0" sync -q --file "$1" 2>&1 || exit; done
                done' "$0" "$1"
            """, [folder.path("b.db")])
        #expect(other.status == 0 && other.output.hasPrefix("halo: "), "\(other)")
        #expect(other.lines.count == 1 && other.output.contains("another person"), "\(other)")
        let clock = TestFolder()
        let moved = try Self.sync(clock, "--virtual=r10,days=7,fault=clock-ahead", "-q")
        #expect(moved.output == "" && moved.errorOutput.contains("clock"), "\(moved)")
        let replay = TestFolder()
        let failed = try Self.sync(
            replay, "--replay", FixtureFolder.url("Sessions/R10Workout.halo").path, "-q")
        #expect(failed.status == 1 && failed.errorOutput.contains("halo: not read: "))
    }

    @Test func programsGetNumbers() throws {
        let outcome = try Self.sync(folder, "--virtual=r10", "--json")
        #expect(outcome.status == 0)
        let object = try outcome.object
        #expect(object["type"] as? String == "sync")
        #expect(object["file"] as? String == folder.path("a.db"))
        let history = try Self.history(in: folder)
        let added = try #require(object["added"] as? [String: Int])
        #expect(added["heartRate"] == history[.heartRate].count)
        #expect(added["sleep"] == history[.sleep].count)
        #expect(object["replaced"] as? [String: Int] == [:])
        #expect(object["isComplete"] as? Bool == true && object["since"] is NSNull)
        let settings = try #require(object["settings"] as? [String: Double])
        #expect(settings["heartRateLog"] == 1 && settings["goalSteps"] == 5000)
        #expect(object["ring"] as? String == "COLMI R10_2FCA")
        #expect(object["address"] as? String == "virtual-0")
        let next = try Self.sync(folder, "--virtual=r10", "--json").object
        #expect(next["added"] as? [String: Int] == [:])
        #expect((next["since"] as? String)?.count == 10)
    }

    /// A sync is killed while it writes, again and again; the next one completes the file. The
    /// battery has a row of each sync that has written.
    @Test func aProgramThatIsKilledLosesNothing() throws {
        let count = Thoroughness.scaled(3)
        let outcome = try CommandLineProgram.runShell(
            """
            "$0" sync --file whole.db --virtual=r10 > report
            "$0" history --file whole.db --csv whole > report
            for attempt in {1..\(count)}; do
                rm -f a.db*; "$0" sync --file a.db --virtual=r10 > report &
                # The first journal is that of the tables.
                until [[ -s a.db && ! -e a.db-journal ]]; do kill -0 $! || break; done
                until [[ -s a.db-journal && $((++looks)) -ge $attempt ]]; do
                    kill -0 $! || break
                done
                kill -KILL $!; wait $!; looks=0
                ls a.db-journal; "$0" history --file a.db --csv "$attempt" > report
                echo "status $?"
                "$0" sync --file a.db --virtual=r10 > report; echo "status $?"
                "$0" history --file a.db --csv "after$attempt" > report
                diff -r -x battery.csv "after$attempt" whole && echo same
            done 2> errors
            """)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count { $0 == "same" } == count, "\(outcome)")
        #expect(lines.contains("a.db-journal"), "\(outcome)")
    }

    #if os(Linux)
    /// A signal ends a sync, which keeps what has come; the next one reads the rest.
    @Test(.takesTurns) func anInterruptedSyncKeepsWhatHasCome() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            "$0" simulate ring --fake-bluez 2> requests -- sh -c '
                "$0" sync --file a.db 2> errors &
                until grep -q StressLog requests; do kill -0 $! || exit; sleep 0.1; done
                kill -TERM $!; wait $!; echo "status $?"; tail -n 1 errors
                "$0" sync --file a.db; echo "status $?"' "$0"
            """)
        let lines = outcome.output.split(separator: "\n")
        let first = try #require(lines.first)
        #expect(first.hasSuffix(" (not all could be read)"), "\(outcome)")
        #expect(lines.contains("status \(128 + SIGTERM)"), "\(outcome)")
        #expect(lines.contains { $0.hasSuffix("ended early: the next sync reads the rest") })
        let second = try #require(lines.last { $0.contains(" (since ") })
        #expect(second.contains(" new values "), "\(outcome)")
        #expect(lines.last == "status 0", "\(outcome)")
    }

    /// A sync is killed while the ring still has its old clock, and just after it was set. The ring
    /// lives on, and the file and the next sync have all that it held.
    @Test(.takesTurns, arguments: ["StressLog", "SetTime"])
    func aSyncOfAWrongClockThatIsKilledLosesNothing(_ packet: String) throws {
        let outcome = try CommandLineProgram.runShell(
            """
            rows() { "$1" history hr --days 30 --file $2 --json | grep -c '"type":"heartRate"'; }
            simulate() {
                "$1" simulate ring --days 2 --fault clock-ahead --fake-bluez 2> requests -- \\
                    sh -c "$3" "$1" "$2"
            }
            simulate "$0" '' '"$0" sync --file whole.db > report 2>&1; echo "status $?"'
            simulate "$0" "$1" '
                "$0" sync --file a.db > report 2>&1 &
                until grep -q "$1" requests; do kill -0 $! || exit; sleep 0.02; done
                kill -KILL $!; wait $!
                "$0" sync --file a.db; echo "status $?"'
            echo "whole $(rows "$0" whole.db)"; echo "killed $(rows "$0" a.db)"
            """, [packet])
        let lines = outcome.output.split(separator: "\n")
        func count(_ word: String) -> Int? {
            lines.first { $0.hasPrefix(word + " ") }.flatMap { Int($0.dropFirst(word.count + 1)) }
        }
        let (whole, killed) = (try #require(count("whole")), try #require(count("killed")))
        #expect(whole > 40 && killed >= whole - 1, "\(outcome)")
        #expect(lines.count { $0 == "status 0" } == 2, "\(outcome)")
    }
    #endif

    @Test func theZoneIsAssumedOnlyIfAsked() throws {
        _ = try Self.sync(folder, "--virtual=r10")
        func known() throws -> Int {
            try Self.history(in: folder).heartRates.count { $0.utc != nil }
        }
        #expect(try known() == 0)
        // All that the ring holds is read once more, and the values get their time in UTC.
        let again = try Self.sync(folder, "--virtual=r10", "--assume-zone")
        #expect(again.output.contains(": nothing new (all that the ring holds)"), "\(again)")
        #expect(try known() == Self.history(in: folder).heartRates.count)
        let other = TestFolder()
        _ = try Self.sync(other, "--virtual=r10", "--assume-zone")
        #expect(try Self.history(in: other).heartRates.allSatisfy { $0.utc != nil })
    }

    /// A read that was repeated in part is decoded again with its repetition.
    @Test func whatWasReadTwiceIsDecodedAgain() throws {
        let capture = FixtureFolder.url("Captures/VirtualR10.halo").path
        let read = try Self.sync(folder, "--replay", capture)
        #expect(read.status == 1 && read.output.contains(": 293 new values"), "\(read)")
        let again = try CommandLineProgram.run(
            ["sync", "--decode-again", "--file", folder.path("a.db")])
        #expect(again.status == 1 && again.output.hasSuffix(": nothing new\n"), "\(again)")
    }

    @Test func aFolderIsNoFile() throws {
        let outcome = try CommandLineProgram.run(
            ["sync", "--decode-again", "--file", folder.path])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("the file cannot be opened"), "\(outcome)")
    }

    @Test func keptAnswersAreDecodedAgain() throws {
        let none = try CommandLineProgram.run(
            ["sync", "--decode-again", "--file", folder.path("a.db")])
        #expect(none.status == 3)
        #expect(none.errorOutput.contains("there is no such file\n'halo sync' creates it"))
        #expect(try folder.names == [])

        _ = try Self.sync(folder, "--virtual=r10")
        _ = try Self.sync(folder, "--virtual=r10")
        let history = try Self.history(in: folder)
        let again = try CommandLineProgram.run(
            ["sync", "--decode-again", "--file", folder.path("a.db")])
        #expect(again.status == 0 && again.errorOutput == "", "\(again)")
        let lines = again.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(": nothing new") })
        #expect(try Self.history(in: folder) == history)

        // A capture of a second sync has two days only, and is decoded as well.
        let path = folder.path("a.db")
        let deletion = try CommandLineProgram.runShell(
            """
            python3 -c "import sqlite3; d = sqlite3.connect('$1'); \
            d.execute('DELETE FROM sample WHERE kind = 2 AND time >= 1767657600'); d.commit()"
            """, [path])
        if deletion.status == 0 {
            let second = try CommandLineProgram.run(
                ["sync", "--decode-again", "--json", "--file", path])
            #expect(second.status == 0, "\(second)")
            #expect(try Self.history(in: folder).stress == history[.stress])
        }

        // What an older version has not read, this one adds from the capture.
        let store = try HealthStore(path: folder.path("b.db"))
        let nothing = try CommandLineProgram.run(
            ["sync", "--decode-again", "--file", folder.path("b.db")])
        #expect(nothing.status == 0 && nothing.output == "")
        #expect(nothing.errorOutput == "halo: \"\(folder.path("b.db"))\" has no stored replies\n")
        let capture = try HealthStore(path: folder.path("a.db"))
        let kept = try #require(try capture.captures().first)
        let empty = RingHistory(
            today: history.today, readAt: history.readAt,
            secondsFromUTC: history.secondsFromUTC)
        var read = HealthRead(PeripheralIdentity("virtual-0"), empty)
        read.capture = try capture.text(of: kept)
        try store.add(read)
        read.capture = "halo-capture 2\n"
        try store.add(read)
        let added = try CommandLineProgram.run(
            ["sync", "--decode-again", "--json", "--file", folder.path("b.db")])
        #expect(added.status == 1)
        #expect(added.errorOutput.contains("has no history"))
        let counts = try #require(try added.objects.first?["added"] as? [String: Int])
        #expect(counts["heartRate"] == history[.heartRate].count)
        #expect(
            try store.history(of: read.ring)?.heartRates.map(\.value)
                == history[.heartRate].map(\.value))
    }

    /// A file of this program has views with the client's names, and is none of the client's.
    @Test func onlyFilesOfThePythonClientAreImported() throws {
        _ = try Self.sync(folder, "--virtual=r10")
        let outcome = try CommandLineProgram.run(
            ["sync", "--import", folder.path("a.db"), "--file", folder.path("b.db")])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("a.db\": the file is no database of colmi"))
        let both = try Self.sync(folder, "--import", "x", "--decode-again")
        #expect(both.status == 2)
    }

    /// What is left out of a client's file is counted.
    @Test(.enabled(if: PythonScript.isAvailable, "python3 writes the client's file"))
    func rowsThatAreLeftOutAreCounted() throws {
        let script = """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            d.execute('CREATE TABLE rings (ring_id INTEGER PRIMARY KEY, address)')
            d.execute('CREATE TABLE syncs (sync_id INTEGER PRIMARY KEY, ring_id, timestamp)')
            d.execute('CREATE TABLE heart_rates (reading INTEGER, timestamp, ring_id)')
            d.execute("INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C')")
            for reading in (60, 5000, 'high'):
                d.execute('INSERT INTO heart_rates VALUES (?, ?, 1)',
                    (reading, '2026-01-01 08:00:00'))
            d.commit()
            """
        try PythonScript.run(script, folder.path("client"))
        let outcome = try Self.sync(folder, "--import", folder.path("client"))
        #expect(outcome.status == 0 && outcome.output.contains("1 new value\n"), "\(outcome)")
        #expect(outcome.errorOutput.contains("halo: 2 rows were left out: "), "\(outcome)")
    }

    @Test func theOwnFileHasRealRingsOnly() throws {
        let outcome = try CommandLineProgram.run(
            ["sync", "--virtual"], environment: ["HOME": folder.path])
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("--file names another"))
        #expect(try folder.names == [])
        let homeless = try CommandLineProgram.run(["sync", "--decode-again"])
        #expect(homeless.status == 2)
        #expect(homeless.errorOutput.contains("HOME is not set"))
        #if os(Linux)
        let real = try CommandLineProgram.run(
            ["sync", "--bus", "unix:path=/nowhere"], environment: ["HOME": folder.path])
        #expect(real.status == 3 && real.errorOutput.contains("'halo doctor'"), "\(real)")
        #endif
        let standard = try CommandLineProgram.run(["sync", "--virtual", "--file", "-"])
        #expect(standard.status == 2)
    }

    @Test(arguments: ["--device=ring", "--virtual", "--replay=a.halo"])
    func whatNeedsNoRingTakesNone(_ option: String) async throws {
        for word in ["--decode-again", "--import=a.db"] {
            let outcome = try await CommandLineProgram.call([
                "sync", word, option, "--file", "b.db",
            ])
            #expect(outcome.status == 2)
            let name = word.prefix { $0 != "=" }
            #expect(
                outcome.errorOutput.hasPrefix("halo: \(name) needs no ring, so no --device"),
                "\(outcome)")
        }
    }

    @Test func theUsualFileIsInTheHome() throws {
        for (variable, path) in [
            ("HOME", ".local/share/halo/health.db"), ("XDG_DATA_HOME", "halo/health.db"),
        ] {
            let outcome = try CommandLineProgram.run(
                ["sync", "--decode-again"], environment: [variable: folder.path])
            #expect(outcome.status == 3)
            #expect(outcome.errorOutput.contains("\"\(folder.path(path))\": there is no such"))
        }
    }

    /// The user's own file and its folders are for their owner only.
    @Test func theUsualFileIsMadeWithItsFolder() throws {
        let outcome = try CommandLineProgram.run(
            ["sync", "--import", folder.path("none.db")], environment: ["HOME": folder.path])
        #expect(outcome.status == 3)
        let modes: [(name: String, mode: mode_t)] = [
            (".local/share/halo", 0o700), (".local/share/halo/health.db", 0o600),
        ]
        for (name, mode) in modes {
            var status = stat()
            #expect(stat(folder.path(name), &status) == 0 && status.st_mode & 0o777 == mode)
        }
    }

    @Test func filesOfOthersStayAsTheyAre() throws {
        let path = try folder.write("precious, and no database".utf8, to: "a.db")
        let outcome = try Self.sync(folder, "--virtual=r10", "--json")
        #expect(outcome.status == 3)
        #expect(
            outcome.errorOutput.hasPrefix("halo: \"\(path)\": the file is not a database"),
            "\(outcome)")
        #expect(try outcome.object["status"] as? Int == 3)
        #expect(try folder.bytes("a.db") == Array("precious, and no database".utf8))
    }

    /// A file is made when there is something to keep; where none can be made, no ring is asked.
    @Test func aFailedSyncLeavesNoFile() throws {
        let noRing = try Self.sync(folder, "--virtual=strap")
        #expect(noRing.status == 3 && noRing.errorOutput.contains("a sync needs a ring"))
        #expect(try folder.names == [])
        let notFound = try Self.sync(folder, "--virtual=r10", "--device=nobody", "--wait=1s")
        #expect(notFound.status == 4, "\(notFound)")
        #expect(try folder.names == [])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.db"), withDestinationPath: folder.path("none/a.db"))
        let longName = String(repeating: "a", count: 300)
        for name in ["none/a.db", "link.db", longName] {
            let outcome = try CommandLineProgram.run(
                ["sync", "--virtual=strap", "--file", folder.path(name)])
            #expect(outcome.status == 3, "\(outcome)")
            #expect(outcome.errorOutput.contains("the file cannot be opened"), "\(outcome)")
            #expect(!outcome.errorOutput.contains("a sync needs a ring"), "\(outcome)")
        }
        #expect(try folder.names == ["link.db"])
    }

    @Test func twoSyncsAtOnceWaitForEachOther() throws {
        let (outcome, _) = try CommandLineProgram.runShell(
            """
            for seed in 1 2 3 4; do "$0" sync --file a.db --virtual=r10 > out$seed & done
            wait; cat out* | grep -c new
            """, thenReading: "a.db")
        #expect(outcome.output == "4\n", "\(outcome)")
        #expect(outcome.errorOutput == "")
    }
}
