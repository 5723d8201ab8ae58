import Foundation
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// The names of settings, and the texts that change them.
@Suite(.computes) struct SettingsTextTests {
    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil
    }

    @Test func namesAreUniqueAndKebabCase() {
        let all = NamedRingSetting.all
        #expect(Set(all.map(\.name)).count == all.count)
        for setting in all {
            #expect(Self.isName(setting.name))
            #expect(!setting.title.isEmpty && setting.note != "")
            let names = setting.fields.map(\.name)
            #expect(Set(names).count == names.count)
            for field in setting.fields {
                #expect(Self.isName(field.name) && !field.accepts.isEmpty && field.note != "")
            }
            #expect(NamedRingSetting(named: setting.name.uppercased())?.name == setting.name)
        }
        for name in ["", "goal", "goals ", "heartRateLog"] {
            #expect(NamedRingSetting(named: name) == nil, "\(name)")
        }
    }

    /// A setting is named as its static property of RingSetting.
    @Test func everySettingHasItsName() throws {
        let folder = URL(filePath: packagePath("Sources/Core/HaloDevices/Settings"))
        var names: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in code.matches(of: /public static var (\w+): RingSetting/) {
                names.append(
                    match.1.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined())
            }
        }
        #expect(names.count > 10)
        #expect(NamedRingSetting.all.map(\.name).sorted() == names.sorted())
    }

    /// A word that is the name of a field is no value of another one.
    @Test func namesAreNoValues() throws {
        for setting in NamedRingSetting.all {
            for field in setting.fields {
                let words = [field.name, field.word].compactMap(\.self)
                for (word, other) in words.flatMap({ word in setting.fields.map { (word, $0) } })
                where !other.isReadOnly {
                    let error = #expect(throws: Failure.self) {
                        try setting.change(to: "\(other.name) = \(word)")
                    }
                    let start = "\(setting.name): \(other.name) takes \(other.accepts), not "
                    #expect(error?.message.hasPrefix(start) == true)
                }
            }
        }
    }

    @Test func fieldsSayWhatTheyAccept() throws {
        func accepts(_ name: String) throws -> [String] {
            try NamedRingSetting.named(name).fields.map { "\($0.name): \($0.accepts)" }
        }
        #expect(
            try accepts("heart-rate-log") == [
                "state: on or off", "interval: 1 to 255 min", "shortest-interval: 1 to 255 min",
            ])
        #expect(
            try accepts("display") == [
                "state: on or off", "hand: left or right", "brightness: 1 to 5",
                "brightness-limit: 0 to 255", "all-day: yes or no", "hours: \(Self.hours)",
            ])
        #expect(
            try accepts("goals") == [
                "steps: 0 to 16777215", "energy: 0 to 16777.215 kcal",
                "distance: 0 to 16777215 m", "sport: none or 1 to 65535 min",
                "sleep: none or 1 to 65535 min",
            ])
        #expect(
            try accepts("wearer") == [
                "sex: male, female or other", "age: not set or 1 to 255 years",
                "height: not set or 1 to 255 cm", "weight: not set or 1 to 255 kg",
                "blood-pressure: none or 1/0 to 255/255 mmHg",
                "heart-rate-warning: none or 1 to 255 bpm", "clock: 24-hour or 12-hour",
                "units: metric or imperial",
            ])
        #expect(try accepts("gesture").last == "strength: 1 to 10")
        #expect(try accepts("temperature-unit") == ["unit: celsius or fahrenheit"])
        let readOnly = NamedRingSetting.all.flatMap(\.fields).filter(\.isReadOnly).map(\.name)
        #expect(readOnly == ["shortest-interval", "brightness-limit"])
    }

    // MARK: Texts

    @Test(arguments: [
        ("heart-rate-log", "on 10min", "on, every 10 min"),
        ("heart-rate-log", "on, every 10 min", "on, every 10 min"),
        ("heart-rate-log", "10 MIN ,, On", "on, every 10 min"),
        ("heart-rate-log", "interval=1h", "every 60 min"),
        ("heart-rate-log", "interval = 10", "every 10 min"),
        ("heart-rate-log", "interval\t10\nstate=off", "off, every 10 min"),
        ("heart-rate-log", "10", "every 10 min"),
        ("heart-rate-log", "0010", "every 10 min"),
        ("heart-rate-log", "10 minutes", "every 10 min"),
        ("heart-rate-log", "1 minute", "every 1 min"),
        ("goals", "steps=8000", "steps 8000"),
        ("goals", "8000 steps", "steps 8000"),
        ("goals", "1 step", "steps 1"),
        ("goals", "distance 3000 steps 8000 sleep 7 h sport=30m", goals),
        ("goals", "7.500 km", "distance 7500 m"),
        ("goals", "0.001kcal", "energy 0.001 kcal"),
        ("goals", "1kcal", "energy 1 kcal"),
        ("do-not-disturb", "22:00-07:00", "hours 22:00-07:00"),
        ("do-not-disturb", "on 22:00 - 7", "on, hours 22:00-07:00"),
        ("display", "brightness=3 hand=left", "hand left, brightness 3"),
        ("display", "right 3 no", "hand right, brightness 3, all-day no"),
        ("display", "all-day yes hours 22-7", "all-day yes, hours 22:00-07:00"),
        ("wearer", "70kg 180cm 35 years female", "sex female, age 35 years, \(body)"),
        ("wearer", "35y", "age 35 years"),
        ("wearer", "120 / 80 mmhg 24h", "blood-pressure 120/80 mmHg, clock 24-hour"),
        (
            "wearer", "age not set, weight=0 height Not Set",
            "age not set, height not set, weight not set"
        ),
        ("wearer", "170bpm imperial", "heart-rate-warning 170 bpm, units imperial"),
        ("touch", "off", "app off"),
        ("touch", "electronic book, 2m", "app electronic-book, sleeps-after 2 min"),
        ("touch", "ElectronicBook", "app electronic-book"),
        ("gesture", "camera 7", "app camera, strength 7"),
        ("temperature-unit", "C", "celsius"),
    ])
    func textsAreRead(_ name: String, _ text: String, _ description: String) throws {
        let change = try NamedRingSetting.named(name).change(to: text)
        #expect(change.description == description)
    }

    private static let goals = "steps 8000, distance 3000 m, sport 30 min, sleep 420 min"
    private static let hours = "a start and an end from 00:00 to 23:59, as 22:00-07:00"
    private static let body = "height 180 cm, weight 70 kg"
    private static let logging = "state (on or off), interval (1 to 255 min)"

    @Test(arguments: [
        (
            "heart-rate-log", "",
            "no change given; it takes \(logging)"
        ),
        ("heart-rate-log", " ,\n", "no change given; it takes \(logging)"),
        ("heart-rate-log", "maybe", word("maybe")),
        ("heart-rate-log", "on = off", field("on")),
        ("heart-rate-log", "=", word("=")),
        ("heart-rate-log", "on =5", field("on")),
        ("heart-rate-log", "period=5", field("period")),
        ("heart-rate-log", "state on = 5", word("=")),
        (
            "heart-rate-log", "interval",
            "interval has no value; it takes 1 to 255 min"
        ),
        (
            "heart-rate-log", "every==",
            "interval has no value; it takes 1 to 255 min"
        ),
        ("heart-rate-log", "on off", "state has two values"),
        ("heart-rate-log", "5 interval=5", "interval has two values"),
        ("heart-rate-log", "interval=0", "interval takes 1 to 255 min, not \"0\""),
        ("heart-rate-log", "300 min", "interval takes 1 to 255 min, not \"300 min\""),
        ("heart-rate-log", "5h", "interval takes 1 to 255 min, not \"5h\""),
        ("heart-rate-log", "0.5 min", "interval takes 1 to 255 min, not \"0.5 min\""),
        ("heart-rate-log", "-5", "interval takes 1 to 255 min, not \"-5\""),
        ("heart-rate-log", "every on", "interval takes 1 to 255 min, not \"on\""),
        ("heart-rate-log", "5 kg", word("kg")),
        (
            "heart-rate-log", "shortest-interval 5",
            "shortest-interval is reported by the ring, and cannot be changed"
        ),
        (
            "goals", "8000",
            "\"8000\" may be steps, energy, distance, sport or sleep; write steps=VALUE"
        ),
        ("goals", "none", "\"none\" may be sport or sleep; write sport=VALUE"),
        (
            "goals", "3000 m",
            "\"3000 m\" may be distance, sport or sleep; write distance=VALUE"
        ),
        (
            "goals", "99999999 min",
            "\"99999999 min\" may be sport or sleep; write sport=VALUE"
        ),
        ("goals", "steps=16777216", "steps takes 0 to 16777215, not \"16777216\""),
        ("goals", "energy=1.2345", "energy takes 0 to 16777.215 kcal, not \"1.2345\""),
        ("goals", "sport=0", "sport takes none or 1 to 65535 min, not \"0\""),
        ("goals", "steps=\u{1B}[31m", "steps takes 0 to 16777215, not \"\\x1B[31m\""),
        (
            "do-not-disturb", "24:00-07:00",
            "hours takes \(hours), not \"24:00-07:00\""
        ),
        ("display", "brightness 6", "brightness takes 1 to 5, not \"6\""),
        // A value has at most four words.
        ("display", "hand=r i g h t", "hand takes left or right, not \"r\""),
        ("gesture", "strength=11", "strength takes 1 to 10, not \"11\""),
        (
            "wearer", "0/80",
            "blood-pressure takes none or 1/0 to 255/255 mmHg, not \"0/80\""
        ),
        (
            "wearer", "not set",
            "\"not set\" may be age, height or weight; write age=VALUE"
        ),
        ("wearer", "age 256", "age takes not set or 1 to 255 years, not \"256\""),
        ("temperature-unit", "kelvin", unit("kelvin")),
    ])
    func wrongTextsAreExplained(
        _ name: String, _ text: String, _ words: String
    ) throws {
        let setting = try NamedRingSetting.named(name)
        let error = #expect(throws: Failure.self) { try setting.change(to: text) }
        #expect(error?.message == "\(name): \(words).")
    }

    private static func word(_ text: String) -> String {
        "\"\(text)\" is neither a field nor a value; it takes \(logging)"
    }

    private static func field(_ text: String) -> String {
        "there is no field \"\(text)\"; it takes \(logging)"
    }

    private static func unit(_ text: String) -> String {
        "\"\(text)\" is neither a field nor a value; it takes unit (celsius or fahrenheit)"
    }

    @Test func longTextsAreRefused() throws {
        let setting = try NamedRingSetting.named("goals")
        let limit = NamedRingSetting.longestText
        let error = #expect(throws: Failure.self) {
            try setting.change(to: String(repeating: "8 ", count: 100_000))
        }
        #expect(error?.message == "goals: the text is too long; at most 1000 bytes are read.")
        let digits = String(repeating: "9", count: limit - 6)
        let huge = #expect(throws: Failure.self) {
            try setting.change(to: "steps=\(digits)")
        }
        let quoted = "\"\(digits.prefix(40))\""
        #expect(huge?.message == "goals: steps takes 0 to 16777215, not \(quoted).")
        let words = "steps 1" + String(repeating: " ", count: limit - 7)
        #expect(try setting.change(to: words).description == "steps 1")
        #expect(throws: Failure.self) { try setting.change(to: words + " ") }
    }

    /// A number with a fraction is no number of minutes, and is not cut.
    @Test(arguments: ["10.5min", "10.5", "10,5min", "10min.", "10minmin", "1 0min"])
    func readsWholeMinutesOnly(_ text: String) throws {
        let setting = try #require(NamedRingSetting(named: "heart-rate-log"))
        #expect(try setting.change(to: "on 10min").description.contains("10"))
        #expect(throws: Failure.self) { try setting.change(to: "on \(text)") }
    }

    @Test(arguments: ["+7-8", "7-+8", "7:+3-8", "٧-8", "7-8-9", "007-8"])
    func readsHoursOfPlainDigitsOnly(_ text: String) throws {
        let setting = try #require(NamedRingSetting(named: "do-not-disturb"))
        #expect(try setting.change(to: "7-8").description.contains("07:00-08:00"))
        #expect(throws: Failure.self) { try setting.change(to: text) }
    }

    /// Texts of random words are changes or errors; a change is read as it is printed.
    @Test(arguments: 0..<UInt64(Thoroughness.scaled(4)))
    func randomWordsAreReadOrRefused(_ seed: UInt64) throws {
        var dice = SplitMix(seed: seed)
        let words = [
            "on", "off", "none", "yes", "every", "=", "==", ",", " ", "-", "–", "/", ":", ".",
            "5", "10", "300", "0", "-1", "1.5", "1.", ".5", "9223372036854775807",
            "99999999999999999999999", "min", "h", "kg", "m", "km", "kcal", "22:00-07:00",
            "22-", "1:2:3-4", "120/80", "//", "é", "e\u{301}", "\0", "\u{1F3FB}", "٣", "İ",
            "left", "male", "music", "24", "°c", "\r\n", "\u{A0}", "steps", "goals",
        ]
        var changes = 0
        for _ in 0..<500 {
            let setting = try #require(NamedRingSetting.all.randomElement(using: &dice))
            let values = SettingsByNameTests.changes.filter { $0.setting == setting.name }
                .flatMap { $0.values.map(\.given) }
            var text = ""
            for _ in 0..<Int.random(in: 0...4, using: &dice) {
                if let field = setting.fields.randomElement(using: &dice), .random(using: &dice) {
                    text += field.name + (Bool.random(using: &dice) ? "=" : " ")
                }
                text += (.random(using: &dice) ? words : values).randomElement(using: &dice) ?? ""
                if Int.random(in: 0...3, using: &dice) > 0 { text += " " }
            }
            do throws(Failure) {
                let change = try setting.change(to: text)
                let printed = change.description
                #expect(try setting.change(to: printed).description == printed, "\(text)")
                #expect(!change.fields.isEmpty)
                changes += 1
            } catch {
                #expect(error.message.hasPrefix("\(setting.name): "))
                #expect(error.message.hasSuffix("."))
            }
        }
        #expect(changes > 20)
    }
}
