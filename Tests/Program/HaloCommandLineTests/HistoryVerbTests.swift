import Foundation
import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// `halo history` and `halo report`.
@Suite(.passesTime) struct HistoryVerbTests {
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

    /// What a recording of one day lacks is neither unreadable nor of a wrong clock.
    @Test func aRecordingOfOneDayIsSyncedWhole() throws {
        let path = folder.path("a.halo")
        let recorded = try CommandLineProgram.run([
            "record", "--virtual=r12", "--days", "1", "--for", "5s", "-q", "--out", path,
        ])
        #expect(recorded.status == 0, "\(recorded)")
        let outcome = try CommandLineProgram.run([
            "sync", "--replay", path, "--file", folder.path("b.db"),
        ])
        #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
        #expect(outcome.output.contains("(all that the ring holds)"))
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
        let times = try outcome.objects.filter { $0["type"] as? String == "heartRate" }
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

    /// Setting the clock would put what is stored out of reach, and nothing keeps it here.
    @Test func aClockThatShowsAnotherDayIsNotSet() throws {
        let (days, remarks) = try Self.heartRates("--set-clock")
        #expect(try days == Self.heartRates().days && days.count > 2, "\(days)")
        #expect(remarks.contains(" days ahead, and so are all dates; it was not set"))
        #expect(remarks.contains("'halo sync' keeps that, and sets the clock\n"))
    }

    @Test(arguments: [
        ["info", "--set-clock"], ["live", "hr", "--set-clock", "--count", "1"],
        ["workout", "list", "--set-clock"], ["record", "--for", "1s", "--out", "-"],
    ])
    func aClockThatIsLeftAloneIsRemarkedOn(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments + [Self.ahead])
        #expect(outcome.errorOutput.contains("the ring's clock is "), "\(outcome)")
        #expect(outcome.errorOutput.contains("'halo sync' keeps that, and sets the clock\n"))
        let right = try CommandLineProgram.run(arguments + ["--virtual=r10"])
        #expect(!right.errorOutput.contains("clock is"))
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
        #expect(none.output.contains("\nno values in these 7 days\n"), "\(none)")
        let workouts = try Self.history("workouts", "--virtual=r10")
        #expect(workouts.output.contains("\nno workout is stored\n"))
        let sleepless = try Self.history("sleep", "--virtual=r10,days=0")
        #expect(sleepless.output.hasSuffix("\n\nno night or nap is stored\n"), "\(sleepless)")
    }

    /// What a ring does not answer is said in a line for each kind.
    @Test(arguments: [
        (["history", "--days", "2"], 2), (["report", "FILE", "--days", "7"], 7),
        (["sync", "--file", "FILE"], 7),
    ])
    func whatCouldNotBeReadIsSaidOnce(_ command: [String], days: Int) throws {
        let arguments = command.map { $0 == "FILE" ? folder.path("a") : $0 }
        let outcome = try CommandLineProgram.run(
            arguments + ["--virtual=r10,fault=HeartRateLog:silence,fault=Sleep:silence"])
        #expect(outcome.status == 1)
        if command[0] == "report" { #expect(outcome.output.hasPrefix("3 days of COLMI R10")) }
        if command[0] == "sync" { #expect(outcome.output.contains("(not all could be read)")) }
        #expect(
            outcome.errorOutput == """
                halo: not read: sleep: the device did not answer.
                halo: not read: heart rate of \(days) days: the device did not answer.

                """)
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
            types.filter { $0 != "sleepStages" } == [
                "heartRate", "stress", "heartRateVariability", "activity", "bloodOxygen",
                "temperature", "sleep", "totals", "battery", "history",
            ], "\(types)")
        let all = try Self.history("--virtual=r10", "--json").objects
        func values(_ type: String, _ objects: [[String: Any]]) -> [String] {
            objects.filter { $0["type"] as? String == type }
                .map { "\($0.sorted { $0.key < $1.key })" }
        }
        for type in types.dropLast() where type != "sleepStages" {
            #expect(values(type, objects) == values(type, all).suffix(1), "\(type)")
        }
        let night = try #require(objects.first { $0["type"] as? String == "sleep" })
        #expect(night["minutesAsleep"] as? Int == 483 && night["minutes"] as? Int == 493)
        let battery = try #require(objects.first { $0["type"] as? String == "battery" })
        #expect(battery["percent"] as? Int == 83 && battery["isCharging"] as? Bool == false)
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
    }

