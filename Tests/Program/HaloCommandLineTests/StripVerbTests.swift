import Foundation
import TestSupport
import Testing

/// `halo strip`, on a virtual strip in this process and on the fake of a daemon.
@Suite(.waitsForPrograms) struct StripVerbTests {
    private let folder = TestFolder()

    private static func run(_ arguments: [String]) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(["strip"] + arguments)
    }

    @Test(arguments: [
        (["status"], "on, #FF0000"), (["on"], "on, #FF0000"), (["off"], "off, #FF0000"),
        (["color", "orange"], "on, #FF6000"), (["color", "#0a0B0c"], "on, #0A0B0C"),
        (["color", "ffffff", "--brightness", "20"], "on, #333333"),
        (["color", "white", "--brightness", "0"], "on, #000000"),
        (["white"], "on, white 255"), (["white", "--brightness", "10"], "on, white 26"),
        (["mode", "red-strobe"], "on, red strobe, speed 10"),
        (["mode", "red-strobe", "--speed", "1"], "on, red strobe, speed 1"),
        (["mode", "Seven-Colour-Fade", "--speed", "255"], "on, seven-colour fade, speed 255"),
        (["fade", "blue", "--over", "1s"], "on, #0000FF"),
    ])
    func printsWhatTheStripReports(words: [String], state: String) throws {
        let others = words == ["status"] ? [["--virtual=strip"]] : []
        for place in [["--virtual"], ["--fake-bluez"]] + others {
            let outcome = try Self.run(words + place)
            #expect(outcome.output == "Triones-0A1B2C: \(state)\n", "\(place)")
            #expect(outcome.errorOutput == "")
            #expect(outcome.status == 0)
        }
    }

    @Test(arguments: [
        ("green", "#00FF00"), ("yellow", "#FFFF00"), ("purple", "#8000FF"), ("Pink", "#FF4080"),
    ])
    func coloursHaveNames(name: String, colour: String) throws {
        let outcome = try Self.run(["color", name, "--virtual"])
        #expect(outcome.output == "Triones-0A1B2C: on, \(colour)\n")
    }

    @Test func theStateAsJSON() throws {
        let outcome = try Self.run(["mode", "blue-fade", "--speed", "3", "--virtual", "--json"])
        let object = try #require(try outcome.objects.first)
        #expect(object["type"] as? String == "strip")
        #expect(object["isOn"] as? Bool == true)
        #expect(object["mode"] as? String == "blue-fade")
        #expect(object["speed"] as? Int == 3)
        #expect(object["color"] is NSNull)
        #expect(object["lastColor"] as? String == "#FF0000")
        #expect(
            Set(object.keys) == ["type", "isOn", "color", "white", "mode", "speed", "lastColor"])
    }

    /// A strip of which a capture has no status.
    private static func silentStrip(_ folder: TestFolder) throws -> String {
        let capture = String(
            decoding: try Data(contentsOf: FixtureFolder.url("Captures/VirtualLEDStrip.halo")),
            as: UTF8.self)
        let lines = capture.split(separator: "\n")
        return try folder.write(
            lines.prefix { !$0.hasPrefix("< ledstrip notified") }.joined(separator: "\n").utf8,
            to: "silent.halo")
    }

    @Test(arguments: [[], ["--for", "5s"], ["--for", "1h"]])
    func aStripThatDoesNotReplyHasNoStatus(_ time: [String]) throws {
        let outcome = try Self.run(
            ["status", "--replay", try Self.silentStrip(folder), "--json"] + time)
        #expect(outcome.status == 3)
        #expect(
            outcome.errorOutput.hasPrefix("halo: LED strip: the device did not answer.\n"),
            "\(outcome)")
        let object = try outcome.object
        #expect(object["type"] as? String == "error" && object["status"] as? Int == 3)
    }

    /// The command was written, and nothing says that the strip did not obey.
    @Test(arguments: [["on"], ["color", "red"], ["fade", "blue"]])
    func aStripThatDoesNotReplyObeys(_ words: [String]) throws {
        let outcome = try Self.run(words + ["--replay", try Self.silentStrip(folder)])
        #expect(outcome.status == 0)
        #expect(outcome.output == "Triones-0A1B2C: reports no state\n", "\(outcome)")
    }

    /// Ten minutes at a hundred times the speed: six seconds, and the usual time hardly any.
    @Test func aFadeTakesItsTime() throws {
        let begun = ContinuousClock.now
        let outcome = try Self.run(
            ["fade", "blue", "--over", "10m", "--virtual=strip,speed=100"])
        #expect(outcome.output == "Triones-0A1B2C: on, #0000FF\n")
        #expect(ContinuousClock.now - begun >= .seconds(6))
    }

    @Test func pulsesWithTheHeartOfTheWearer() throws {
        for heart in ["strap", "ring"] {
            let outcome = try Self.run(
                ["pulse", "--virtual", "--heart", heart, "--for", "60s", "--json"])
            let rates = try outcome.objects.compactMap { $0["bpm"] as? Int }
            #expect(rates.count >= (heart == "ring" ? 5 : 50), "\(heart)")
            let states = try outcome.objects.compactMap { $0["state"] as? String }
            #expect(heart == "strap" || states.first == "warming-up")
            #expect(rates.allSatisfy { (40...120).contains($0) })
            let seconds = try outcome.objects.compactMap { $0["seconds"] as? Double }
            #expect(seconds == seconds.sorted())
            #expect((heart == "ring" ? 30...60 : 55...60).contains(seconds.last ?? 0))
            #expect(outcome.status == 0)
        }
    }

    /// A ring needs longer for its first heart rate.
    @Test func saysThatThereWasNoHeartRate() throws {
        let outcome = try Self.run(["pulse", "--virtual", "--heart", "ring", "--for", "5s"])
        #expect(outcome.status == 0 && !outcome.output.contains("bpm"), "\(outcome)")
        #expect(
            outcome.errorOutput.hasSuffix(
                "halo: time ran out before the device had a heart rate; try a longer --for\n"))
    }

    @Test func aDeviceWithoutALightIsRefused() throws {
        let outcome = try Self.run(["on", "--virtual", "--device", "ring"])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.hasSuffix("is a ring; that needs an LED strip\n"))
        let missing = try Self.run(["on", "--virtual=r02", "--wait", "1s"])
        #expect(missing.status == 3)
        #expect(missing.errorOutput.hasPrefix("halo: that needs an LED strip, which the virtual"))
        let heart = try Self.run(["pulse", "--virtual", "--heart", "strip"])
        #expect(heart.status == 2)
        #expect(heart.errorOutput.contains("needs a heart rate; an LED strip has none"))
        let empty = try Self.run(["pulse", "--virtual", "--heart="])
        #expect(empty.status == 2)
        #expect(empty.errorOutput.hasPrefix("halo: --heart takes a name, an address"), "\(empty)")
    }

    @Test func otherVerbsKnowStrips() throws {
        let scan = try CommandLineProgram.run(["scan", "--virtual=strip", "--for", "3s"])
        #expect(scan.output.contains("Triones-0A1B2C"))
        #expect(scan.output.contains("LED strip"))
        let info = try CommandLineProgram.run(["info", "--virtual=strip"])
        #expect(info.output == "Triones-0A1B2C\n  address  virtual-0\n  state    on, #FF0000\n")
        let live = try CommandLineProgram.run(
            ["live", "hr", "--virtual", "--device", "strip", "--count", "1"])
        #expect(live.status == 3)
        #expect(live.errorOutput.contains("is an LED strip; heart rate needs a ring or a strap"))
        let packet = try CommandLineProgram.run(["decode", "--as", "ledstrip", "BB 25 01 44"])
        #expect(packet.output.contains("seven-colour fade"))
    }

    @Test func aRecordingOfAStripIsReplayed() throws {
        let recording = try CommandLineProgram.run(
            ["record", "--virtual=strip", "--for", "5s", "--out", folder.path("strip.halo")])
        #expect(recording.status == 0)
        let decoded = try CommandLineProgram.run(["decode", folder.path("strip.halo")])
        #expect(decoded.status == 0)
        #expect(decoded.output.contains("LEDStripStatus"))
        let status = try Self.run(["status", "--replay", folder.path("strip.halo")])
        #expect(status.output.hasSuffix(": on, #FF0000\n"), "\(status.errorOutput)")
        let scrubbed = try CommandLineProgram.run(
            ["scrub", folder.path("strip.halo"), "--out", folder.path("safe.halo")])
        #expect(scrubbed.status == 0)
    }
}
