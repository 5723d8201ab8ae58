import Foundation
import TestSupport
import Testing

/// The settings of virtual rings, read and changed.
@Suite(.waitsForPrograms) struct SettingsVerbTests {
    private static func settings(
        _ words: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CommandLineProgram.Outcome {
        let outcome = try CommandLineProgram.run(["settings"] + words)
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// The fields of a row of JSON, by name.
    private static func fields(_ object: [String: Any]) -> [String: [String: Any]] {
        let all = object["fields"] as? [[String: Any]] ?? []
        return Dictionary(uniqueKeysWithValues: all.map { ($0["name"] as? String ?? "", $0) })
    }

    @Test(arguments: ["r02", "r10", "r12"], VirtualPlace.all)
    func listsSettings(model: String, place: VirtualPlace) throws {
        let objects = try Self.settings(["--json"] + place.options(model)).objects
        #expect(objects.count == 15)
        #expect(objects.allSatisfy { $0["type"] as? String == "setting" })
        for object in objects {
            let isSupported = try #require(object["isSupported"] as? Bool)
            #expect((object["problem"] is NSNull) == isSupported)
            let texts = Self.fields(object).values.map { $0["text"] as? String }
            #expect(!texts.isEmpty && (isSupported || texts.allSatisfy { $0 == nil }))
        }
        let goals = try #require(objects.first { $0["name"] as? String == "goals" })
        #expect(Self.fields(goals)["steps"]?["number"] as? Int == 5000)
        #expect(Self.fields(goals)["energy"]?["unit"] as? String == "kcal")
        let display = try #require(objects.first { $0["name"] as? String == "display" })
        #expect(display["isSupported"] as? Bool == (model == "r12"))
        guard place == .air else { return }
        let text = try Self.settings(place.options(model))
        #expect(text.lines.contains { $0.hasPrefix("goals  ") && $0.contains("steps 5000, ") })
        let missing = objects.count { $0["isSupported"] as? Bool == false }
        #expect(missing == text.lines.count { $0.hasSuffix("this ring does not have it") })
    }

    /// A ring that has one setting, refuses one, replies to one with bytes that are no time, and
    /// not at all to the others.
    private static let capture =
        DeviceChoiceTests.capture("R02_1234")
        + exchange([0x36, 1], [0x36, 1, 1]) + exchange([5, 3], [0x85, 0xEE])
        + exchange([12, 1], [12, 1, 1, 0x28, 0, 12])

    /// The lines of a request and its reply.
    private static func exchange(_ request: [UInt8], _ reply: [UInt8]) -> String {
        func frame(_ bytes: [UInt8]) -> String {
            let zeros = Array(repeating: 0 as UInt8, count: 15 - bytes.count)
            return (bytes + zeros + [bytes.reduce(0, &+)]).map { String(format: "%02X", $0) }
                .joined(separator: " ")
        }
        return "> uart command \(frame(request))\n< uart notified \(frame(reply))\n"
    }

    /// What cannot be read ends neither the list nor a script that believes its status.
    @Test(arguments: ["settings", "info"]) func reportsWhatCannotBeRead(_ verb: String) throws {
        let folder = TestFolder()
        let path = try folder.write(Self.capture.utf8, to: "a.halo")
        let json = try CommandLineProgram.run([verb, "--replay", path, "--json"])
        #expect(json.status == 1, "\(json)")
        let objects = try json.objects
        let settings = objects.filter { $0["type"] as? String == "setting" }
        #expect(settings.count == 15)
        for setting in settings {
            let supported = ["stress-log": true, "display": false][setting["name"] as? String ?? ""]
            #expect(setting["isSupported"] as? Bool == supported)
            #expect((setting["problem"] is NSNull) == (supported == true))
        }
        let error = try #require(objects.last)
        #expect(error["type"] as? String == "error" && error["status"] as? Int == 1)
        let message = try #require(error["message"] as? String)
        #expect(message.hasPrefix("not read: heart-rate-log, ") && !message.contains("stress-log"))
        #expect(message.contains("blood-pressure-log") && !message.contains("display"))
        let text = try CommandLineProgram.run([verb, "--replay", path])
        #expect(text.status == 1 && text.errorOutput.hasPrefix("halo: \(message)\nA capture "))
        let lines = text.lines.drop { !$0.hasPrefix("heart-rate-log ") }
        #expect(lines.first?.hasSuffix("  the device did not answer") == true)
        #expect(lines.contains { $0.hasPrefix("stress-log ") && $0.hasSuffix(" on") })
        let refused = lines.filter { $0.hasSuffix("this ring does not have it") }
        #expect(refused.count == (verb == "info" ? 0 : 1))
    }

    @Test func showsWhatASettingTakes() throws {
        let outcome = try Self.settings(["heart-rate-log", "--virtual"])
        #expect(outcome.lines.first?.hasSuffix("  on, every 60 min") == true)
        #expect(
            outcome.lines.contains {
                $0.split(separator: " ") == ["state", "on", "on", "or", "off"]
            })
        #expect(outcome.lines.contains("  interval           60 min        1 to 255 min"))
        #expect(outcome.lines.contains("Regular measurement of the heart rate"))
        let note = "the vendor's app offers 5, 10, 15, 20, 30, 45 and 60 min"
        #expect(outcome.lines.last == "interval: \(note)")
        let object = try Self.settings(["heart-rate-log", "--virtual", "--json"]).object
        let interval = Self.fields(object)["interval"]
        #expect(interval?["number"] as? Int == 60 && interval?["unit"] as? String == "min")
        #expect(interval?["accepts"] as? String == "1 to 255 min")
        #expect(interval?["note"] as? String == note)
        #expect(Self.fields(object)["shortest-interval"]?["isReadOnly"] as? Bool == true)
    }

    /// A change, a field that it changes with its new text, and one that stays.
    @Test(arguments: [
        (["heart-rate-log", "off"], "state", "off", ("interval", "60 min")),
        (["heart-rate-log", "on", "10min"], "interval", "10 min", ("state", "on")),
        (["heart-rate-log", "on 10min"], "interval", "10 min", ("state", "on")),
        (["goals", "steps=8000"], "steps", "8000", ("energy", "300 kcal")),
        (["goals", "energy=450kcal", "steps=1"], "energy", "450 kcal", ("distance", "3000 m")),
    ])
    func changes(
        _ words: [String], _ field: String, _ text: String, _ other: (name: String, text: String)
    ) throws {
        for place in VirtualPlace.all {
            let object = try Self.settings(words + ["--json"] + place.options("r02")).object
            #expect(Self.fields(object)[field]?["text"] as? String == text)
            #expect(Self.fields(object)[other.name]?["text"] as? String == other.text)
        }
        let line = try Self.settings(words + ["--virtual"]).output
        #expect(line.hasPrefix(words[0] + "  ") && line.contains(text))
    }

    #if os(Linux)
    /// A ring keeps its settings between two programs, and they are its own.
    @Test func keepsAChange() throws {
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "ring", "--fake-bluez", "--model", "r12", "--", "bash", "-c",
                """
                set -e
                "$0" settings display brightness=4 hand=right
                "$0" settings goals steps=12345
                "$0" settings --json | grep -e '"name":"display"' -e '"name":"goals"'
                "$0" settings display brightness=3 --json
                """, CommandLineProgram.program.path,
            ], environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.lines.first?.contains("brightness 4") == true, "\(outcome)")
        let objects = try outcome.lines.filter { $0.hasPrefix("{") }.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(objects.count == 3)
        let display = Self.fields(objects[0])
        #expect(display["brightness"]?["number"] as? Int == 4)
        #expect(display["hand"]?["text"] as? String == "right")
        #expect(Self.fields(objects[1])["steps"]?["number"] as? Int == 12345)
        #expect(Self.fields(objects[2])["brightness"]?["number"] as? Int == 3)
        #expect(Self.fields(objects[2])["hand"]?["text"] as? String == "right")
    }
    #endif

    @Test(arguments: [
        (["hart-rate-log"], "did you mean 'heart-rate-log'?"), (["gaols"], "did you mean 'goals'?"),
        (["nonsense"], "takes one of heart-rate-log, "), (["goals", "maybe"], "steps"),
        (["heart-rate-log", "on", "0min"], "interval"),
        (["heart-rate-log", "on", "256min"], "interval"),
        (["goals", "steps=-1"], "steps"), (["display", "brightness=6"], "1 to 5"),
        (["display", "brightness-limit=6"], "brightness-limit"),
        (["do-not-disturb", "on", "25:00-07:00"], "hours"),
    ])
    func refusesWrongNamesAndValues(_ words: [String], _ reason: String) async throws {
        for place in [["--virtual=r12"], ["--bus=unix:path=/nowhere"]] {
            // Nothing is asked of a device before.
            let outcome = try await CommandLineProgram.call(["settings"] + words + place)
            #expect(outcome.status == 2 && outcome.errorOutput.hasPrefix("halo: "))
            #expect(outcome.errorOutput.contains(reason), "\(outcome)")
            #expect(outcome.errorOutput.hasSuffix("\n'halo help settings' says more.\n"))
            #expect(outcome.output == "")
        }
    }

    @Test func reportsASettingThatARingDoesNotHave() throws {
        for words in [["display"], ["display", "off"]] {
            let outcome = try Self.settings(words + ["--virtual=r02", "--json"], status: 3)
            let error = try outcome.object
            #expect(error["type"] as? String == "error" && error["status"] as? Int == 3)
            #expect((error["message"] as? String)?.contains("does not support this") == true)
            #expect(error["advice"] as? String == "'halo info' shows what this device can do.")
        }
        let strap = try Self.settings(["--virtual", "--device", "strap"], status: 3)
        #expect(strap.errorOutput == "halo: Virtual HR is a strap; that needs a ring\n")
    }
}
