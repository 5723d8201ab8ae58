import Foundation
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import HaloDevices

extension NamedRingSetting {
    /// Returns a setting that a test names.
    static func named(_ name: String) throws -> NamedRingSetting {
        try #require(NamedRingSetting(named: name))
    }
}

/// Settings by name on virtual rings: a change is written, read back, and leaves other fields.
@Suite(.timeLimit(.minutes(20))) struct SettingsByNameTests {
    /// A ring that has every setting.
    private static var completeRing: RingProfile {
        var profile = RingProfile.r12
        profile.commands = profile.commands.with(
            .answers, "made by hand", for: DoNotDisturb.opcode)
        profile.quirks.remove(.oddBloodPressureSetting)
        return profile
    }

    /// Each field that can be changed, with its values and their texts as the ring has them.
    static let changes:
        [(setting: String, field: String, values: [(given: String, read: String)])] = [
            ("heart-rate-log", "state", [("off", "off"), ("on", "on")]),
            ("heart-rate-log", "interval", [("255", "255 min"), ("1 min", "1 min")]),
            ("heart-rate-variability-log", "state", [("off", "off"), ("ON", "on")]),
            ("stress-log", "state", [("off", "off"), ("on", "on")]),
            ("blood-oxygen-log", "state", [("off", "off"), ("on", "on")]),
            ("temperature-log", "state", [("on", "on"), ("off", "off")]),
            ("blood-pressure-log", "state", [("off", "off"), ("on", "on")]),
            ("blood-pressure-log", "interval", [("0", "0 min"), ("4h", "240 min")]),
            ("blood-pressure-log", "hours", [("7:30-22", "07:30-22:00")]),
            ("blood-sugar-log", "state", [("on", "on"), ("off", "off")]),
            ("blood-lipids-log", "state", [("on", "on"), ("off", "off")]),
            ("display", "state", [("off", "off"), ("on", "on")]),
            ("display", "hand", [("right", "right"), ("left", "left")]),
            ("display", "brightness", [("1", "1"), ("5", "5")]),
            ("display", "all-day", [("yes", "yes"), ("no", "no")]),
            ("display", "hours", [("0:00-23:59", "00:00-23:59"), ("9 – 8", "09:00-08:00")]),
            ("touch", "app", [("music", "music"), ("electronic book", "electronic-book")]),
            ("touch", "sleeps-after", [("0", "0 min"), ("255m", "255 min")]),
            ("gesture", "app", [("camera", "camera"), ("off", "off")]),
            ("gesture", "strength", [("10", "10"), ("1", "1")]),
            ("goals", "steps", [("16777215", "16777215"), ("8000 steps", "8000")]),
            ("goals", "energy", [("16777.215", "16777.215 kcal"), ("412.5kcal", "412.5 kcal")]),
            ("goals", "distance", [("16777215", "16777215 m"), ("5.5 km", "5500 m")]),
            ("goals", "sport", [("65535", "65535 min"), ("none", "none"), ("1", "1 min")]),
            ("goals", "sleep", [("7.5 h", "450 min"), ("none", "none")]),
            ("wearer", "sex", [("female", "female"), ("other", "other"), ("male", "male")]),
            ("wearer", "age", [("255", "255 years"), ("1 year", "1 year"), ("0", "0 years")]),
            ("wearer", "height", [("1.8m", "180 cm"), ("255cm", "255 cm")]),
            ("wearer", "weight", [("70kg", "70 kg"), ("0", "0 kg")]),
            (
                "wearer", "blood-pressure",
                [("120 / 80 mmHg", "120/80 mmHg"), ("none", "none"), ("255/0", "255/0 mmHg")]
            ),
            (
                "wearer", "heart-rate-warning",
                [("170 bpm", "170 bpm"), ("none", "none"), ("255", "255 bpm")]
            ),
            ("wearer", "clock", [("12 hour", "12-hour"), ("24h", "24-hour")]),
            ("wearer", "units", [("imperial", "imperial"), ("metric", "metric")]),
            ("do-not-disturb", "state", [("on", "on"), ("off", "off")]),
            ("do-not-disturb", "hours", [("22:00-07:00", "22:00-07:00")]),
            ("temperature-unit", "unit", [("celsius", "celsius"), ("°F", "fahrenheit")]),
        ]

    @Test(arguments: changes.indices) func aFieldChangesAlone(_ index: Int) async throws {
        let (name, field, values) = Self.changes[index]
        let setting = try NamedRingSetting.named(name)
        let bench = try await RingBench.connected(Self.completeRing)
        var before = try await bench.ring.value(of: setting)
        #expect(before.setting == name && before.fields.map(\.name) == setting.fields.map(\.name))
        for (given, read) in values {
            let change = try setting.change(to: "\(field) = \(given)")
            #expect(change.fields.map(\.name) == [field])
            let after = try await bench.ring.set(change)
            #expect(after[field]?.text == read)
            #expect(change.ignoredFields(in: after) == [])
            #expect(try await bench.ring.value(of: setting) == after, "it returns what is read")
            for other in setting.fields.map(\.name) where other != field {
                #expect(after[other] == before[other], "\(name): \(other) after \(field)")
            }
            before = after
        }
    }

    @Test func everyFieldIsChanged() {
        let changed = Self.changes.map { "\($0.setting) \($0.field)" }
        let fields = NamedRingSetting.all.flatMap { setting in
            setting.fields.filter { !$0.isReadOnly }.map { "\(setting.name) \($0.name)" }
        }
        // The virtual ring ignores the interval of blood oxygen: see below.
        #expect(Set(fields).subtracting(changed) == ["blood-oxygen-log interval"])
        #expect(Set(changed).subtracting(fields) == [])
    }

    /// All fields at once, in the order of the table and in the other one.
    @Test(arguments: NamedRingSetting.all.map(\.name), [false, true])
    func allFieldsChangeTogether(_ name: String, isReversed: Bool) async throws {
        let setting = try NamedRingSetting.named(name)
        let changes = Self.changes.filter { $0.setting == name }
        let bench = try await RingBench.connected(Self.completeRing)
        let texts = changes.map { "\($0.field)=\($0.values[0].given)" }
        let text = (isReversed ? texts.reversed() : texts).joined(separator: ", ")
        let value = try await bench.ring.set(try setting.change(to: text))
        for change in changes { #expect(value[change.field]?.text == change.values[0].read) }
    }

    @Test(arguments: NamedRingSetting.all.map(\.name))
    func aDescriptionChangesNothing(_ name: String) async throws {
        let setting = try NamedRingSetting.named(name)
        let bench = try await RingBench.connected(Self.completeRing)
        for changed in [false, true] {
            if changed {
                for change in Self.changes where change.setting == name {
                    let text = "\(change.field)=\(change.values[0].given)"
                    try await bench.ring.set(try setting.change(to: text))
                }
            }
            let value = try await bench.ring.value(of: setting)
            let change = try setting.change(to: value.description)
            #expect(change.description == value.description)
            let fields = setting.fields.filter { !$0.isReadOnly && value[$0.name]?.text != nil }
            #expect(change.fields.map(\.name) == fields.map(\.name))
            #expect(try await bench.ring.set(change) == value)
        }
    }

    private static let goals =
        "goals: steps 5000, energy 300 kcal, distance 3000 m, sport none, sleep none"
    private static let wearer =
        "wearer: sex male, age 0 years, height 0 cm, weight 0 kg, blood-pressure none, "
        + "heart-rate-warning none, clock 24-hour, units metric"
    private static let touch = "touch: app off, sleeps-after 1 min"
    private static let gesture = "gesture: app off, strength 1"
    private static let unit = "temperature-unit: fahrenheit"

    /// The settings of new rings, without those that they lack.
    private static let settings: [(profile: RingProfile, lines: [String])] = [
        (
            .r02,
            [
                "heart-rate-log: on, every 60 min", "heart-rate-variability-log: on",
                "stress-log: on", "blood-oxygen-log: on", goals, wearer, unit,
            ]
        ),
        (
            .r10,
            [
                "heart-rate-log: on, every 5 min", "heart-rate-variability-log: on",
                "stress-log: on", "blood-oxygen-log: on, every 30 min", "temperature-log: on",
                "blood-sugar-log: off", "blood-lipids-log: off", touch, gesture, goals, wearer,
                unit,
            ]
        ),
        (
            .r12,
            [
                "heart-rate-log: on, every 5 min", "heart-rate-variability-log: on",
                "stress-log: on", "blood-oxygen-log: on", "temperature-log: off",
                "blood-sugar-log: off", "blood-lipids-log: off",
                "display: on, hand left, brightness 2, all-day no, hours 22:00-23:00",
                touch, gesture, goals, wearer, unit,
            ]
        ),
        (
            .h59,
            [
                "heart-rate-log: on, every 5 min", "heart-rate-variability-log: on",
                "stress-log: on", "blood-oxygen-log: on",
                "blood-pressure-log: on, every 60 min, hours 00:00-23:00", goals, wearer, unit,
            ]
        ),
    ]

    @Test(arguments: settings)
    func newRingsHaveTheseSettings(_ profile: RingProfile, _ lines: [String]) async throws {
        let bench = try await RingBench.connected(profile)
        var found: [String] = []
        for setting in NamedRingSetting.all {
            do throws(DeviceError) {
                found.append("\(setting.name): \(try await bench.ring.value(of: setting))")
            } catch  where error.kind == .notSupported {
                continue
            } catch {
                found.append("\(setting.name): \(error.kind)")
            }
        }
        #expect(found == lines)
    }

    @Test func valuesHaveNumbersAndUnits() async throws {
        let ring = try await RingBench.connected(.r12).ring
        let logging = try await ring.value(of: .named("heart-rate-log"))
        #expect(logging["interval"]?.number == 5)
        #expect(logging["interval"]?.unit == "min")
        #expect(logging["shortest-interval"]?.text == "5 min")
        #expect(logging["state"]?.number == nil && logging["state"]?.text == "on")
        #expect(logging["nothing"] == nil)
        let goals = try await ring.value(of: .named("goals"))
        #expect(goals.fields.map(\.number) == [5000, 300, 3000, nil, nil])
        #expect(goals.fields.map(\.unit) == [nil, "kcal", "m", nil, nil])
        let wearer = try await ring.set(
            try NamedRingSetting.named("wearer").change(to: "age 1, 120/80, 170 bpm, 1.8 m, 70kg"))
        #expect(wearer.fields.map(\.number) == [nil, 1, 180, 70, nil, 170, nil, nil])
        #expect(wearer.fields.map(\.unit) == [nil, "years", "cm", "kg", nil, "bpm", nil, nil])
    }

    // MARK: Rings that do not do as told

    /// The interval that an R10 reports is confirmed, and stays as it was.
    @Test func anIgnoredFieldIsReported() async throws {
        let ring = try await RingBench.connected(.r10).ring
        let setting = try NamedRingSetting.named("blood-oxygen-log")
        let change = try setting.change(to: "off every 20 min")
        let value = try await ring.set(change)
        #expect(value.description == "off, every 30 min")
        #expect(change.ignoredFields(in: value).map(\.name) == ["interval"])
        #expect(change.ignoredFields(in: value).map(\.text) == ["30 min"])
    }

    /// Runs a test with a ring that answers a request with bytes of the test's choice. Returns the
    /// written packets that begin with an opcode.
    private static func written(
        _ opcode: UInt8, _ profile: RingProfile = .r12, reading: [UInt8]? = nil,
        _ body: @escaping @Sendable (Ring) async throws -> Void
    ) throws -> [[UInt8]] {
        try virtually { air in
            let written = Box<[[UInt8]]>([])
            let worn = air.add(
                ScriptedRing(VirtualRing(profile, days: 0)) { bytes, _ in
                    guard bytes.first == opcode else { return nil }
                    written.change { $0.append(Array(bytes.prefix(15))) }
                    guard let reading, reading.prefix(2) == bytes.prefix(2) else { return nil }
                    let bytes = reading + Array(repeating: 0, count: 15 - reading.count)
                    return [bytes + [bytes.reduce(0, &+)]]
                })
            let ring = try await Ring.connect(to: worn.identity, over: air)
            try await body(ring)
            await ring.disconnect()
            return written.value
        }
    }

    /// An R10 reports an interval of blood oxygen.
    @Test func anIntervalIsWrittenAsItWasReadUnlessItChanges() throws {
        let setting = try NamedRingSetting.named("blood-oxygen-log")
        let written = try Self.written(AutoBloodOxygen.opcode, .r10) { ring in
            try await ring.set(try setting.change(to: "off"))
            try await ring.set(try setting.change(to: "every 20 min"))
            try await ring.set(try setting.change(to: "on"))
        }
        #expect(
            written.filter { $0[1] == 2 }.map { Array($0[2...3]) } == [
                [0, 30], [0, 20], [1, 30],
            ])
    }

    @Test func aChangeIsOneWriteBetweenTwoReads() throws {
        let setting = try NamedRingSetting.named("heart-rate-log")
        let written = try Self.written(AutoHeartRate.opcode) { ring in
            try await ring.set(try setting.change(to: "off"))
        }
        #expect(written.map { Array($0[1...3]) } == [[1, 0, 0], [2, 2, 5], [1, 0, 0]])
    }

    /// A reading, a change, and the bytes that are written: in the reading, other fields have codes
    /// without a description, and numbers beyond the limits.
    private struct Edit: Sendable {
        let setting: String
        let reading: [UInt8]
        let text: String
        let written: [UInt8]

        init(_ setting: String, _ reading: [UInt8], _ text: String, _ written: [UInt8]) {
            self.setting = setting
            self.reading = reading
            self.text = text
            self.written = written
        }
    }

    private static let wearerRead: [UInt8] = [10, 1, 7, 8, 9, 20, 175, 70, 0, 80, 160, 0]
    private static let displayRead: [UInt8] = [5, 3, 7, 9, 7, 9, 7, 99, 98, 97, 96]

    private static let edits = [
        Edit("heart-rate-log", [0x16, 1, 1, 0, 0], "off", [0x16, 2, 2, 0]),
        Edit("heart-rate-log", [0x16, 1, 9, 0, 5], "10 min", [0x16, 2, 9, 10]),
        Edit("blood-oxygen-log", [0x2C, 1, 0, 30], "on", [0x2C, 2, 1, 30]),
        Edit("blood-oxygen-log", [0x2C, 1, 9, 30], "20 min", [0x2C, 2, 9, 20]),
        Edit(
            "blood-pressure-log", [12, 1, 9, 0, 0, 23, 0, 5], "60 min",
            [12, 2, 9, 0, 0, 23, 0, 60]),
        Edit("display", displayRead, "brightness=3", [5, 4, 7, 9, 3, 9, 7, 99, 98, 97, 96]),
        Edit("display", displayRead, "off", [5, 4, 2, 9, 7, 9, 7, 99, 98, 97, 96]),
        Edit("display", displayRead, "left no", [5, 4, 7, 1, 7, 9, 1, 99, 98, 97, 96]),
        Edit("display", displayRead, "1:02-3:04", [5, 4, 7, 9, 7, 9, 7, 1, 2, 3, 4]),
        Edit("gesture", [0x3B, 1, 1, 0, 0], "app=music", [0x3B, 2, 1, 1, 0]),
        Edit("gesture", [0x3B, 1, 1, 0, 77], "app=off", [0x3B, 2, 1, 0, 77]),
        Edit("touch", [0x3B, 1, 0, 3, 9], "5 min", [0x3B, 2, 0, 3, 5]),
        Edit("wearer", wearerRead, "age=30", [10, 2, 7, 8, 9, 30, 175, 70, 0, 80, 160, 0]),
        Edit("wearer", wearerRead, "male 24h", [10, 2, 0, 8, 0, 20, 175, 70, 0, 80, 160, 0]),
        // The same heart rate, named: the warning is wanted.
        Edit("wearer", wearerRead, "160 bpm", [10, 2, 7, 8, 9, 20, 175, 70, 0, 80, 160, 1]),
        Edit(
            "wearer", wearerRead, "heart-rate-warning=none",
            [10, 2, 7, 8, 9, 20, 175, 70, 0, 80, 0, 0]),
        Edit("do-not-disturb", [6, 1, 7, 22, 0, 7, 0, 1], "1-2", [6, 2, 7, 1, 0, 2, 0]),
        Edit("temperature-unit", [0x19, 1, 0, 1], "celsius", [0x19, 2, 0, 0]),
    ]

    @Test(arguments: edits.indices) func otherFieldsAreWrittenAsTheyWereRead(_ index: Int) throws {
        let edit = Self.edits[index]
        let setting = try NamedRingSetting.named(edit.setting)
        let packets = try Self.written(
            edit.written[0], Self.completeRing, reading: edit.reading
        ) { ring in
            try await ring.set(try setting.change(to: edit.text))
        }
        #expect(packets.count == 3, "one write between two reads")
        let zeros = Array(repeating: 0 as UInt8, count: 15 - edit.written.count)
        #expect(packets.dropFirst().first == edit.written + zeros)
    }

    /// A value that the ring reports, and that cannot be written.
    @Test(
        arguments: [
            ("heart-rate-log", [0x16, 1, 2, 0, 0], "interval", "0 min", "off"),
            ("gesture", [0x3B, 1, 1, 5, 0], "strength", "0", "app camera"),
            ("display", [5, 3, 1, 1, 7, 9, 2], "brightness", "7", displayWithoutBrightness),
        ] as [(String, [UInt8], String, String, String)])
    func aValueBeyondTheLimitsIsNotInADescription(
        _ name: String, _ reading: [UInt8], _ field: String, _ text: String, _ description: String
    ) throws {
        let setting = try NamedRingSetting.named(name)
        _ = try Self.written(reading[0], reading: reading) { ring in
            let value = try await ring.value(of: setting)
            #expect(value[field]?.text == text && value[field]?.isInDescription == false)
            #expect(value.description == description)
            let change = try setting.change(to: value.description)
            #expect(try await ring.set(change) == value, "the description changes nothing")
        }
    }

    private static let displayWithoutBrightness =
        "on, hand left, all-day yes, hours 00:00-00:00"

    /// An R12 has no blood pressure, and says so with bytes that mean nothing.
    @Test(
        arguments: [
            ([12, 1, 0x16, 0x28, 0, 12], .notSupported),
            ([12, 1, 0x16, 0x28, 0, 0x17], .notSupported),
            ([12, 1, 1, 0x28, 0, 12], .badAnswer),
        ] as [([UInt8], DeviceError.Kind)])
    func bytesThatAreNoHoursAreNoSetting(_ reading: [UInt8], _ expected: DeviceError.Kind) throws {
        let setting = try NamedRingSetting.named("blood-pressure-log")
        _ = try Self.written(12, reading: reading) { ring in
            #expect(await kind { _ = try await ring.value(of: setting) } == expected)
            #expect(await kind { try await ring.set(setting.change(to: "on")) } == expected)
        }
    }

    @Test func codesWithoutDescriptionAreUnknown() throws {
        let setting = try NamedRingSetting.named("display")
        let reading: [UInt8] = [0x05, 3, 1, 9, 2, 5, 1, 99, 0, 0, 0]
        _ = try Self.written(Display.opcode, reading: reading) { ring in
            let value = try await ring.value(of: setting)
            #expect(value["hand"]?.text == nil && value["hours"]?.text == nil)
            #expect(value.description == "on, brightness 2, all-day no")
        }
    }

    @Test(arguments: [
        ("do-not-disturb", "on", DeviceError.Kind.notSupported),
        ("display", "brightness 3", .notSupported), ("blood-pressure-log", "on", .notSupported),
    ])
    func aSettingThatIsLackingIsNotSupported(
        _ name: String, _ text: String, _ kind: DeviceError.Kind
    ) async throws {
        let setting = try NamedRingSetting.named(name)
        let ring = try await RingBench.connected(.r10).ring
        let reading = await #expect(throws: DeviceError.self) { try await ring.value(of: setting) }
        #expect(reading?.kind == kind && reading?.command != nil)
        let writing = await #expect(throws: DeviceError.self) {
            try await ring.set(try setting.change(to: text))
        }
        #expect(writing?.kind == kind)
    }

    @Test func aLostLinkIsAnError() async throws {
        let ring = try await RingBench.connected(.r12).ring
        await ring.disconnect()
        let setting = try NamedRingSetting.named("goals")
        let change = try setting.change(to: "steps 1")
        #expect(await kind { _ = try await ring.value(of: setting) } == .disconnected)
        #expect(await kind { try await ring.set(change) } == .disconnected)
    }
}
