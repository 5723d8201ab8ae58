#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import halo

/// `halo strip pulse` on a pseudo-terminal.
@Suite(.takesTurns, .waitsForPrograms) struct StripTerminalTests {
    private static let pulse = ["strip", "pulse", "--heart", "strap"]

    /// The rows of light on the screen.
    private static func light(_ screen: TerminalEmulator, _ sign: String) -> Int {
        let full = String(repeating: sign, count: screen.columns)
        return screen.lines.prefix { $0 == full || $0.isEmpty }.count { $0 == full }
    }

    @Test(arguments: [(60, 20), (80, 24), (200, 50), (30, 3)])
    func theScreenShinesWithTheStrip(columns: Int, rows: Int) throws {
        let program = try PseudoTerminalProgram(
            Self.pulse + ["--virtual", "--color", "always"], columns: columns, rows: rows)
        let settings = try program.settings
        try program.wait(for: "a heart rate") { program in
            let line = program.screen.lines.dropLast().last ?? ""
            return line.firstMatch(of: #/^Virtual HR +\d+ bpm/#) != nil
        }
        #expect(Self.light(program.screen, "█") == rows - 2)
        #expect(program.screen.lines.last == "Ctrl-C to quit")
        #expect(program.output.contains("\u{1B}[38;2;"))
        #expect(program.screen.faults == [])
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
        #expect(try program.settings == settings)
        #expect(!program.screen.isAlternate && program.screen.isCursorVisible)
    }

    /// Without colours the height of the light is its brightness; without UTF-8 it is of `#`.
    @Test(arguments: [("C.UTF-8", "█"), ("C", "#")])
    func theLightIsSeenWithoutColours(locale: String, sign: String) throws {
        let program = try PseudoTerminalProgram(
            Self.pulse + ["--virtual"], columns: 40, rows: 22,
            environment: ["NO_COLOR": "1", "LC_ALL": locale])
        try program.wait(for: "a flash") { Self.light($0.screen, sign) >= 15 }
        try program.wait(for: "the time before the next beat") { program in
            (1...8).contains(Self.light(program.screen, sign))
        }
        #expect(!program.output.contains("38;2"))
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
    }

    @Test func aSimulatedStripObeysItsKeys() throws {
        let (program, _) = try SimulatorTerminalTests.start("strip")
        try program.type("cgswdp")
        try program.waitForText("halo: the strip is off\n")
        try program.type("pl")
        try program.waitForText(
            """
            halo: the strip is off
            halo: the strip is on
            halo: nothing to do for 'lose-link'

            """)
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == 128 + SIGTERM)
    }

