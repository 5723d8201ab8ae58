#if os(Linux)
import FakeBlueZ
import Foundation
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// The keys of a simulated device, and what it sees of a program that is ended.
@Suite(.takesTurns, .waitsForPrograms) struct SimulatorTerminalTests {
    private let folder = TestFolder()

    /// Starts a simulated device on a terminal; returns it with the address of its bus.
    static func start(
        _ device: String = "ring", _ more: [String] = [], columns: Int = 80,
        environment: [String: String] = [:]
    ) throws -> (PseudoTerminalProgram, address: String) {
        let program = try PseudoTerminalProgram(
            ["simulate", device, "--fake-bluez"] + more, columns: columns, environment: environment)
        try program.waitForText("halo: keys: ")
        let line = program.text.split(separator: "\n").first ?? ""
        let words = line.split(separator: "=", maxSplits: 1)
        #expect(words.first == "DBUS_SYSTEM_BUS_ADDRESS")
        return (program, String(try #require(words.last)))
    }

    /// The keys of the help text.
    private static func keys() throws -> [String] {
        let help = try CommandLineProgram.run(["help", "simulate"]).output
        return help.matches(of: #/\n  ([a-z])  [^\n]+/#).map { String($0.1) }
    }

    @Test func theHelpTextHasEachKeyOnce() throws {
        let keys = DeviceKind.all.flatMap { $0.keys } + [.loseLink]
        #expect(try Self.keys().sorted() == Set(keys.map { String($0.character) }).sorted())
    }

    /// What a ring does for the keys, each pressed once or twice. It depends on the time of day
    /// whether its wearer can walk and sleep.
    private static let answers: [(key: String, lines: [String])] = [
        ("w", ["the ring is off the finger", "the ring is on the finger"]),
        ("d", ["the battery has 63 %", "the battery has 43 %"]),
        ("c", ["the ring is on its charger", "the ring is off its charger"]),
        ("g", ["its wearer walks|no walk: its wearer is already moving, or the day is over"]),
        ("s", ["its wearer sleeps|no nap: its wearer is already asleep, or close to bedtime"]),
        ("t", ["nothing to do for 'tap'"]),
        ("l", ["nothing to do for 'lose-link'"]),
    ]

    @Test func obeysItsKeys() throws {
        let (program, _) = try Self.start()
        let keys = DeviceKind.ring.keys + [.loseLink]
        #expect(Set(Self.answers.map(\.key)) == Set(keys.map { String($0.character) }))
        var expected = ""
        for (key, lines) in Self.answers {
            for line in lines {
                // Other keys do nothing, and no key is echoed; capital letters count as well.
                try program.type("x7\u{1B}[A\n\t" + (expected == "" ? key : key.uppercased()))
                let texts = line.split(separator: "|").map { "\(expected)halo: \($0)\n" }
                try program.wait(for: line) { program in
                    texts.contains { program.text.contains($0) }
                }
                expected = try #require(texts.first { program.text.contains($0) })
            }
        }
        #expect(program.text.hasSuffix("\n" + expected))
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
    }

    @Test func aStrapObeysItsKeys() throws {
        let (program, _) = try Self.start("strap")
        try program.type("cgsw")
        try program.waitForText("halo: the strap is off the skin\n")
        try program.type("wd")
        try program.waitForText(
            """
            halo: the strap is off the skin
            halo: the strap is on the skin
            halo: the battery has 80 %

            """)
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == 128 + SIGTERM)
    }

    /// Keys are read without echo and without line ends, and the terminal is as before afterwards.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func leavesTheTerminal(signal: Int32) throws {
        var before: [UInt64] = []
        let program = try PseudoTerminalProgram(["simulate", "ring", "--fake-bluez"]) {
            before = try PseudoTerminalProgram.settings(of: $0)
        }
        try program.waitForText("halo: keys: ")
        try program.type("d")
        try program.waitForText("has 63 %")
        #expect(try program.settings != before)
        program.send(signal)
        #expect(try program.waitForEnd() == 128 + signal)
        #expect(try program.settings == before)
    }

    /// A shell stops the device with Ctrl-Z, and lets it go on with `fg`.
    @Test func obeysItsKeysAfterAStop() throws {
        let shell = try PseudoTerminalProgram(
            ["--norc", "--noprofile", "--noediting", "-i"], of: "/bin/bash", columns: 400,
            environment: [
                "PS1": "ready> ", "HALO": CommandLineProgram.program.path, "HISTFILE": "",
            ])
        try shell.waitForText("ready> ")
        let before = try shell.settings
        try shell.type("\"$HALO\" simulate ring --fake-bluez\n")
        try shell.waitForText("halo: keys: ")
        for percent in [63, 43] {
            try shell.type("d")
            try shell.waitForText("the battery has \(percent) %\n")
            #expect(try shell.settings != before)
            try shell.type("\u{1A}")
            try shell.waitForText("ready> ")
            try shell.wait(for: "a stopped job") { shell in
                shell.text.components(separatedBy: "Stopped").count == (percent == 63 ? 2 : 3)
                    && shell.text.hasSuffix("ready> ")
            }
            #expect(try shell.settings == before)
            try shell.type("fg\n")
            try shell.wait(for: "the mode of keys") { try $0.settings != before }
        }
        try shell.type("w")
        try shell.waitForText("the ring is off the finger\n")
        try shell.type("\u{03}")
        try shell.wait(for: "the prompt") { $0.text.hasSuffix("ready> ") }
        try shell.type("echo $?\n")
        try shell.waitForText("\n130\n")
        #expect(try shell.settings == before)
        try shell.type("exit 5\n")
        #expect(try shell.waitForEnd() == 5)
    }

    /// A shell may set its own settings after the program has come to the front.
    @Test func setsTheModeAgainThatAShellHasChanged() throws {
        let (program, _) = try Self.start()
        let mode = try program.settings
        try program.change { $0.c_lflag |= tcflag_t(ICANON | ECHO) }
        #expect(try program.settings != mode)
        try program.wait(for: "the mode of keys") { try $0.settings == mode }
        try program.type("d")
        try program.waitForText("the battery has 63 %\n")
    }

    /// In the background keys belong to the shell, and with `fg` to the device again.
    @Test func readsNoKeysInTheBackground() throws {
        let shell = try PseudoTerminalProgram(
            ["--norc", "--noprofile", "--noediting", "-i"], of: "/bin/bash", columns: 400,
            environment: [
                "PS1": "ready> ", "HALO": CommandLineProgram.program.path, "HISTFILE": "",
            ])
        try shell.waitForText("ready> ")
        let before = try shell.settings
        try shell.type("\"$HALO\" simulate ring --fake-bluez\n")
        try shell.waitForText("halo: keys: ")
        try shell.type("\u{1A}")
        try shell.wait(for: "a stopped job") { $0.text.hasSuffix("ready> ") }
        try shell.type("bg\n")
        for number in 1...3 {
            try shell.type("echo d$((\(number) + 10))\n")
            try shell.waitForText("d1\(number)\n")
        }
        try shell.type("jobs\n")
        try shell.waitForText("Running")
        #expect(try shell.settings == before)
        #expect(!shell.text.contains("the battery has"))
        try shell.type("fg\n")
        try shell.wait(for: "the mode of keys") { try $0.settings != before }
        try shell.type("d")
        try shell.waitForText("the battery has 63 %\n")
        try shell.type("\u{03}")
        try shell.wait(for: "the prompt") { $0.text.hasSuffix("ready> ") }
        #expect(try shell.settings == before)
        try shell.type("exit\n")
        try shell.waitForEnd()
    }

    /// The beginning of a control string, as Alt-P sends it, takes no later key with it.
    @Test func aKeyWithAltTakesNoOtherKey() throws {
        let (program, _) = try Self.start()
        for key in ["\u{1B}P", "\u{1B}"] {
            let before = program.text
            try program.type(key)
            // Keys that come at once could belong to it.
            var (presses, last) = (0, Date())
            try program.wait(for: "an answer") { program in
                if program.text == before, last.timeIntervalSinceNow < -0.2 {
                    presses += 1
                    last = Date()
                    try #require(presses < 100)
                    try program.type("w")
                }
                return program.text.count > before.count
            }
        }
    }

    // MARK: A command

    /// The keyboard belongs to the command.
    @Test func leavesTheKeysToACommand() throws {
        var before: [UInt64] = []
        let program = try PseudoTerminalProgram(
            [
                "simulate", "ring", "--fake-bluez", "--", "sh", "-c",
                "echo begun; read line; echo \"got $line\"; exit 5",
            ]
        ) { before = try PseudoTerminalProgram.settings(of: $0) }
        try program.waitForText("begun\n")
        #expect(try program.settings == before)
        try program.type("ddw\n")
        try program.waitForText("got ddw\n")
        #expect(try program.waitForEnd() == 5)
        #expect(!program.text.contains("the battery") && !program.text.contains("keys:"))
    }

    /// A terminal sends Ctrl-C to a command as well, so it is not sent again. This command is away
    /// from the terminal: it gets what is forwarded, and nothing else.
    @Test func forwardsSignalsButNotThoseOfTheTerminal() throws {
        let program = try PseudoTerminalProgram([
            "simulate", "ring", "--fake-bluez", "--", "setsid", "sh", "-c",
            """
            count=0; trap 'count=$((count + 1))' INT; echo begun
            until [ -e "$0" ]; do sleep 0.05; done
            # The system makes one signal of two that have not yet been taken.
            sleep 0.5; echo "from the terminal: $count"
            until [ $count -gt 0 ]; do sleep 0.05; done; echo "from outside: $count"
            """, folder.path("typed"),
        ])
        try program.waitForText("begun\n")
        try program.type("\u{03}")
        try program.waitForText("^C")
        _ = try folder.write([], to: "typed")
        try program.waitForText("from the terminal: 0\n")
        program.send(SIGINT)
        try program.waitForText("from outside: 1\n")
        #expect(try program.waitForEnd() == 0)
    }

    /// The light of the ring and its blinking are two commands.
    @Test func findsInTwoWays() throws {
        let (ring, address) = try Self.start()
        for (option, request, links) in [([], "FindDevice", 1), (["--blink"], "BlinkLight", 2)] {
            let outcome = try CommandLineProgram.run(["find", "--bus", address] + option)
            #expect(outcome.status == 0)
            try ring.wait(for: "the end of the link") {
                $0.text.components(separatedBy: "it disconnects").count == links + 1
            }
            let lines = Self.log(ring).filter { $0.contains("it writes uart: \(request) ") }
            #expect(lines.count == 1, "\(Self.log(ring))")
        }
    }

    @Test func theKeysChangeWhatAProgramReads() throws {
        let (ring, address) = try Self.start()
        for percent in [63, 43, 23, 3, 0] {
            try ring.type("d")
            try ring.waitForText("the battery has \(percent) %\n")
            guard percent == 43 else { continue }
            let outcome = try CommandLineProgram.run(["info", "--json", "--bus", address])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try outcome.objects.first?["battery"] as? Int == percent)
        }
    }

