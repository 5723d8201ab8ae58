import Foundation
import TestSupport
import Testing

@testable import halo

/// The options of a place with virtual devices: in the program, or behind a fake of BlueZ.
enum VirtualPlace: String, CaseIterable, Sendable {
    case air, bus

    static let all: [VirtualPlace] = {
        #if os(Linux)
        allCases
        #else
        [.air]
        #endif
    }()

    func options(_ choice: String) -> [String] {
        let virtual = choice == "" ? "--virtual" : "--virtual=\(choice)"
        return self == .air ? [virtual] : [virtual, "--fake-bluez"]
    }

    func address(_ index: Int) -> String {
        self == .air ? "virtual-\(index)" : "C0:DE:00:00:00:0\(index + 1)"
    }
}

/// The verbs that look at a device and use it, with virtual devices.
@Suite(.waitsForPrograms) struct DeviceVerbTests {
    private let folder = TestFolder()

    private static let rings = ["r02", "r03", "r10", "r12", "h59", "r08"]

    private static func run(
        _ arguments: [String], status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CommandLineProgram.Outcome {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    // MARK: scan

    @Test(arguments: VirtualPlace.all) func scansForDevices(at place: VirtualPlace) throws {
        let arguments = ["scan", "--for", "5s", "--quiet"] + place.options("")
        let outcome = try Self.run(arguments + ["--json"])
        let objects = try outcome.objects
        #expect(objects.allSatisfy { $0["type"] as? String == "device" })
        let ring = try #require(objects.first { $0["kind"] as? String == "ring" })
        #expect(ring["name"] as? String == "R02_2FCA")
        #expect(ring["model"] as? String == "R02" && ring["confidence"] as? String == "strong")
        #expect(ring["address"] as? String == place.address(0))
        #expect((ring["clues"] as? [String])?.contains("ringName") == true)
        #expect(-100 ... -30 ~= ring["rssi"] as? Int ?? 0)
        let strap = try #require(objects.first { $0["kind"] as? String == "strap" })
        #expect(strap["name"] as? String == "Virtual HR" && strap["model"] is NSNull)
        #expect(strap["address"] as? String == place.address(1))

        let text = try Self.run(arguments)
        #expect(text.lines.count == DeviceKind.all.count)
        let line = try #require(text.lines.first { $0.hasPrefix("R02_2FCA  ") })
        #expect(line.contains("  \(place.address(0))  ") && line.contains(" dBm "))
        #expect(line.hasSuffix("  R02, strong"))
        #expect(text.errorOutput == "")
        let strapAlone = try Self.run(arguments + ["--device", "strap"])
        #expect(strapAlone.lines.count == 1 && strapAlone.output.hasPrefix("Virtual HR  "))
    }

    @Test(arguments: rings) func scansForAModel(_ model: String) throws {
        let outcome = try Self.run(["scan", "--for", "2s", "--json", "--virtual=\(model)"])
        let object = try outcome.object
        #expect((object["model"] as? String)?.hasSuffix(model.uppercased()) == true)
        #expect((object["name"] as? String)?.contains("_") == true)
    }

    /// Devices of other kinds are shown with `--all` only, and a scan without a device has failed.
    @Test func scansForUnknownDevices() throws {
        let capture = try folder.write(
            Array(
                """
                halo-capture 2
                # name: Lamp
                * offers 180f 2a19 read
                * read 2a19
                < 2a19 read 50

                """.utf8), to: "lamp.halo")
        let arguments = ["scan", "--for", "3s", "--json", "--replay", capture]
        let outcome = try Self.run(arguments, status: 4)
        #expect(try outcome.object["type"] as? String == "error")
        let kinds = DeviceKind.words(DeviceKind.all)
        #expect(try outcome.object["message"] as? String == "no \(kinds) was found")
        let advice = try outcome.object["advice"] as? String
        #expect(advice?.hasPrefix("--all shows every device. ") == true)
        let named = try Self.run(arguments + ["--device", "zzz"], status: 4)
        #expect(
            try named.object["message"] as? String
                == "no \(kinds) with a name like 'zzz' was found")
        for option in ["--all", "-a"] {
            let all = try Self.run(arguments + [option])
            #expect(try all.object["name"] as? String == "Lamp")
            #expect(try all.object["kind"] as? String == "unknown")
        }
    }

    // MARK: info

    @Test(arguments: rings, VirtualPlace.all)
    func readsARing(model: String, place: VirtualPlace) throws {
        let arguments = ["info", "--quiet"] + place.options(model)
        let objects = try Self.run(arguments + ["--json"]).objects
        let device = try #require(objects.first)
        #expect(device["type"] as? String == "device" && device["kind"] as? String == "ring")
        #expect(device["battery"] as? Int == 83 && device["isCharging"] as? Bool == false)
        #expect(device["address"] as? String == place.address(0))
        let name = try #require(device["name"] as? String)
        #expect(name.hasSuffix("_2FCA"))
        let firmware = try #require(device["firmware"] as? String)
        let information = try #require(device["information"] as? [String: String])
        #expect(information["revision"] == firmware)
        #expect(information["board"] == device["hardware"] as? String)
        #expect((device["abilities"] as? [String: Any])?.count ?? 0 > 10)
        let settings = objects.dropFirst()
        #expect(settings.count > 10)
        #expect(settings.allSatisfy { $0["type"] as? String == "setting" })
        #expect(settings.first?["name"] as? String == "heart-rate-log")
        guard place == .air else { return }

        let lines = try Self.run(arguments).lines
        #expect(lines.first == name)
        #expect(lines.contains("  battery       83 %"))
        #expect(lines.contains("  firmware      \(firmware)"))
        #expect(lines.contains { $0.hasPrefix("heart-rate-log  ") })
        #expect(!lines.contains { $0.contains("does not have it") })
    }

    @Test(arguments: VirtualPlace.all) func readsAStrap(at place: VirtualPlace) throws {
        let arguments = ["info"] + place.options("strap")
        let object = try Self.run(arguments + ["--json"]).object
        #expect(object["kind"] as? String == "strap" && object["location"] as? String == "chest")
        #expect(object["battery"] as? Int == 100 && object["isCharging"] is NSNull)
        #expect((object["information"] as? [String: String])?["serial"] == "000001")
        let lines = try Self.run(arguments).lines
        #expect(lines.first == "Virtual HR")
        #expect(lines.contains("  worn          chest") && lines.contains("  serial        000001"))
    }

    /// The text says what the board suggests, and what only setting the clock can tell.
    @Test func saysWhatIsKnownWithoutSettingTheClock() throws {
        let unasked = try Self.run(["info", "--virtual=r02"])
        #expect(unasked.output.contains("  by its board  raw sensor values: yes (captured on "))
        #expect(
            unasked.lines.contains(
                "                heart-rate variability: no (an R02 said that it does not)"))
        #expect(unasked.lines.contains { $0.hasPrefix("  --set-clock   requests the rest: ") })
        let asked = try Self.run(["info", "--virtual=r02", "--set-clock"])
        #expect(!asked.output.contains("--set-clock"))
        #expect(
            asked.lines.contains(
                "heart-rate-variability-log  on (the ring reports that it cannot measure this)"))
        #expect(asked.lines.contains("stress-log                  on"))
        let device = try #require(
            try Self.run(["info", "--virtual=r02", "--json"]).objects.first)
        let board = try #require(device["abilitiesByBoard"] as? [String: [String: Any]])
        #expect(board["raw sensor values"]?["value"] as? Bool == true)
        #expect(board["temperature"]?["evidence"] as? String == "an R02 said that it does not")
        let objects = try Self.run(["info", "--virtual=r02", "--set-clock", "--json"]).objects
        let log = objects.first { $0["name"] as? String == "heart-rate-variability-log" }
        #expect(log?["ability"] as? Bool == false)
    }

    /// What is not known is not shown as if it were: a new profile, an uncertain unit, a structure.
    @Test func showsNoUnsetOrUncertainValues() throws {
        let info = try Self.run(["info", "--virtual=r12"]).output
        #expect(info.contains("age not set, height not set, weight not set"))
        #expect(!info.contains("fahrenheit"))
        let settings = try Self.run(["settings", "--virtual=r12"])
        #expect(settings.lines.contains("temperature-unit            fahrenheit (uncertain)"))
        let strap = try Self.run(["info", "--virtual=strap"])
        #expect(
            strap.lines.contains(
                "  pnp           vendor FFFF (Bluetooth SIG), product 1, version 1.0.0"))
    }

    /// A word that is looked for as a verb: the error names what has it.
    @Test(arguments: [
        ("battery", "'halo info' shows the battery"), ("Clock", "'halo info --set-clock' sets it"),
        ("sleep", "'halo history sleep' shows"), ("hr", "'halo live hr' measures"),
    ])
    func namesTheVerbThatHasIt(_ word: String, _ advice: String) async throws {
        let outcome = try await CommandLineProgram.call([word])
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.hasPrefix("halo: unknown verb '\(word)'\n"))
        #expect(outcome.errorOutput.contains(advice))
    }

    /// Most rings report their abilities only when their clock is set.
    @Test func setsTheClockOnlyWhenItIsAsked() throws {
        for (option, isTold) in [([], false), (["--set-clock"], true)] {
            let outcome = try Self.run(["info", "--virtual=r10", "--json"] + option)
            let abilities = try #require(
                try outcome.objects.first?["abilities"] as? [String: Any])
            #expect((abilities["blood oxygen"] is NSNull) == !isTold)
            #expect((abilities["sleep as big data"] is NSNull) == !isTold)
        }
    }

    // MARK: live

    /// A kind of measurement, a ring that has it, and the values that a person has.
    struct Kind: Sendable {
        let name: String
        let model: String
        let unit: String?
        let values: ClosedRange<Double>
    }

    private static let kinds = [
        Kind(name: "hr", model: "r02", unit: "bpm", values: 40...180),
        Kind(name: "hr", model: "strap", unit: "bpm", values: 40...180),
        Kind(name: "hr", model: "r12", unit: "bpm", values: 40...180),
        Kind(name: "spo2", model: "r12", unit: "%", values: 88...100),
        Kind(name: "stress", model: "r10", unit: nil, values: 1...99),
        Kind(name: "hrv", model: "r10", unit: "ms", values: 5...200),
        Kind(name: "temperature", model: "r03", unit: "°C", values: 30...40),
        Kind(name: "motion", model: "r02", unit: "g", values: 0.2...4),
        Kind(name: "raw", model: "r02", unit: nil, values: 1...100_000),
    ]

    @Test(arguments: kinds) func measures(_ kind: Kind) throws {
        let arguments = [
            "live", kind.name, "--virtual=\(kind.model)", "--count", "2", "--quiet",
        ]
        let outcome = try Self.run(arguments + ["--json"])
        let objects = try outcome.objects
        let values = objects.filter { $0["type"] as? String == "value" }
        #expect(values.count == 2)
        for value in values {
            #expect(value["kind"] as? String == LiveKind(named: kind.name)?.rawValue)
            #expect(value["unit"] as? String == kind.unit)
            #expect(value.keys.contains("unit") == (kind.unit != nil))
            #expect(kind.values ~= value["value"] as? Double ?? -1, "\(value)")
        }
        let seconds = objects.compactMap { $0["seconds"] as? Double }
        #expect(seconds.count == objects.count && seconds == seconds.sorted())
        #expect(Set(objects.compactMap { $0["type"] as? String }).isSubset(of: ["value", "state"]))
        #expect(outcome.errorOutput == "")
    }

    @Test(arguments: [kinds[0], kinds[1], kinds[6], kinds[7]])
    func printsLines(_ kind: Kind) throws {
        let outcome = try Self.run([
            "live", kind.name, "--virtual=\(kind.model)", "--count", "3", "-q",
        ])
        let form = #/ *\d+\.\d  (\d+(\.\d+)?) (bpm|°C|g)(  .+)?/#
        let values = outcome.lines.compactMap { $0.wholeMatch(of: form) }
        #expect(values.count == 3, "\(outcome)")
        for value in values {
            #expect(kind.values ~= Double(value.1) ?? -1)
            #expect(value.3 == kind.unit?[...])
        }
        #expect(outcome.lines.last?.wholeMatch(of: form) != nil)
        #expect(outcome.errorOutput == "")
    }

    #if os(Linux)
    @Test(arguments: [kinds[1], kinds[7], kinds[8]]) func measuresOverABus(_ kind: Kind) throws {
        let outcome = try Self.run([
            "live", kind.name, "--virtual=\(kind.model)", "--fake-bluez", "--count", "2", "--json",
        ])
        let values = try outcome.objects.filter { $0["type"] as? String == "value" }
        #expect(values.count == 2)
        #expect(values.allSatisfy { kind.values ~= $0["value"] as? Double ?? -1 })
    }

    /// The time of day has the offset of the computer's zone.
    @Test func printsTheOffsetOfTheZone() throws {
        let outcome = try CommandLineProgram.run(
            ["live", "hr", "--virtual=strap", "--fake-bluez", "--count", "1", "--json"],
            environment: ["TZ": "XXX+3:30"])
        let times = try outcome.objects.compactMap { $0["time"] as? String }
        #expect(times.last?.hasSuffix("-03:30") == true, "\(outcome)")
    }
    #endif

    /// A person who watches decides when to give up.
    @Test func waitsForAValueAsLongAsNobodyWatches() {
        #expect(LiveVerb.longestWarmUp(Console(), isDrawn: false) == .seconds(300))
        #expect(LiveVerb.longestWarmUp(Console(), isDrawn: true) == nil)
    }

    @Test func endsAfterATime() throws {
        let outcome = try Self.run(["live", "hr", "--virtual=r02", "--for", "2s", "--json"])
        let objects = try outcome.objects
        #expect(objects.allSatisfy { $0["state"] as? String == "warming-up" })
        #expect(!objects.isEmpty)
    }

    /// The limit of the time to the first value is five minutes, and ends with that value.
    @Test func measuresAsLongAsItIsAsked() throws {
        let outcome = try Self.run(["live", "hr", "--virtual=strap", "--for", "10m", "--json"])
        let seconds = try outcome.objects.compactMap { $0["seconds"] as? Double }
        #expect((590...600).contains(seconds.last ?? 0))
        #expect(outcome.errorOutput == "")
    }

    /// A cold finger: a capture without its values plays a ring that reports none.
    @Test(arguments: [["--for", "1h"], ["--count", "1"]])
    func givesUpWithoutAValue(_ end: [String]) throws {
        let path = folder.path("ring.halo")
        _ = try Self.run(["record", "--virtual=r02", "--for", "40s", "--out", path])
        let lines = String(decoding: try folder.bytes("ring.halo"), as: UTF8.self)
            .split(separator: "\n")
        let isValue = #/< uart notified 69 01 00 (?!00).*/#
        let values = lines.indices.filter { lines[$0].wholeMatch(of: isValue) != nil }
        #expect(!values.isEmpty)
        // A value, and its reading on the next line.
        let cold = lines.indices.filter { !values.contains($0) && !values.contains($0 - 1) }
        let other = try folder.write(
            cold.map { lines[$0] + "\n" }.joined().utf8, to: "cold.halo")
        let outcome = try Self.run(["live", "hr", "--replay", other, "-q"] + end, status: 3)
        #expect(outcome.lines == ["     0.1  warming up"])
        #expect(
            outcome.errorOutput.hasPrefix(
                "halo: no value came in 1 min\n"
                    + "A capture answers only the requests that were recorded"),
            "\(outcome)")
    }

    @Test func refusesAKindThatADeviceDoesNotMeasure() throws {
        let strap = try Self.run(
            ["live", "spo2", "--virtual", "--device", "strap", "--json"], status: 3)
        let message = try strap.object["message"] as? String
        #expect(message == "Virtual HR is a strap; blood oxygen needs a ring")
        let alone = try Self.run(["live", "spo2", "--virtual=strap"], status: 3)
        #expect(
            alone.errorOutput.hasPrefix(
                "halo: blood oxygen needs a ring, which the virtual devices are not\n"), "\(alone)")
        let silent = try Self.run(["live", "raw", "--virtual=r12", "--count", "1"], status: 3)
        #expect(
            silent.errorOutput.hasPrefix(
                "halo: COLMI R12_2FCA might not measure this: "
                    + "no capture of a Realtek ring has raw values\n"
                    + "halo: the device "))
        #expect(silent.output == "")
    }

    /// A ring that has reported its abilities is believed; otherwise its board makes a remark.
    @Test func refusesWhatARingHasReportedToLack() throws {
        let arguments = ["live", "hrv", "--virtual=r02", "--for", "2s"]
        let refused = try Self.run(arguments + ["--set-clock"], status: 3)
        #expect(refused.output == "")
        #expect(
            refused.errorOutput.hasPrefix(
                "halo: R02_2FCA reports that it cannot measure heart-rate variability\n"))
        let doubted = try Self.run(arguments)
        #expect(
            doubted.errorOutput
                == "halo: R02_2FCA might not measure this: an R02 said that it does not\n"
                + "halo: time ran out before a value came; try a longer --for\n")
        for kind in ["hr", "spo2", "stress"] {
            let outcome = try Self.run(
                ["live", kind, "--virtual=r02", "--for", "2s", "--set-clock", "-q"])
            #expect(outcome.errorOutput == "" && !outcome.lines.isEmpty)
        }
    }

    /// A strap has no variability of its own: it is computed from its beats over a minute.
    @Test func computesTheVariabilityOfAStrap() throws {
        let outcome = try Self.run(["live", "hrv", "--virtual=strap", "--count", "20", "--json"])
        let objects = try outcome.objects
        let values = objects.filter { $0["type"] as? String == "value" }
        #expect(values.count == 20)
        let first = try #require(values.first?["seconds"] as? Double)
        #expect((58...63).contains(first), "\(first)")
        #expect(values.allSatisfy { 5...200 ~= $0["value"] as? Double ?? -1 })
        // The same from the intervals that were printed.
        let end = try #require(objects.firstIndex { $0["type"] as? String == "value" })
        let beats = objects[...end].flatMap { $0["beatMilliseconds"] as? [Double] ?? [] }
        let squares = zip(beats, beats.dropFirst()).map { ($1 - $0) * ($1 - $0) }
        let rmssd = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        #expect(abs(rmssd - (values.first?["value"] as? Double ?? 0)) < 2, "\(rmssd)")
    }

    /// Runs `live` with the recording of a strap, whose measurements are replaced by these in turn.
    private static func live(
        _ kind: String, _ more: [String], measurements: [String], status: Int32
    ) throws -> CommandLineProgram.Outcome {
        let folder = TestFolder()
        _ = try run(
            ["record", "--virtual=strap", "--for", "40s", "--out", folder.path("strap.halo")])
        let beginning = "< 2a37 notified "
        let capture = String(decoding: try folder.bytes("strap.halo"), as: UTF8.self)
        var (text, count) = ("", 0)
        for line in capture.split(separator: "\n") {
            if line.hasPrefix(beginning) {
                text += beginning + measurements[count % measurements.count] + "\n"
                count += 1
            } else {
                text += line + "\n"
            }
        }
        let path = try folder.write(text.utf8, to: "other.halo")
        return try run(["live", kind, "--replay", path] + more, status: status)
    }

    /// Intervals are optional, and no variability comes without them.
    @Test func aStrapWithoutIntervalsHasNoVariability() throws {
        let outcome = try Self.live("hrv", [], measurements: ["06 42"], status: 3)
        #expect(outcome.lines.last?.hasSuffix("reports no intervals between beats") == true)
        #expect(
            outcome.errorOutput
                == "halo: intervals between beats: the device does not support this.\n")
    }

    /// One object a measurement, in the order of time.
    @Test func aStrapThatLosesTheSkin() throws {
        let outcome = try Self.live(
            "hr", ["--json", "--count", "4"], measurements: ["06 42", "04 00"], status: 0)
        let objects = try outcome.objects
        #expect(objects.compactMap { $0["value"] as? Int } == [66, 66, 66, 66])
        let states = objects.compactMap { $0["state"] as? String }
        #expect(states == ["not-worn", "not-worn", "not-worn"], "\(outcome)")
        let seconds = objects.compactMap { $0["seconds"] as? Double }
        #expect(seconds == seconds.sorted() && Set(seconds).count == objects.count)
    }

    /// Each JSON object has the time of day, and tells repeats of a beat interval from new ones.
    @Test func tellsNewBeatsFromRepeats() throws {
        let outcome = try Self.run(["live", "hr", "--virtual=r12", "--count", "60", "--json"])
        let objects = try outcome.objects
        let time = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d/#
        let times = objects.compactMap { $0["time"] as? String }
        #expect(times.count == objects.count && times == times.sorted())
        #expect(times.allSatisfy { $0.wholeMatch(of: time) != nil })
        let isNew = objects.compactMap { $0["isBeatNew"] as? Bool }
        let seconds = objects.compactMap {
            $0["isBeatNew"] is Bool ? $0["seconds"] as? Double : nil
        }
        let span = (seconds.last ?? 0) - (seconds.first ?? 0)
        // Two reports a second, and about one beat: the wearer rests, with some 65 bpm.
        let news = Double(isNew.count { $0 })
        #expect(isNew.contains(false) && (0.8...1.3).contains(news / span), "\(news) in \(span) s")
        for object in objects where object["beatMilliseconds"] as? [Double] == [] {
            #expect(object["isBeatNew"] is NSNull)
        }
        let strap = try Self.run(["live", "hr", "--virtual=strap", "--count", "5", "--json"])
        let known = try strap.objects.compactMap { $0["isBeatNew"] as? Bool }
        #expect(!known.isEmpty && known.allSatisfy { $0 })
    }

    // MARK: find

    @Test(arguments: ["r02", "r12", "h59"], VirtualPlace.all)
    func finds(model: String, place: VirtualPlace) throws {
        let object = try Self.run(["find", "--json"] + place.options(model)).object
        #expect(object["type"] as? String == "find")
        #expect(object["address"] as? String == place.address(0))
        let name = try #require(object["name"] as? String)
        guard place == .air else { return }
        #expect(
            try Self.run(["find"] + place.options(model)).output
                == "\(name) was asked to light up\n")
        let blinks = try Self.run(["find", "--blink"] + place.options(model))
        #expect(blinks.output == "\(name) was asked to blink\n")
    }

    // MARK: workout

    @Test(arguments: ["r10", "r12"], VirtualPlace.all)
    func controlsAWorkout(model: String, place: VirtualPlace) throws {
        for step in ["start", "pause", "resume", "stop"] where place == .air || step == "start" {
            let arguments = ["workout", step] + place.options(model)
            let object = try Self.run(arguments + ["--json", "--sport", "run"]).object
            #expect(object["type"] as? String == "workout")
            #expect(object["step"] as? String == step && object["sport"] as? String == "run")
            // The key of the record: two days after the virtual clock's start.
            let start = (object["start"] as? String)?.prefix(10)
            #expect(start == (step == "start" && place == .air ? "2026-01-07" : start))
            #expect((start == nil) == (step != "start"))
            let text = try Self.run(arguments).output
            #expect(text.hasSuffix("_2FCA has confirmed: \(step)\n"), "\(text)")
        }
    }

    /// The stored workouts of a recorded ring.
    @Test func listsStoredWorkouts() throws {
        let path = FixtureFolder.url("Sessions/R10Workout.halo").path
        let text = try Self.run(["workout", "list", "--replay", path])
        #expect(text.lines == ["2026-09-05 18:16:06  run  1 min  0 steps  0 m  0 kcal  56–60 bpm"])
        let object = try Self.run(["workout", "list", "--replay", path, "--json"]).object
        #expect(object["type"] as? String == "workouts" && object["ring"] as? String == "Replay")
        #expect(object["sport"] as? String == "run")
        #expect(object["time"] as? String == "2026-09-05T18:16:06")
        #expect(object["lowestBPM"] as? Int == 56 && object["highestBPM"] as? Int == 60)
        #expect(object["seconds"] as? Int == 75)
        let none = try Self.run(["workout", "list", "--virtual=r10"])
        #expect(none.output == "")
        #expect(none.errorOutput == "halo: COLMI R10_2FCA has no stored workouts\n")
    }

    @Test func reportsARingWithoutWorkouts() throws {
        let outcome = try Self.run(["workout", "start", "--virtual=r02", "--json"], status: 3)
        let error = try outcome.object
        #expect(error["message"] as? String == "R02_2FCA refused the request")
        #expect(error["advice"] as? String == "Workouts have been seen on an R10 only.")
        let none = try Self.run(["workout"], status: 2)
        #expect(
            none.errorOutput.hasPrefix("halo: say what to do: start, pause, resume, stop, list\n"))
        let wrong = try Self.run(["workout", "puase", "--virtual=r10"], status: 2)
        #expect(wrong.errorOutput.contains("did you mean 'pause'?"))
        let end = try Self.run(["workout", "end", "--virtual=r10"])
        #expect(end.output == "COLMI R10_2FCA has confirmed: stop\n")
        let sport = try Self.run(["workout", "start", "--sport", "rum"], status: 2)
        #expect(sport.errorOutput.contains("did you mean 'run'?"))
    }

    // MARK: record

    @Test(arguments: ["r12", "strap"], VirtualPlace.all)
    func recordsACaptureThatPlaysTheDevice(model: String, place: VirtualPlace) throws {
        let path = folder.path("a.halo")
        let record = try Self.run(
            ["record", "--for", "2s", "--out", path, "--json"] + place.options(model))
        let object = try record.object
        #expect(object["type"] as? String == "record" && object["file"] as? String == path)
        let packets = try #require(object["packets"] as? Int)
        #expect(packets > 5)
        let written = object["written"] as? [String: Any]
        #expect(try written?["bytes"] as? Int == folder.bytes("a.halo").count)
        let text = String(decoding: try folder.bytes("a.halo"), as: UTF8.self)
        #expect(text.matches(of: #/(?m)^[<>] /#).count >= packets)
        guard place == .air else { return }
        // The settings were not read while the ring was recorded.
        let status: Int32 = model == "strap" ? 0 : 1
        let info = try Self.run(["info", "--replay", path, "--json"], status: status)
        let device = try #require(try info.objects.first)
        #expect(device["battery"] as? Int == (model == "strap" ? 100 : 83))
        #expect(device["kind"] as? String == (model == "strap" ? "strap" : "ring"))
        #expect(device["location"] as? String == (model == "strap" ? "chest" : nil))
        #expect((device["information"] as? [String: String])?["system"] != nil)
    }
}
