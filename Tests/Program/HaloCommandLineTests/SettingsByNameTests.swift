import HaloDevices
import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@testable import halo

extension NamedRingSetting {
    /// Returns a setting that a test names.
    static func named(_ name: String) throws -> NamedRingSetting {
        try #require(NamedRingSetting(named: name))
    }
}

/// Settings by name on virtual rings: a change is written, read back, and leaves other fields.
@Suite(.passesTime) struct SettingsByNameTests {
    private static func ring(_ profile: RingProfile) async throws -> Ring {
        let air = VirtualBluetooth(seed: 1)
        air.add(VirtualRing(profile))
        return try await Ring.connect(over: air)
    }

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
            ("wearer", "age", [("255", "255 years"), ("1 year", "1 year"), ("0", "not set")]),
            (
                "wearer", "height",
                [("1.8m", "180 cm"), ("255cm", "255 cm"), ("not set", "not set")]
            ),
            ("wearer", "weight", [("70kg", "70 kg"), ("0", "not set")]),
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
        let ring = try await Self.ring(Self.completeRing)
        var before = try await setting.read(ring)
        #expect(before.setting == name && before.fields.map(\.name) == setting.fields.map(\.name))
        for (given, read) in values {
            let change = try setting.change(to: "\(field) = \(given)")
            #expect(change.fields.map(\.name) == [field])
            let after = try await change.write(ring)
            #expect(after[field]?.text == read)
            #expect(change.ignoredFields(in: after) == [])
            #expect(try await setting.read(ring) == after, "it returns what is read")
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
        let ring = try await Self.ring(Self.completeRing)
        let texts = changes.map { "\($0.field)=\($0.values[0].given)" }
        let text = (isReversed ? texts.reversed() : texts).joined(separator: ", ")
        let value = try await setting.change(to: text).write(ring)
        for change in changes { #expect(value[change.field]?.text == change.values[0].read) }
    }

    @Test(arguments: NamedRingSetting.all.map(\.name))
    func aDescriptionChangesNothing(_ name: String) async throws {
        let setting = try NamedRingSetting.named(name)
        let ring = try await Self.ring(Self.completeRing)
        for changed in [false, true] {
            if changed {
                for change in Self.changes where change.setting == name {
                    let text = "\(change.field)=\(change.values[0].given)"
                    _ = try await setting.change(to: text).write(ring)
                }
            }
            let value = try await setting.read(ring)
            let change = try setting.change(to: value.description)
            #expect(change.description == value.description)
            let fields = setting.fields.filter { !$0.isReadOnly && value[$0.name]?.text != nil }
            #expect(change.fields.map(\.name) == fields.map(\.name))
            #expect(try await change.write(ring) == value)
        }
    }

    private static let goals =
        "goals: steps 5000, energy 300 kcal, distance 3000 m, sport none, sleep none"
    private static let wearer =
        "wearer: sex male, age not set, height not set, weight not set, blood-pressure none, "
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
        let ring = try await Self.ring(profile)
        var found: [String] = []
        for setting in NamedRingSetting.all {
            do throws(DeviceError) {
                found.append("\(setting.name): \(try await setting.read(ring))")
            } catch  where error.kind == .notSupported {
                continue
            } catch {
                found.append("\(setting.name): \(error.kind)")
            }
        }
        #expect(found == lines)
    }