    private static func show(_ colour: String, at address: String, _ more: String...) throws {
        let outcome = try CommandLineProgram.run(
            ["strip", "color", colour, "--brightness", "50", "--bus", address] + more)
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// The last line of the terminal is the light, below the log. It is gone in the end.
    @Test func aSimulatedStripShinesOnTheLastLine() throws {
        // Wide enough for the line of the keys.
        let (program, address) = try SimulatorTerminalTests.start(
            "strip", ["--color", "always"], columns: 100)
        let bar = String(repeating: "█", count: 24) + "\u{1B}[0m"
        try program.wait(for: "red") {
            $0.text.hasSuffix("\n\r\u{1B}[38;2;255;0;0m\(bar) #FF0000\u{1B}[K")
        }
        try Self.show("#0060FF", at: address)
        try program.wait(for: "the log, and a dark blue") { program in
            program.text.contains("\nhalo: it writes ledstrip: LEDStripCommand.Colour\n")
                && program.text.hasSuffix("\r\u{1B}[38;2;0;48;128m\(bar) #003080\u{1B}[K")
        }
        try program.type("p")
        try program.wait(for: "no light") { program in
            program.text.contains("\nhalo: the strip is off\n")
                && program.text.hasSuffix("\r\u{1B}[38;2;0;0;0m\(bar) off\u{1B}[K")
        }
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == 128 + SIGTERM)
        let lines = program.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("halo: ") }, "\(lines)")
    }

    /// Two strips share the columns, each behind its name.
    @Test func twoSimulatedStripsShineOnTheLastLine() throws {
        let (program, _) = try SimulatorTerminalTests.start(
            "strip", ["--with", "strip"], environment: ["NO_COLOR": "1"])
        let light = "Triones-0A1B2C \(String(repeating: "█", count: 12)) #FF0000"
        try program.wait(for: "two lights") {
            $0.text.hasSuffix("\n\r\(light)  \(light)\u{1B}[K")
        }
    }

    /// On the air, by one adapter of a daemon, and found by another one.
    @Test func aStripOnTheAirShinesOnTheLastLine() throws {
        let (bus, address) = try SimulatorTerminalTests.start("strap", ["--adapters", "2"])
        let program = try PseudoTerminalProgram(
            ["simulate", "strip", "--adapter", "hci0", "--color", "always"], columns: 100,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
        let bar = String(repeating: "█", count: 24) + "\u{1B}[0m"
        try program.wait(for: "red") {
            $0.text.hasSuffix("\n\r\u{1B}[38;2;255;0;0m\(bar) #FF0000\u{1B}[K")
        }
        #expect(program.text.contains(" on the air, through hci0; Ctrl-C ends it\n"))
        try Self.show("#0060FF", at: address, "--adapter", "hci1")
        try program.wait(for: "a dark blue") {
            $0.text.hasSuffix("\r\u{1B}[38;2;0;48;128m\(bar) #003080\u{1B}[K")
        }
        try program.type("p")
        try program.wait(for: "no light") {
            $0.text.hasSuffix("\r\u{1B}[38;2;0;0;0m\(bar) off\u{1B}[K")
        }
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == 128 + SIGTERM)
        bus.send(SIGTERM)
        #expect(try bus.waitForEnd() == 128 + SIGTERM)
    }

    /// Without colours the length of the light is its brightness, also on a narrow terminal.
    @Test(arguments: [("C.UTF-8", "█", 80, 24), ("C", "#", 30, 10)])
    func aSimulatedStripShinesWithoutColours(
        locale: String, sign: String, columns: Int, length: Int
    ) throws {
        let (program, address) = try SimulatorTerminalTests.start(
            "strip", columns: columns, environment: ["NO_COLOR": "1", "LC_ALL": locale])
        let full = String(repeating: sign, count: length)
        try program.wait(for: "a bright light") {
            $0.text.hasSuffix("\n\r\(full) #FF0000\u{1B}[K")
        }
        try Self.show("red", at: address)
        let half = full.prefix(length / 2) + String(repeating: " ", count: length / 2)
        try program.wait(for: "half of it") { $0.text.hasSuffix("\r\(half) #800000\u{1B}[K") }
        #expect(!program.output.contains("\u{1B}[38"))
    }

    /// Where no line can change in place, the light is in the log.
    @Test(arguments: [[:], ["TERM": "dumb"]])
    func theLogOfASimulatedStripHasItsLight(environment: [String: String]) throws {
        let options = environment.isEmpty ? ["--", "sleep", "1000"] : []
        let socket = "halo-light-\(UUID())"
        let program = try PseudoTerminalProgram(
            ["simulate", "strip", "--fake-bluez", "--bus", "@\(socket)"] + options,
            environment: environment)
        try program.waitForText("on a private bus")
        try Self.show("#00FF00", at: "unix:abstract=\(socket)")
        try program.waitForText(
            """
            halo: it writes ledstrip: LEDStripCommand.Colour
            halo: the light is #008000

            """)
        #expect(!program.output.contains("\u{1B}[K"))
    }

    /// A strip that is off shines meanwhile, and is as before in the end.
    @Test func aPulseLeavesTheStripAsItWas() throws {
        let (program, address) = try SimulatorTerminalTests.start(
            "strip", ["--with", "strap"], environment: ["TERM": "dumb"])
        func strip(_ words: String...) throws -> CommandLineProgram.Outcome {
            let outcome = try CommandLineProgram.run(["strip"] + words + ["--bus", address])
            #expect(outcome.status == 0, "\(outcome)")
            return outcome
        }
        _ = try strip("mode", "blue-fade")
        try program.type("p")
        try program.waitForText("the strip is off\n")
        #expect(try strip("pulse", "--for", "4s", "--heart", "strap").output.contains(" bpm\n"))
        try program.wait(for: "ten lights") { program in
            let log = program.text.components(separatedBy: "the strip is off\n").last ?? ""
            let lights = log.matches(of: #/the light is #([0-9A-F]{6})/#).map(\.1)
            return Set(lights).subtracting(["000000"]).count > 10
        }
        let state = try strip("status", "--json").objects.first
        #expect(state?["isOn"] as? Bool == false && state?["mode"] as? String == "blue-fade")
    }

    /// A strap that is off the skin has no heart rate: no value, and no light.
    @Test func withoutAHeartThereIsNoPulse() throws {
        let (program, address) = try SimulatorTerminalTests.start(
            "strap", ["--with", "strip"], environment: ["TERM": "dumb"])
        try program.type("w")
        try program.waitForText("the strap is off the skin\n")
        let live = try CommandLineProgram.run(
            ["live", "hr", "--json", "--for", "3s", "--device", "strap", "--bus", address])
        #expect(try live.objects.compactMap { $0["value"] }.isEmpty, "\(live)")
        #expect(try live.objects.contains { $0["state"] as? String == "not-worn" })
        let pulse = try CommandLineProgram.run(
            ["strip", "pulse", "--for", "3s", "--heart", "strap", "--bus", address])
        #expect(pulse.status == 0)
        // The strap reports it each second, and it is printed once.
        #expect(pulse.lines.count { $0.contains("not worn") } == 1, "\(pulse)")
        #expect(!pulse.output.contains("bpm"))
        program.send(SIGTERM)
        try program.waitForEnd()
        let lights = program.text.matches(of: #/the light is #([0-9A-F]{6})/#).map(\.1)
        #expect(Set(lights) == ["FF0000", "000000"], "\(lights)")
    }

    /// The strip is gone, and its light is what the pulse has left.
    @Test func saysThatTheEarlierLightIsNotShown() throws {
        let (program, address) = try SimulatorTerminalTests.start(
            "strap", ["--with", "strip"], environment: ["TERM": "dumb"])
        let pulse = try PseudoTerminalProgram(
            ["strip", "pulse", "--bus", address], environment: ["TERM": "dumb"])
        try pulse.waitForText(" bpm")
        program.send(SIGTERM)
        try program.waitForEnd()
        try pulse.waitForText("the link is lost")
        try pulse.type("\u{03}")
        #expect(try pulse.waitForEnd() == 128 + SIGINT)
        let remark = "halo: the strip does not show its earlier light again: LED strip: there is no"
        #expect(pulse.text.contains(remark), "\(pulse.text)")
    }

    /// A device that is remembered for all verbs is the strip, or the one with the heart.
    @Test(arguments: [
        ("triones", 0, ""), ("r02", 0, ""), ("strip", 0, ""), ("ring", 0, ""),
        ("nosuch", 4, "HALO_DEVICE or 'halo use' selects it"),
    ])
    func theRememberedDeviceHasItsPart(name: String, status: Int32, error: String) throws {
        let (program, address) = try SimulatorTerminalTests.start(
            "ring", ["--with", "strip"], environment: ["TERM": "dumb"])
        for words in [["off"], ["pulse", "--for", "1s"]] {
            let outcome = try CommandLineProgram.run(
                ["strip"] + words + ["--bus", address, "--wait", "3s"],
                environment: ["HALO_DEVICE": name])
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.errorOutput.contains(error) || error == "", "\(outcome)")
        }
        withExtendedLifetime(program) {}
    }

    @Test func followsTheStatus() throws {
        let (program, address) = try SimulatorTerminalTests.start("strip")
        let status = try PseudoTerminalProgram(
            ["strip", "status", "--for", "1h", "--bus", address], environment: ["TERM": "dumb"])
        try status.waitForText("Triones-0A1B2C: on, #FF0000\n")
        try program.type("p")
        try status.waitForText("Triones-0A1B2C: off, #FF0000\n")
        let on = try CommandLineProgram.run(["strip", "on", "--bus", address])
        #expect(on.output == "Triones-0A1B2C: on, #FF0000\n", "\(on)")
        try status.waitForText("off, #FF0000\nTriones-0A1B2C: on, #FF0000\n")
        try status.type("\u{03}")
        #expect(try status.waitForEnd() == 128 + SIGINT)
    }

    @Test func withoutATerminalForPicturesThereAreLines() throws {
        let program = try PseudoTerminalProgram(
            Self.pulse + ["--virtual"], columns: 80, rows: 24, environment: ["TERM": "dumb"])
        try program.wait(for: "three heart rates") { program in
            program.text.split(whereSeparator: \.isNewline).count { $0.hasSuffix(" bpm") } >= 3
        }
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
        #expect(!program.output.contains("\u{1B}"))
    }
}
#endif