    // MARK: Other programs

    /// The log from the last connection on.
    private static func log(_ ring: PseudoTerminalProgram) -> [String] {
        let lines = ring.text.split(separator: "\n").map(String.init)
        let start = lines.lastIndex { $0.hasSuffix("a program connects") } ?? 0
        return Array(lines[start...])
    }

    /// Ctrl-C as soon as a measurement has begun: the ring is told, and then disconnected.
    @Test(arguments: ["hr", "spo2", "stress", "raw"]) func stopsTheMeasurement(kind: String) throws
    {
        let (ring, address) = try Self.start()
        let live = try PseudoTerminalProgram(["live", kind, "--json", "--bus", address])
        let isRaw = kind == "raw"
        try ring.waitForText("it writes uart: \(isRaw ? "RawSensor" : "RealtimeMeasurement")")
        let stop = "it writes uart: \(isRaw ? "RawSensor" : "StopMeasurement")"
        let before = Self.log(ring).count
        try live.type("\u{03}")
        #expect(try live.waitForEnd() == 130)
        try ring.waitForText("it disconnects")
        let after = Self.log(ring)[before...]
        let stopped = try #require(after.firstIndex { $0.contains(stop) }, "\(ring.text)")
        let ended = try #require(after.firstIndex { $0.hasSuffix("it disconnects") })
        #expect(stopped < ended)
    }