    @Test func valuesHaveNumbersAndUnits() async throws {
        let ring = try await Self.ring(.r12)
        let logging = try await NamedRingSetting.named("heart-rate-log").read(ring)
        #expect(logging["interval"]?.number == 5)
        #expect(logging["interval"]?.unit == "min")
        #expect(logging["shortest-interval"]?.text == "5 min")
        #expect(logging["state"]?.number == nil && logging["state"]?.text == "on")
        #expect(logging["nothing"] == nil)
        let goals = try await NamedRingSetting.named("goals").read(ring)
        #expect(goals.fields.map(\.number) == [5000, 300, 3000, nil, nil])
        #expect(goals.fields.map(\.unit) == [nil, "kcal", "m", nil, nil])
        let wearer = try await NamedRingSetting.named("wearer")
            .change(to: "age 1, 120/80, 170 bpm, 1.8 m, 70kg").write(ring)
        #expect(wearer.fields.map(\.number) == [nil, 1, 180, 70, nil, 170, nil, nil])
        #expect(wearer.fields.map(\.unit) == [nil, "years", "cm", "kg", nil, "bpm", nil, nil])
    }

    // MARK: Rings that do not do as told

    /// The interval that an R10 reports is confirmed, and stays as it was.
    @Test func anIgnoredFieldIsReported() async throws {
        let ring = try await Self.ring(.r10)
        let setting = try NamedRingSetting.named("blood-oxygen-log")
        let change = try setting.change(to: "off every 20 min")
        let value = try await change.write(ring)
        #expect(value.description == "off, every 30 min")
        #expect(change.ignoredFields(in: value).map(\.name) == ["interval"])
        #expect(change.ignoredFields(in: value).map(\.text) == ["30 min"])
    }

    /// Values that a ring reports, and that cannot be written.
    @Test func valuesBeyondTheLimitsAreNotInDescriptions() async throws {
        var profile = RingProfile.r12
        profile.factorySettings.heartRateIsOn = false
        profile.factorySettings.heartRateMinutes = 0
        profile.factorySettings.display?.brightness = 7
        profile.factorySettings.gesture = TouchGesture.Setting(.camera, parameter: 0)
        let ring = try await Self.ring(profile)
        for (name, field, text, description) in [
            ("heart-rate-log", "interval", "0 min", "off"),
            ("gesture", "strength", "0", "app camera"),
            ("display", "brightness", "7", "on, hand left, all-day no, hours 22:00-23:00"),
        ] {
            let setting = try NamedRingSetting.named(name)
            let value = try await setting.read(ring)
            #expect(value[field]?.text == text && value[field]?.isInDescription == false)
            #expect(value.description == description)
            let change = try setting.change(to: value.description)
            #expect(try await change.write(ring) == value, "the description changes nothing")
        }
    }

    @Test func codesWithoutDescriptionAreUnknown() async throws {
        var profile = RingProfile.r12
        profile.factorySettings.display?.hand = Reported(rawValue: 9)
        let value = try await NamedRingSetting.named("display").read(Self.ring(profile))
        #expect(value["hand"]?.text == nil)
        #expect(value.description == "on, brightness 2, all-day no, hours 22:00-23:00")
    }

    @Test(arguments: [
        ("do-not-disturb", "on", DeviceError.Kind.notSupported),
        ("display", "brightness 3", .notSupported), ("blood-pressure-log", "on", .notSupported),
    ])
    func aSettingThatIsLackingIsNotSupported(
        _ name: String, _ text: String, _ kind: DeviceError.Kind
    ) async throws {
        let setting = try NamedRingSetting.named(name)
        let ring = try await Self.ring(.r10)
        let reading = await #expect(throws: DeviceError.self) { try await setting.read(ring) }
        #expect(reading?.kind == kind && reading?.command != nil)
        let writing = await #expect(throws: DeviceError.self) {
            _ = try await setting.change(to: text).write(ring)
        }
        #expect(writing?.kind == kind)
    }

    @Test func aLostLinkIsAnError() async throws {
        let ring = try await Self.ring(.r12)
        await ring.disconnect()
        let setting = try NamedRingSetting.named("goals")
        let change = try setting.change(to: "steps 1")
        let reading = await #expect(throws: DeviceError.self) { try await setting.read(ring) }
        #expect(reading?.kind == .disconnected)
        let writing = await #expect(throws: DeviceError.self) { try await change.write(ring) }
        #expect(writing?.kind == .disconnected)
    }
}