    /// Those of a file are as current as its last read: of a virtual ring, whose time is another
    /// one, they are judged by that; those of a real one are years old.
    @Test func currentValuesOfAFileAreThoseOfNow() throws {
        let file = try Self.synced(folder)
        let ring = try Self.history("--virtual=r10", "--current", "--json").objects
        let stored = try Self.history("--file", file, "--current", "--json").objects
        let types = { (rows: [[String: Any]]) in rows.compactMap { $0["type"] as? String } }
        #expect(types(stored) == types(ring) && stored.count > 20)
        #expect(stored.first?["bpm"] as? Int == ring.first?["bpm"] as? Int)
        let old = try Self.twoRings(folder)
        let none = try Self.history("--file", old, "-d", "R10", "--current", "--json").objects
        #expect(types(none) == ["history"], "\(none)")
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
                    object.filter { $0.key != "utc" && $0.key != "endUTC" }
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
        history[.heartRate] = (0..<400).map {
            TimedSample(
                time: start.advanced(bySeconds: $0 * 86_400), minutes: 5, secondsFromUTC: 0,
                value: 50 + $0 % 40)
        }
        history[.stress] = history[.heartRate]
        try store.add(HealthRead(PeripheralIdentity("70:CB:0D:D0:34:1C"), history))
        let all = try Self.history("--file", path, "--days", "1000", "--json").objects
        let types = all.dropLast().compactMap { $0["type"] as? String }
        var parts: [String] = []
        for count in Array(repeating: 30, count: 13) + [10] {
            for type in ["heartRate", "stress"] {
                parts += Array(repeating: type, count: count)
            }
        }
        #expect(types == parts)
        let outcome = try Self.history("hr", "--file", path, "--days", "1000", "--json")
        let objects = try outcome.objects
        #expect(objects.count == 401)
        #expect(
            objects.dropLast().map { $0["bpm"] as? Int } == history[.heartRate].map { $0.value })
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
        history[.heartRate] = [3, 1, 0].map { days in
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
            #expect(charts.output.contains("\n\(day) 60 bpm"), "\(charts)")
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

    /// Twenty days without a sync are said as such: in text, in JSON and on a page, whatever days
    /// are shown.
    @Test func aGapBetweenSyncsIsSaid() throws {
        let path = folder.path("a.db")
        for days in ["10", "30"] {
            let sync = try CommandLineProgram.run(
                ["sync", "--virtual=r10,days=\(days)", "--file", path])
            #expect(sync.status == 0, "\(sync)")
        }
        let sentence = "Not synced in time: read on 15 January, and next on 4 February."
        for (days, first) in [("30", 16), ("10", 26)] {
            let text = try Self.history("--days", days, "--file", path)
            #expect(text.lines.contains("\(first)–28 Jan: \(sentence)"), "\(text)")
            #expect(!text.output.contains("not worn"), "\(text)")
            #expect(
                text.lines.contains {
                    $0.hasPrefix("Thu 29 Jan ") && $0.hasSuffix("unsynced unsynced")
                },
                "\(text)")
            let kind = try Self.history("hr", "--days", days, "--file", path)
            #expect(kind.lines.contains("\(first)–31 Jan  \(sentence)"), "\(kind)")
            let last = try #require(
                try Self.history("--days", days, "--file", path, "--json").objects.last)
            let missing = try #require(last["missing"] as? [[String: Any]])
            let gaps = missing.filter { $0["reason"] as? String == "notSynced" }
            #expect(gaps.allSatisfy { $0["text"] as? String == sentence })
            let steps = gaps.first { $0["kind"] as? String == "activity" }
            #expect(steps?["since"] as? String == "2026-01-\(first)")
            #expect(steps?["through"] as? String == "2026-01-28")
            #expect(gaps.count == 7)
        }
        // The day of the first sync was read until nine o'clock.
        let text = try Self.history("--days", "30", "--file", path)
        #expect(text.lines.count { $0.contains(" until 09:00 ") } == 1)
        #expect(text.lines.contains { $0.hasPrefix("Thu 15 Jan ") && $0.contains(" until 09:00 ") })
        let page = folder.path("a.html")
        let report = try CommandLineProgram.run(["report", page, "--days", "30", "--file", path])
        #expect(report.status == 0, "\(report)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("<b>16–28 January 2026</b> \(sentence)"))
        #expect(html.contains("<i>until 09:00</i>"))
        #expect(html.contains("<li>This is a virtual ring, or a recorded one.</li>"))
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

