import Foundation
import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// `halo history` and `halo report`.
@Suite(.timeLimit(.minutes(20))) struct HistoryVerbTests {
    private let folder = TestFolder()

    private static func history(_ arguments: String...) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["history"] + arguments)
    }

    /// A file with a virtual R10's history.
    private static func synced(_ folder: TestFolder) throws -> String {
        let path = folder.path("a.db")
        let outcome = try CommandLineProgram.run(["sync", "--virtual=r10", "--file", path])
        #expect(outcome.status == 0, "\(outcome)")
        return path
    }

    // MARK: Pictures

    @Test func aPictureHasTheDayAndTheWeek() throws {
        let outcome = try Self.history("--virtual=r10")
        #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
        let text = outcome.output
        #expect(text.hasPrefix("COLMI R10_2FCA  read at 2026-01-07 09:00:0"))
        for title in ["Heart rate  ", "Steps  ", "Sleep  ", "Days  "] {
            #expect(text.contains("\n\(title)"), "\(title)")
        }
        #expect(text.contains("\n4 earlier days without values\n"))
        #expect(!text.contains("no ring is known"))
        #expect(outcome.lines.last?.hasPrefix("Wed 07 Jan ") == true, "no remarks on kinds")
        let four = try Self.history("--virtual=r10", "--days", "4")
        #expect(four.output.contains("\n1 earlier day without values\n"))
        #expect(try !Self.history("--virtual=r10", "--days", "3").output.contains("earlier"))
    }

    // MARK: A wrong clock

    private static let ahead = "--virtual=r10,days=7,fault=clock-ahead"

    /// The heart rates of a ring whose clock shows another day, by their days.
    private static func heartRates(
        _ arguments: String...
    ) throws -> (days: [String: Int], remarks: String) {
        let outcome = try CommandLineProgram.run(
            ["history", "hr", "--json", Self.ahead] + arguments)
        let times = try outcome.objects.filter { $0["type"] as? String == "heart_rate" }
            .compactMap { $0["time"] as? String }
        return (
            Dictionary(grouping: times) { String($0.prefix(10)) }.mapValues(\.count),
            outcome.errorOutput
        )
    }

    @Test func datesOfAWrongClockAreRemarkedOn() throws {
        let (days, remarks) = try Self.heartRates()
        #expect(days.keys.contains { $0 > "2026-01-12" } && days.count > 2)
        #expect(remarks.hasPrefix("halo: the ring's clock is "))
        #expect(remarks.contains(" days ahead, and so are all dates"))
    }

    /// Setting the clock takes the dates from what is stored; it was read before.
    @Test func valuesOfAWrongClockAreShownOnTheRightDays() throws {
        let (days, remarks) = try Self.heartRates("--set-clock")
        #expect(days.count > 2 && days.values.reduce(0, +) > 300, "\(days)")
        #expect(days.keys.allSatisfy { "2026-01-06"..."2026-01-12" ~= $0 }, "\(days)")
        #expect(remarks.hasPrefix("halo: the ring's clock was "))
        #expect(remarks.contains("were moved to the right days"))
        let (two, _) = try Self.heartRates("--set-clock", "--days", "2")
        #expect(two == days.filter { $0.key >= "2026-01-11" })
        let nights = try Self.history("sleep", "--json", Self.ahead, "--set-clock").objects
        #expect(nights.contains { $0["type"] as? String == "sleep" })
        #expect(!nights.contains { $0["type"] as? String == "heart_rate" })
    }

    @Test(arguments: [
        ["info", "--set-clock"], ["live", "hr", "--set-clock", "--count", "1"],
        ["workout", "list", "--set-clock"], ["record", "--for", "1s", "--out", "-"],
    ])
    func valuesThatAreLeftOutAreRemarkedOn(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments + [Self.ahead])
        #expect(outcome.errorOutput.contains("the ring's clock was "), "\(outcome)")
        #expect(outcome.errorOutput.contains(" keeps them\n"))
        let right = try CommandLineProgram.run(arguments + ["--virtual=r10"])
        #expect(!right.errorOutput.contains("clock was"))
    }

    @Test func aZoneIsAssumedInEveryFormat() throws {
        let left = try Self.history("hr", "--json", Self.ahead).objects
        #expect(left.first?["utc"] is NSNull)
        let assumed = try Self.history("hr", "--json", "--assume-zone", Self.ahead).objects
        #expect(assumed.first?["utc"] is String)
        let place = folder.path("week")
        _ = try Self.history("hr", "--csv", place, "--assume-zone", Self.ahead)
        let table = try String(contentsOfFile: place + "/heart_rate.csv", encoding: .utf8)
        #expect(table.split(separator: "\r\n").dropFirst().allSatisfy { $0.contains("Z,") })
    }

    @Test(arguments: [
        ("heart-rate", "bpm"), ("hr", "bpm"), ("steps", "km"), ("sleep", "asleep"),
        ("oxygen", "lowest of each hour"), ("spo2", "%"), ("stress", "mean"), ("hrv", "ms"),
        ("temperature", "°C"),
    ])
    func aKindHasAChartForEachDay(_ word: String, _ unit: String) throws {
        let outcome = try Self.history(word, "--virtual=r10", "--days", "2")
        #expect(outcome.status == 0, "\(outcome)")
        let days = outcome.output.split(separator: "\n").filter {
            $0.hasPrefix("Tue 06 Jan  ") || $0.hasPrefix("Wed 07 Jan  ")
        }
        #expect(days.count == 2, "\(outcome.output)")
        #expect(days.last?.contains(unit) == true, "\(days)")
        #expect(!outcome.output.contains("Mon 05 Jan") && !outcome.output.contains("is stored"))
    }

    @Test func whatIsMissingIsSaid() throws {
        // The temperatures of a day before the first stored one.
        let outcome = try Self.history("temp", "--virtual=r10", "--days", "2")
        #expect(outcome.output.contains("\nTue 06 Jan  not kept\n"), "\(outcome)")
        let lacking = try Self.history("hrv", "--virtual=r02", "--set-clock")
        #expect(lacking.output.contains("\nthe ring does not store heart-rate variability\n"))
        let none = try Self.history("hrv", "--virtual=r02")
        #expect(none.output.contains("\nno values of these 7 days\n"), "\(none)")
        let workouts = try Self.history("workouts", "--virtual=r10")
        #expect(workouts.output.contains("\nno workout is stored\n"))
        let sleepless = try Self.history("sleep", "--virtual=r10,days=0")
        #expect(sleepless.output.hasSuffix("\n\nno night or nap is stored\n"), "\(sleepless)")
    }

    /// A recording answers only what was asked when it was made: a line for each kind says so.
    @Test(arguments: [
        (["history", "--days", "2"], 2), (["report", "FILE", "--days", "7"], 7),
        (["sync", "--file", "FILE"], 30),
    ])
    func whatCouldNotBeReadIsSaidOnce(_ command: [String], days: Int) throws {
        let arguments = command.map { $0 == "FILE" ? folder.path("a") : $0 }
        let outcome = try CommandLineProgram.run(
            arguments + ["--replay", FixtureFolder.url("Sessions/R10Workout.halo").path])
        #expect(outcome.status == 1)
        if command[0] == "report" { #expect(outcome.output.hasPrefix("0 days of Replay in ")) }
        if command[0] == "sync" { #expect(outcome.output.contains("(not all could be read)")) }
        let lines = outcome.errorOutput.split(separator: "\n").map(String.init)
        #expect(
            lines.contains("halo: not read: heart rate of \(days) days: the device did not answer.")
        )
        #expect(lines.contains("halo: not read: sleep: the device did not answer."))
        #expect(lines.count == Set(lines).count && lines.count < 10, "\(lines)")
    }

    #if os(Linux)
    /// The progress is shown while the ring is read, and is gone in the end.
    @Test(arguments: [["history"], ["sync", "--file", "FILE"]])
    func showsItsProgress(_ command: [String]) throws {
        let program = try PseudoTerminalProgram(
            command.map { $0 == "FILE" ? folder.path("a.db") : $0 } + ["--virtual=r10,speed=30"])
        #expect(try program.waitForEnd() == 0)
        let line =
            #/reading what COLMI R10_2FCA has stored: \d+ %, \d+ s, (\d+ s left, )?\d+ of \d+: /#
        #expect(program.output.contains(line) && !program.text.contains("reading"))
    }
    #endif

    // MARK: Other programs

    @Test func jsonHasALineForEachValue() throws {
        let outcome = try Self.history("stress", "--virtual=r10", "--json")
        let objects = try outcome.objects
        let values = objects.dropLast()
        #expect(values.count == 96 && values.allSatisfy { $0["type"] as? String == "stress" })
        #expect(values.first?["time"] as? String == "2026-01-05T09:00:00")
        #expect(values.first?["score"] is Int)
        let last = try #require(objects.last)
        #expect(last["type"] as? String == "history")
        #expect(last["ring"] as? String == "COLMI R10_2FCA")
        let days = try #require(last["days"] as? [[String: Any]])
        #expect(days.count == 7 && days.allSatisfy { $0["kind"] as? String == "stress" })
        #expect(days.last?["outcome"] as? String == "read")
    }

    @Test func currentValuesAreTheLastOnes() throws {
        let outcome = try Self.history("--virtual=r10", "--current", "--json")
        let objects = try outcome.objects
        let types = objects.map { $0["type"] as? String ?? "" }
        #expect(
            types.filter { $0 != "sleep_stages" } == [
                "heart_rate", "stress", "heart_rate_variability", "activity", "blood_oxygen",
                "temperature", "sleep", "totals", "battery", "history",
            ], "\(types)")
        let all = try Self.history("--virtual=r10", "--json").objects
        func values(_ type: String, _ objects: [[String: Any]]) -> [String] {
            objects.filter { $0["type"] as? String == type }
                .map { "\($0.sorted { $0.key < $1.key })" }
        }
        for type in types.dropLast() where type != "sleep_stages" {
            #expect(values(type, objects) == values(type, all).suffix(1), "\(type)")
        }
        let night = try #require(objects.first { $0["type"] as? String == "sleep" })
        #expect(night["minutes_asleep"] as? Int == 483 && night["minutes"] as? Int == 493)
        let battery = try #require(objects.first { $0["type"] as? String == "battery" })
        #expect(battery["percent"] as? Int == 83 && battery["is_charging"] as? Bool == false)
        #expect(battery["utc"] as? String == "2026-01-07T09:00:05Z")
        #expect(objects.last?["address"] as? String == "virtual-0")
        let lines = try Self.history(
            "hr", "--virtual=r10", "--current", "--influx", "--assume-zone")
        #expect(lines.output.split(separator: "\n").count == 1, "\(lines)")
        let place = folder.path("now")
        let tables = try Self.history("hr", "--virtual=r10", "--current", "--csv", place)
        #expect(tables.output.hasSuffix("heart_rate.csv: 1 value\n"), "\(tables)")
    }

    @Test func currentValuesAreNoPictureAndNoFile() throws {
        let picture = try Self.history("--virtual=r10", "--current")
        #expect(picture.status == 2 && picture.output == "")
        #expect(picture.errorOutput.contains("--current is for --json, --csv and --influx"))
        let stored = try Self.history("--current", "--json", "--file", "a.db")
        #expect(stored.status == 2 && stored.errorOutput.contains("--current needs a ring"))
    }

    @Test func csvHasAFileForEachKind() throws {
        let place = folder.path("x/y")
        let outcome = try Self.history("--virtual=r02", "--set-clock", "--csv", place)
        #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
        let names = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        // An R02 has no variability.
        #expect(!names.contains("heart_rate_variability.csv"))
        #expect(names.contains("heart_rate.csv") && names.contains("sleep_stages.csv"))
        #expect(outcome.output.split(separator: "\n").count == names.count)
        let text = try String(contentsOfFile: "\(place)/heart_rate.csv", encoding: .utf8)
        let lines = text.split(separator: "\r\n")
        #expect(lines.first == "ring,time,utc,minutes,bpm")
        #expect(outcome.output.contains("heart_rate.csv: \(lines.count - 1) values\n"))

        let again = try Self.history("stress", "--virtual=r02", "--csv", place)
        #expect(again.status == 3 && again.errorOutput.contains("--force replaces it"))
        // One file that is not to be replaced is enough: none is written.
        let other = folder.path("z")
        _ = try Self.history("stress", "--virtual=r02", "--csv", other)
        let refused = try Self.history("--virtual=r02", "--csv", other)
        #expect(refused.status == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["stress.csv"])
        let forced = try Self.history("stress", "--virtual=r02", "--csv", place, "-f", "--json")
        let written = try #require(try forced.object["written"] as? [[String: Any]])
        #expect(written.map { $0["path"] as? String } == ["\(place)/stress.csv"])
        #expect(
            written.first?["bytes"] as? Int
                == FileManager.default.contents(atPath: "\(place)/stress.csv")?.count)
    }

    @Test func lineProtocolNeedsUTC() throws {
        let file = try Self.synced(folder)
        let outcome = try Self.history("hr", "--file", file, "--influx")
        #expect(outcome.status == 0 && outcome.output == "")
        #expect(outcome.errorOutput.contains("576 values left out"), "\(outcome)")
        let assumed = try Self.history("hr", "--file", file, "--influx", "--assume-zone")
        #expect(assumed.errorOutput == "")
        let lines = assumed.output.split(separator: "\n")
        #expect(lines.count == 576)
        #expect(lines.first?.hasPrefix("heart_rate,ring=COLMI\\ R10_2FCA minutes=5i,bpm=") == true)
    }

    // MARK: The file

    @Test func theFileHasWhatTheRingHad() throws {
        let file = try Self.synced(folder)
        for word in ["hr", "sleep", "temp", "steps"] {
            let ring = try Self.history(word, "--virtual=r10", "--json").objects.dropLast()
            let stored = try Self.history(word, "--file", file, "--json").objects.dropLast()
            // The ring's clock was left alone in the one, and set in the other.
            func lines(_ objects: ArraySlice<[String: Any]>) -> [String] {
                objects.map { object in
                    object.filter { $0.key != "utc" && $0.key != "end_utc" }
                        .map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
                }
            }
            #expect(
                lines(ring).filter { !$0.contains("totals") }
                    == lines(stored).filter { !$0.contains("totals") }, "\(word)")
            #expect(!ring.isEmpty)
        }
        let picture = try Self.history("--file", file)
        #expect(picture.output.contains("\nHeart rate  "), "\(picture)")
        let since = try Self.history("hr", "--file", file, "--since", "2026-01-07", "--json")
        #expect(try since.objects.count == 109)
        // A charge of the first day counts, and earlier days do not.
        let today = try Self.history("--file", file, "--since", "2026-01-07", "--json").objects
        #expect(today.contains { $0["type"] as? String == "battery" })
        let days = try #require(today.last?["days"] as? [[String: Any]])
        #expect(Set(days.compactMap { $0["date"] as? String }) == ["2026-01-07"])
    }

    @Test func aDayToComeIsRefused() throws {
        let file = try Self.synced(folder)
        for source in [["--virtual=r10"], ["--file", file]] {
            let outcome = try CommandLineProgram.run(["history", "--since", "2026-01-08"] + source)
            #expect(outcome.status == 2 && outcome.output == "", "\(outcome)")
            let sentence = "halo: --since 2026-01-08 is later than the last day, 2026-01-07\n"
            #expect(outcome.errorOutput.hasPrefix(sentence), "\(outcome)")
        }
    }

    /// Years are read month by month: each value comes once, whatever the month's end.
    @Test func yearsComeInParts() throws {
        let path = folder.path("a.db")
        let store = try HealthStore(path: path)
        let start = CivilDateTime(secondsSince1970: 1_700_000_000)
        var history = RingHistory(
            today: start.advanced(bySeconds: 399 * 86_400).date,
            readAt: start.advanced(bySeconds: 399 * 86_400), secondsFromUTC: 0)
        history.heartRates = (0..<400).map {
            TimedSample(
                time: start.advanced(bySeconds: $0 * 86_400), minutes: 5, secondsFromUTC: 0,
                value: 50 + $0 % 40)
        }
        history.stress = history.heartRates
        try store.add(HealthRead(PeripheralIdentity("70:CB:0D:D0:34:1C"), history))
        let all = try Self.history("--file", path, "--days", "1000", "--json").objects
        let types = all.dropLast().compactMap { $0["type"] as? String }
        var parts: [String] = []
        for count in Array(repeating: 30, count: 13) + [10] {
            for type in ["heart_rate", "stress"] {
                parts += Array(repeating: type, count: count)
            }
        }
        #expect(types == parts)
        let outcome = try Self.history("hr", "--file", path, "--days", "1000", "--json")
        let objects = try outcome.objects
        #expect(objects.count == 401)
        #expect(
            objects.dropLast().map { $0["bpm"] as? Int } == history.heartRates.map { $0.value })
        let week = try Self.history("hr", "--file", path, "--json")
        #expect(try week.objects.count == 8)
        let page = try CommandLineProgram.run(
            ["report", folder.path("a.html"), "--file", path, "--days", "1000"])
        #expect(page.status == 0 && page.output.hasPrefix("366 days of "), "\(page)")
    }

    /// The file of another program does not say which days were read.
    @Test func daysWithoutCoverageAreShown() throws {
        let path = folder.path("a.db")
        let now = CivilDateTime(secondsSince1970: 1_767_625_200)
        var history = RingHistory(today: now.date, readAt: now, secondsFromUTC: 0)
        history.heartRates = [3, 1, 0].map { days in
            TimedSample(time: now.advanced(bySeconds: -days * 86_400), minutes: 5, value: 60)
        }
        try HealthStore(path: path).add(
            HealthRead(PeripheralIdentity("70:CB:0D:D0:34:1C"), history))
        let picture = try Self.history("--file", path)
        let charts = try Self.history("hr", "--file", path)
        for day in ["Sun 04 Jan ", "Mon 05 Jan "] {
            #expect(
                picture.lines.contains { $0.hasPrefix(day) && $0.hasSuffix(" 60–60") },
                "\(picture)")
            #expect(charts.output.contains("\n\(day) 60 to 60 bpm"), "\(charts)")
        }
        // A day between them that no sync has read has a line as well.
        for lines in [picture.lines, charts.lines] {
            #expect(
                lines.contains { $0.hasPrefix("Sat 03 Jan") && $0.hasSuffix(" not read") },
                "\(lines)")
            #expect(!lines.contains { $0.hasPrefix("Thu 01 Jan") })
        }
        let none = try Self.history("stress", "--file", path, "--days", "1")
        #expect(none.output.hasSuffix("\n\nno values\n"), "\(none)")
    }

    @Test func aKindThatIsNotLoggedIsSaid() throws {
        let path = folder.path("a.db")
        let now = CivilDateTime(secondsSince1970: 1_767_625_200)
        var history = RingHistory(today: now.date, readAt: now, secondsFromUTC: 3600)
        for kind in HistoryKind.allCases { history.coverage[kind, now.date] = .read }
        var read = HealthRead(PeripheralIdentity("70:CB:0D:D0:34:1C"), history)
        read.settings = [.stressLog: 0, .heartRateLog: 1]
        try HealthStore(path: path).add(read)
        let arguments = ["history", "--file", path]
        let picture = try CommandLineProgram.run(arguments)
        #expect(picture.output.contains("stress: logging is switched off.\n"), "\(picture)")
        let last = try #require(try CommandLineProgram.run(arguments + ["--json"]).objects.last)
        let states = try #require(last["freshness"] as? [[String: Any]])
        let stress = states.first { $0["kind"] as? String == "stress" }
        #expect(stress?["state"] as? String == "loggingOff")
    }

    @Test func aRingIsChosenByName() throws {
        let path = folder.path("a.db")
        let store = try HealthStore(path: path)
        for (number, name) in ["R10_0001", "R02_0002"].enumerated() {
            let time = CivilDateTime(secondsSince1970: 1_700_000_000 + 60 * UInt32(number))
            var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: 0)
            history.stress = [TimedSample(time: time, minutes: 30, value: 10 + number)]
            try store.add(
                HealthRead(PeripheralIdentity("00:00:00:00:00:0\(number)"), name: name, history))
        }
        func score(_ device: [String]) throws -> Int? {
            try CommandLineProgram.run(
                ["history", "stress", "--file", path, "--json"] + device
            ).objects.first?["score"] as? Int
        }
        #expect(try score([]) == 11)
        #expect(try score(["-d", "r10"]) == 10)
        #expect(try score(["-d", "00:00:00:00:00:00"]) == 10)
        #expect(try score(["-d", "ring"]) == 11)
        let unknown = try CommandLineProgram.run(
            ["history", "stress", "--file", path, "--influx"])
        #expect(unknown.errorOutput.hasPrefix("halo: 1 value left out: "), "\(unknown)")
        let empty = folder.path("empty.db")
        _ = try HealthStore(path: empty)
        let without = try Self.history("--file", empty)
        #expect(without.status == 4 && without.errorOutput.contains(" has no ring yet\n"))
        let none = try Self.history("--file", path, "-d", "R12")
        #expect(none.status == 4)
        #expect(none.errorOutput.contains("It has R10_0001 and R02_0002."), "\(none)")
    }

    /// Whatever another program has written into the columns, nothing traps.
    @Test(.enabled(if: PythonScript.isAvailable, "python3 damages the database"))
    func anyNumbersInTheFileAreShown() throws {
        let path = try Self.synced(folder)
        let script = """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            far = [2**63 - 1, -2**63, 0, 1e300, 'text', b'bytes']
            version = 100
            for value in far:
                for kind in range(1, 7):
                    for time in (1767600000, 2**32, -1, 2**63 - 1):
                        version += 1
                        d.execute("INSERT OR REPLACE INTO sample "
                            "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, 1, NULL)",
                            (kind, time, version, value, value, value, value, value))
            for table in ('sleep', 'workout', 'total', 'battery', 'clock', 'sleep_stage'):
                for column in [c[1] for c in d.execute('PRAGMA table_info(%s)' % table)]:
                    if column in ('id', 'ring', 'sync', 'sleep', 'number'): continue
                    try: d.execute('UPDATE %s SET "%s" = ?' % (table, column), (int(sys.argv[2]),))
                    except sqlite3.Error: pass
            d.commit()
            """
        for number in ["9223372036854775807", "-9223372036854775808", "4294967295"] {
            try PythonScript.run(script, path, number)
            for arguments in [
                ["history", "--file", path], ["history", "hr", "--file", path, "--days", "3"],
                ["history", "sleep", "--file", path],
                ["history", "--file", path, "--json", "--days", "36600"],
                ["history", "--file", path, "--influx", "--assume-zone"],
                ["history", "workouts", "--file", path],
                ["report", folder.path("a.html"), "-f", "--file", path, "--days", "36600"],
                ["sync", "--virtual=r10", "--file", path],
            ] {
                let outcome = try CommandLineProgram.run(arguments)
                #expect([0, 1, 3].contains(outcome.status), "\(arguments) \(outcome)")
                let isSaid = outcome.status == 0 || outcome.errorOutput.hasPrefix("halo: ")
                #expect(isSaid, "\(arguments) \(outcome)")
            }
        }
    }

    // MARK: Pages

    @Test func aPageIsMadeOfARingOrAFile() throws {
        let file = try Self.synced(folder)
        for source in [["--virtual=r10"], ["--file", file]] {
            let path = folder.path("a.html")
            let outcome = try CommandLineProgram.run(
                ["report", path, "--force", "--age", "1"] + source)
            #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
            #expect(outcome.output.hasSuffix(" of COLMI R10_2FCA in \(path)\n"))
            let page = try String(contentsOfFile: path, encoding: .utf8)
            #expect(page.hasPrefix("<!DOCTYPE html>") || page.hasPrefix("<!doctype html>"))
            #expect(page.contains("COLMI R10_2FCA") && page.contains("83 %"))
        }
        let again = try CommandLineProgram.run(
            ["report", folder.path("a.html"), "--virtual=r10", "--json"])
        #expect(again.status == 3 && again.errorOutput.contains("--force replaces it"))
        let standard = try CommandLineProgram.run(["report", "-", "--virtual=r10"])
        #expect(standard.output.lowercased().hasPrefix("<!doctype html>"))
        // A virtual ring of two days: the page has no earlier ones, which the ring was asked for.
        #expect(standard.errorOutput == "3 days of COLMI R10_2FCA in -\n", "\(standard)")
        let facts = try CommandLineProgram.run(
            ["report", folder.path("b.html"), "--virtual=r10", "--json"]
        ).object
        #expect(facts["since"] as? String == "2026-01-05")
        #expect(facts["through"] as? String == "2026-01-07")
    }

    // MARK: Usage

    @Test(arguments: [
        ["--days", "0"], ["--since", "yesterday"], ["--since", "2026-01-01", "--days", "2"],
        ["foo"], ["--stored", "--virtual"], ["--file", "a", "--set-clock"], ["--csv", "-"],
        ["--csv", "a", "--influx"], ["--force"], ["--json", "--influx", "--virtual"],
        ["hr", "sleep"],
    ])
    func wrongUsageIsRefused(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(["history"] + arguments)
        #expect(outcome.status == 2, "\(outcome)")
    }
}