    /// Output that cannot be written ends a measurement as Ctrl-C does.
    @Test func stopsTheMeasurementWhenItsOutputFails() throws {
        let (ring, address) = try Self.start()
        let live = try PseudoTerminalProgram(
            ["-c", "\"$HALO\" live hr --json --bus \"$ADDRESS\" > /dev/full"], of: "/bin/bash",
            environment: ["HALO": CommandLineProgram.program.path, "ADDRESS": address])
        #expect(try live.waitForEnd() == 3)
        #expect(live.text == "halo: standard output: No space left on device\n")
        try ring.waitForText("it disconnects")
        let log = Self.log(ring)
        let stopped = try #require(log.firstIndex { $0.contains("StopMeasurement") })
        let ended = try #require(log.firstIndex { $0.hasSuffix("it disconnects") })
        #expect(stopped < ended)
    }

    @Test(arguments: [false, true]) func endsAfterALostLink(waitsForReturn: Bool) throws {
        let (ring, address) = try Self.start("strap")
        let live = try PseudoTerminalProgram(["live", "hr", "--bus", address])
        let settings = try live.settings
        try live.waitForScreen("measuring")
        try ring.type("l")
        if waitsForReturn {
            try ring.wait(for: "another connection") {
                $0.text.components(separatedBy: "a program connects").count == 3
            }
            try live.waitForScreen("measuring")
        } else {
            try live.waitForScreen("the link is lost, reconnecting")
        }
        try live.type("\u{03}")
        #expect(try live.waitForEnd() == 130)
        #expect(try live.settings == settings)
        #expect(!live.screen.isAlternate && live.screen.faults == [])
        #expect(live.text.contains("heart rate: "))
        // Nothing stays connected.
        if Self.log(ring).count > 1 { try ring.waitForText("it disconnects") }
        let scan = try CommandLineProgram.run(
            ["info", "--bus", address, "--device", "strap", "--json"])
        #expect(scan.status == 0, "\(scan)")
        #expect(try scan.objects.first?["location"] as? String == "chest")
    }