    /// A file with rings that were read a minute apart, in November 2023.
    private static func twoRings(
        _ folder: TestFolder, _ names: [String] = ["R10_0001", "R02_0002"]
    ) throws -> String {
        let path = folder.path("rings.db")
        let store = try HealthStore(path: path)
        for (number, name) in names.enumerated() {
            let time = CivilDateTime(secondsSince1970: 1_700_000_000 + 60 * UInt32(number))
            var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: 0)
            history[.stress] = [TimedSample(time: time, minutes: 30, value: 10 + number)]
            var read = HealthRead(
                PeripheralIdentity("00:00:00:00:00:0\(number)"), name: name, history)
            read.battery = BatteryCharge(percent: 50)
            try store.add(read)
        }
        return path
    }

    /// Two rings in one file: without a choice it is said which one is shown; a name that fits both
    /// is an error that names them, and a list has them all.
    @Test func anAmbiguousNameIsRefused() throws {
        let path = try Self.twoRings(folder, ["R10_0001", "R10_0002", "R10_0002"])
        for name in ["R10", "r10_000", "R10_0002"] {
            let outcome = try Self.history("stress", "--file", path, "-d", name)
            #expect(outcome.status == 2 && outcome.output == "", "\(name): \(outcome)")
            let message = "halo: '\(name)' is the name of "
            #expect(outcome.errorOutput.hasPrefix(message), "\(outcome)")
            #expect(outcome.errorOutput.contains("R10_0002 (00:00:00:00:00:02)"))
        }
        let first = try Self.history("stress", "--file", path, "-d", "r10_0001", "--json")
        #expect(try first.objects.first?["score"] as? Int == 10 && first.errorOutput == "")
        for device in [[], ["-d", "ring"]] {
            let any = try CommandLineProgram.run(["history", "stress", "--file", path] + device)
            #expect(any.status == 0)
            let remark = "halo: the file has 3 rings; this is R10_0002 (00:00:00:00:00:02), which "
            #expect(any.errorOutput.hasPrefix(remark), "\(any)")
        }
    }

    /// A whole name is meant, though another one begins with it.
    @Test func aWholeNameIsNotAmbiguous() throws {
        let path = try Self.twoRings(folder, ["R10_0001", "R10_00012"])
        let outcome = try Self.history("stress", "--file", path, "-d", "R10_0001", "--json")
        #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
        #expect(try outcome.objects.first?["score"] as? Int == 10)
    }

    @Test func theRingsOfAFileAreListed() throws {
        let path = try Self.twoRings(folder)
        let list = try Self.history("--rings", "--file", path)
        #expect(
            list.output == """
                R10_0001  00:00:00:00:00:00  2023-11-14 to 2023-11-14  read at 2023-11-14 22:13:20
                R02_0002  00:00:00:00:00:01  2023-11-14 to 2023-11-14  read at 2023-11-14 22:14:20

                """, "\(list)")
        let rows = try Self.history("--rings", "--file", path, "--json").objects
        #expect(rows.map { $0["type"] as? String } == ["ring", "ring"])
        #expect(rows.map { $0["ring"] as? String } == ["R10_0001", "R02_0002"])
        #expect(rows.first?["through"] as? String == "2023-11-14")
        #expect(try Self.history("--rings", "--virtual").status == 2)
    }

    // MARK: Periods

    /// A folder with the file `a.db` of a ring that was worn for six days.
    private static let sixDays = Result {
        let folder = TestFolder()
        let outcome = try CommandLineProgram.run(
            ["sync", "--virtual=r10,days=6", "--file", folder.path("a.db")])
        #expect(outcome.status == 0, "\(outcome)")
        return folder
    }

    /// The days of the heart rates of a virtual ring that was worn for six days, and then read on
    /// 2026-01-11, from the ring and from a file.
    @Test(arguments: [
        (["--days", "2"], ["10", "11"]), (["--day", "yesterday"], ["10"]),
        (["--day", "2026-01-09"], ["09"]), (["--day", "today"], ["11"]),
        (["--since", "2026-01-09", "--until", "2026-01-10"], ["09", "10"]),
        (["--since", "yesterday"], ["10", "11"]),
        (["--until", "yesterday", "--days", "1"], ["10"]),
        (["--since", "2026-01-08", "--days", "2"], ["08", "09"]),
        (["--until", "2026-01-09"], ["08", "09"]), (["--since", "2026-01-10"], ["10", "11"]),
    ])
    func aPeriodHasItsDays(_ period: [String], _ days: [String]) throws {
        let file = try Self.sixDays.get().path("a.db")
        let ring = "--virtual=r10,days=6"
        for source in [[ring], ["--file", file]] {
            let outcome = try CommandLineProgram.run(["history", "hr", "--json"] + period + source)
            let times = try outcome.objects.compactMap { $0["time"] as? String }
            #expect(Set(times.map { String($0.dropFirst(8).prefix(2)) }) == Set(days), "\(source)")
        }
        let source = period.count > 2 ? [ring] : ["--file", file]
        let table = try CommandLineProgram.run(["history", "day", "--json"] + period + source)
        let rows = try table.objects.compactMap { $0["day"] as? String }
        #expect(rows.last?.hasSuffix(days[days.count - 1]) == true, "\(rows)")
        #expect(Set(days.map { "2026-01-\($0)" }).isSubset(of: rows), "\(rows)")
        // A page takes longer.
        guard period[0] == "--since" || Thoroughness.scaled(1) > 1 else { return }
        let page = try CommandLineProgram.run(
            ["report", folder.path("a.html"), "-f", "--json"] + period + source)
        let through = try page.object["through"] as? String
        #expect(through == "2026-01-\(days[days.count - 1])", "\(page)")
    }

    /// Rows of days are the same whether the file gives them at once or in parts, and in the
    /// figures of a ring.
    @Test func rowsOfDaysAreThoseOfTheRing() throws {
        let file = folder.path("a.db")
        _ = try CommandLineProgram.run(["sync", "--virtual=r10,days=6", "--file", file])
        let ring = try Self.history("day", "--virtual=r10,days=6", "--json").objects.dropLast()
        let stored = try Self.history("day", "--file", file, "--json").objects.dropLast()
        let night = try #require(ring.last)
        #expect(night["minutesAsleep"] is Int && night["restingBPM"] is Double)
        // A sync takes longer than a history.
        for rows in [ring, stored] {
            #expect((rows.last?["until"] as? String)?.hasPrefix("2026-01-11T09:00:0") == true)
        }
        func words(_ rows: some Collection<[String: Any]>) -> [String] {
            rows.filter { $0["steps"] is Int }.map { row in
                "\(row.filter { $0.key != "until" }.sorted { $0.key < $1.key })"
            }
        }
        #expect(words(ring) == words(stored))
        let last = try Self.history("day", "--file", file, "--day", "today", "--json").objects
        #expect(
            last.first?["nightVariabilityMilliseconds"] as? Double
                == night["nightVariabilityMilliseconds"] as? Double)
        let text = try Self.history("day", "--file", file)
        #expect(text.lines.last?.hasSuffix("  until 09:00") == true, "\(text)")
        let charges = try Self.history("battery", "--file", file)
        let charge = charges.lines.last?.wholeMatch(of: #/2026-01-11 09:00:0\d  83 %/#)
        #expect(charge != nil, "\(charges)")
        let object = try Self.history("battery", "--virtual=r10", "--json").objects.first
        #expect(object?["type"] as? String == "battery")
    }

    @Test func aRingIsChosenByName() throws {
        let path = try Self.twoRings(folder)
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
        #expect(unknown.errorOutput.contains("\nhalo: 1 value left out: "), "\(unknown)")
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
            for table in ('sleep_record', 'workout', 'total', 'charge', 'clock',
                    'sleep_stage'):
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
                #expect([0, 1, 3, 4].contains(outcome.status), "\(arguments) \(outcome)")
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
            #expect(page.contains("<li>This is a virtual ring"))
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

    /// A page of the past says when the ring was read, and does not call its kinds stalled.
    @Test func aPageOfThePastHasTheTimeOfTheRead() throws {
        let file = try Self.synced(folder)
        for source in [["--virtual=r10"], ["--file", file]] {
            let page = try CommandLineProgram.run(["report", "-", "--until", "yesterday"] + source)
            #expect(page.status == 0, "\(page)")
            #expect(page.output.contains("<dd>Wed 07 Jan 2026, 09:00</dd>"), "\(page.errorOutput)")
            #expect(!page.output.contains("no value since"))
            #expect(!page.output.contains("The ring has stored no temperature"))
        }
    }

    /// Days before the first one of a file were not read, each of them, and have no page.
    @Test func daysBeforeTheFileWereNotRead() throws {
        let period = ["--since", "2025-01-01", "--until", "2025-01-05"]
        let file = ["--file", try Self.synced(folder)]
        let text = try CommandLineProgram.run(["history"] + period + file)
        #expect(text.output.hasSuffix("\n5 earlier days without values\n"), "\(text)")
        let facts = try #require(
            try CommandLineProgram.run(["history", "--json"] + period + file).objects.last)
        let missing = try #require(facts["missing"] as? [[String: Any]])
        #expect(
            missing.allSatisfy {
                $0["since"] as? String == "2025-01-01" && $0["through"] as? String == "2025-01-05"
                    && $0["reason"] as? String == "notRead"
            }, "\(missing)")
        let freshness = try #require(facts["freshness"] as? [[String: Any]])
        #expect(Set(freshness.compactMap { $0["state"] as? String }) == ["notRead"])
        let path = folder.path("a.html")
        let report = try CommandLineProgram.run(["report", path] + period + file)
        #expect(report.status == 4 && !folder.hasFile("a.html"), "\(report)")
        #expect(report.errorOutput.contains("no values of 2025-01-01 to 2025-01-05"), "\(report)")
    }

    // MARK: Usage

    @Test(arguments: [
        ["--days", "0"], ["--since", "lately"], ["--until", "2026-13-01", "--virtual"],
        ["--since", "2026-01-05", "--until", "2026-01-04", "--virtual"],
        ["--since", "2026-01-01", "--until", "2026-01-04", "--days", "2", "--virtual"],
        ["--day", "today", "--days", "2", "--virtual"],
        ["foo"], ["--stored", "--virtual"], ["--file", "a", "--set-clock"], ["--csv", "-"],
        ["--csv", "a", "--influx"], ["--force"], ["hr", "sleep"],
    ])
    func wrongUsageIsRefused(_ arguments: [String]) async throws {
        let outcome = try await CommandLineProgram.call(["history"] + arguments)
        #expect(outcome.status == 2, "\(outcome)")
    }

    @Test(arguments: [["--day", "2030-01-01"], ["--json", "--influx"], ["--current"]])
    func wrongUsageOfARingIsRefused(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(["history", "--virtual"] + arguments)
        #expect(outcome.status == 2 && outcome.errorOutput.contains("--"), "\(outcome)")
    }
}