    /// A recording has a time, also when the device goes and does not come back.
    @Test(arguments: ["strap", "strip"]) func aRecordingEndsAlthoughTheLinkIsLost(
        device: String
    ) throws {
        let (simulator, address) = try Self.start(device)
        let record = try PseudoTerminalProgram([
            "record", "--for", "4s", "--bus", address, "--out", folder.path("lost.halo"),
        ])
        try simulator.waitForText("it subscribes")
        simulator.send(SIGKILL)
        _ = try simulator.waitForEnd()
        try record.waitForEnd()
        #expect(record.text.contains(#/ packets? in /#), "\(record.text)")
    }

    /// A signal in the middle of a request disconnects as well.
    @Test func disconnectsAtASignal() throws {
        let (ring, address) = try Self.start()
        let send = try PseudoTerminalProgram(["send", "690100", "--for", "1h", "--bus", address])
        try send.wait(for: "a reply") { $0.output.contains("← ") }
        try send.type("\u{03}")
        #expect(try send.waitForEnd() == 130)
        try ring.waitForText("it disconnects")
    }

    /// The daemon takes its time to disconnect: what was measured is shown before.
    @Test func showsTheSummaryBeforeItDisconnects() async throws {
        let fake = try await FakeBlueZ(timing: FakeTiming(disconnecting: .seconds(5)))
        let strap = fake.add(VirtualHeartRateSensor(beatsPerMinute: 60))
        let live = try PseudoTerminalProgram(["live", "hr", "--bus", try fake.listen()])
        try live.waitForScreen("measuring")
        try live.type("q")
        try live.waitForText("heart rate: ")
        #expect(strap.isConnected)
        #expect(try live.waitForEnd() == 0)
    }

    /// A program that does not wait for the end of its link may leave it to the daemon for ever.
    @Test func endsAfterItsLink() async throws {
        let fake = try await FakeBlueZ(timing: FakeTiming(disconnecting: .milliseconds(700)))
        let ring = fake.add(VirtualRing(.r02))
        let send = try PseudoTerminalProgram(
            ["send", "690100", "--for", "1h", "--bus", try fake.listen()])
        try send.wait(for: "a reply") { $0.output.contains("← ") }
        try send.type("\u{03}")
        #expect(try send.waitForEnd() == 130)
        #expect(!ring.isConnected)
    }
}
#endif
