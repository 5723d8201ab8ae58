#if os(Linux)
import Foundation
import HaloCapture
import TestSupport
import Testing

/// Simulated devices without a keyboard: lines of standard input, scripts, faults, recordings and
/// JSON.
@Suite(.takesTurns, .waitsForPrograms) struct SimulateControlTests {
    private let folder = TestFolder()

    /// A simulated device that reads lines of a pipe, and prints JSON.
    private final class Simulator {
        let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private let errors = Pipe()

        init(_ arguments: [String], hasSmallPipes: Bool = false) throws {
            if hasSmallPipes {
                for pipe in [input, output] {
                    // F_SETPIPE_SZ, a name that Swift does not see. A page is the least.
                    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, 4096 as Int32)
                }
            }
            process.executableURL = CommandLineProgram.program
            process.arguments = ["simulate", "--json", "--fake-bluez"] + arguments
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try CommandLineProgram.start(process)
        }

        deinit { kill(process.processIdentifier, SIGKILL) }

        func write(_ text: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        }

        func closeInput() throws { try input.fileHandleForWriting.close() }

        /// The next line, as a JSON object.
        func next() throws -> [String: Any] {
            let line = try output.readLine()
            try #require(line != "", "the end of the output")
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }

        /// The next line of a type, as a JSON object.
        func next(_ type: String) throws -> [String: Any] {
            while true {
                let members = try next()
                if members["type"] as? String == type { return members }
            }
        }

        func remark() throws -> String { try errors.readLine() }

        /// Ends the device by a signal, and returns its remaining remarks.
        func end() -> String {
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
            #expect(process.terminationStatus == SIGTERM)
            return String(
                decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
    }

    /// A command of the shell that runs the program, with its path in `$0`.
    private static func shell(_ script: String) -> [String] {
        ["--", "sh", "-c", script, CommandLineProgram.program.path]
    }

    @Test func obeysLinesOfStandardInput() throws {
        let simulator = try Simulator(["ring"])
        let bus = try simulator.next("bus")
        #expect((bus["address"] as? String)?.hasPrefix("unix:abstract=") == true)
        let device = try simulator.next("device")
        #expect(device["address"] as? String == "C0:DE:00:00:00:01")
        try simulator.write("battery 30; take-off\n")
        let battery = try simulator.next("command")
        #expect(battery["command"] as? String == "battery")
        #expect(battery["result"] as? String == "the battery has 30 %")
        #expect(battery["device"] as? String == device["name"] as? String)
        #expect(battery["seconds"] as? Double ?? -1 >= 0)
        #expect(try simulator.next("command")["result"] as? String == "the ring is off the finger")
        // A command that changes nothing says so.
        try simulator.write("take-off\n")
        let nothing = try simulator.next("command")
        #expect(nothing["command"] as? String == "take-off" && nothing["result"] is NSNull)
        // A mistake is a remark, and the simulation goes on.
        try simulator.write("drain; \u{1B}tke-off\n")
        let remark = try simulator.remark()
        #expect(remark.hasPrefix("halo: standard input, line 3, column 8: a ring takes one of "))
        #expect(!remark.contains("\u{1B}"))
        // The last line needs no end, and the end of the input is not that of the simulation.
        try simulator.write("drain")
        try simulator.closeInput()
        #expect(try simulator.next("command")["result"] as? String == "the battery has 10 %")
        let outcome = try CommandLineProgram.run(
            ["info", "--json", "--bus", try #require(bus["address"] as? String)])
        #expect(outcome.status == 0)
        #expect(try outcome.objects.first?["battery"] as? Int == 10)
        #expect(simulator.end() == "")
    }

    /// With `-`, lines of a terminal are commands, and no key is read.
    @Test func readsLinesOfATerminal() throws {
        let program = try PseudoTerminalProgram(
            ["simulate", "ring", "--fake-bluez", "--script", "-"])
        try program.waitForText("Ctrl-C ends it\n")
        try program.type("battery 5\n")
        try program.waitForText("halo: the battery has 5 %\n")
        #expect(!program.text.contains("keys: "))
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
    }

    /// Times count from the start; those that have passed are now, and equal ones keep their order.
    @Test func waitsForTheTimesOfCommands() throws {
        let script = try folder.write(
            "300ms take-off; 300ms put-on\n300ms battery 1 # \n0s battery 90".utf8, to: "script")
        let simulator = try Simulator(["ring", "--script", script])
        var results: [String?] = []
        for _ in 0..<4 {
            let command = try simulator.next("command")
            results.append(command["result"] as? String)
            let seconds = try #require(command["seconds"] as? Double)
            #expect(seconds >= (results.count == 1 ? 0 : 0.3))
        }
        #expect(
            results == [
                "the battery has 90 %", "the ring is off the finger", "the ring is on the finger",
                "the battery has 1 %",
            ])
        try simulator.write("1ms battery 7; 24h battery 8; battery 9\n")
        #expect(try simulator.next("command")["result"] as? String == "the battery has 7 %")
        #expect(try simulator.next("command")["result"] as? String == "the battery has 9 %")
        #expect(simulator.end() == "")
    }

    /// No line is too long, and not too many commands wait.
    @Test func boundsStandardInput() throws {
        let simulator = try Simulator(["strap"])
        try simulator.write("#" + String(repeating: "x", count: 4095) + "\n")
        try simulator.write(String(repeating: "x", count: 4097) + "\n")
        #expect(
            try simulator.remark()
                == "halo: standard input, line 2, column 1: a line has at most 4096 bytes")
        for _ in 0..<100 { try simulator.write(String(repeating: "24h drain;", count: 11) + "\n") }
        #expect(try simulator.remark().contains("'drain' is dropped: 1000 commands wait already"))
        try simulator.write("take-off\n")
        #expect(try simulator.next("command")["result"] as? String == "the strap is off the skin")
        _ = simulator.end()
    }

    /// Lines that nobody reads are dropped, and counted.
    @Test func countsTheLinesThatAreDropped() throws {
        let simulator = try Simulator(["strap"], hasSmallPipes: true)
        // More than the pipes of input and output hold, also where a page has 64 KiB.
        let line = "drain #" + String(repeating: " ", count: 200) + "\n"
        try simulator.write(String(repeating: line, count: 1500))
        var (written, dropped) = (0, 0)
        while written + dropped < 1500 {
            let object = try simulator.next()
            switch object["type"] as? String {
            case "command": written += 1
            case "dropped": dropped += try #require(object["count"] as? Int)
            default: continue
            }
        }
        #expect(written + dropped == 1500 && dropped > 100)
        #expect(try simulator.remark().hasSuffix(" dropped: the output is too slow"))
        _ = simulator.end()
    }

    /// The text of a script, and the end of the message.
    private static let wrongScripts = [
        ("10s take-off\n  20s putt-on\n", "line 2, column 7: ", "did you mean 'put-on'?"),
        ("5x drain", "line 1, column 1: ", "not '5x'"),
        ("switch-on", "line 1, column 1: ", "not 'switch-on'"),
        (
            String(repeating: "drain\n", count: 1001), "line 1001, column 1: ",
            "a script has at most 1000 commands"
        ),
        (
            String(repeating: "drain\n", count: 1000) + "tke-off", "line 1001, column 1: ",
            "did you mean 'take-off'?"
        ),
    ]

    @Test func refusesAWrongScript() throws {
        for (text, place, message) in Self.wrongScripts {
            let script = try folder.write(text.utf8, to: "script")
            let outcome = try CommandLineProgram.run(
                ["simulate", "ring", "--fake-bluez", "--script", script])
            #expect(outcome.status == 2 && outcome.output == "")
            let line = outcome.errorOutput.split(separator: "\n").first ?? ""
            #expect(line.hasPrefix("halo: \"\(script)\", \(place)"), "\(line)")
            #expect(line.hasSuffix(message), "\(line)")
        }
        let long = try folder.write(Data(count: 1 << 19), to: "long")
        for (file, part) in [(long, "at most 262144 bytes"), (folder.path("none"), "No such file")]
        {
            let outcome = try CommandLineProgram.run(
                ["simulate", "ring", "--fake-bluez", "--script", file])
            #expect(outcome.status == 3 && outcome.errorOutput.contains(part), "\(outcome)")
        }
    }

    /// A command has standard input to itself, and the script controls its device.
    @Test func aScriptLosesTheLinkOfACommand() throws {
        // While it is connected: a busy computer starts it later.
        let script = try folder.write(
            "battery 20; 6s lose-link; 10s lose-link; 14s lose-link".utf8, to: "script")
        let outcome = try CommandLineProgram.run(
            ["simulate", "ring", "--fake-bluez", "--script", script]
                + Self.shell("\"$0\" info --json; \"$0\" record --for 10s --out $(mktemp -u)"),
            input: Data("drain\n".utf8), environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.output.contains("\"battery\":20"))
        #expect(outcome.errorOutput.contains("halo: the link is lost\n"), "\(outcome)")
        #expect(!outcome.errorOutput.contains("halo: the battery has 0 %"))
    }

    /// The activity of yesterday: a ring that was not worn has none.
    @Test func beginsWithABatteryAndAHistory() throws {
        for (days, isEmpty) in [("0", true), ("2", false)] {
            let outcome = try CommandLineProgram.run(
                ["simulate", "ring", "--fake-bluez", "--battery", "7", "--days", days]
                    + Self.shell("\"$0\" send 03 --json; \"$0\" send 43010F005F01 --json"),
                environment: ["PATH": "/usr/bin:/bin"])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("\"input\":\"0307"))
            #expect(outcome.output.contains("\"input\":\"43FF") == isEmpty)
        }
        let strap = try CommandLineProgram.run(
            ["simulate", "strap", "--fake-bluez", "--battery", "0"]
                + Self.shell("\"$0\" info --json"),
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(try strap.object["battery"] as? Int == 0)
    }

    /// A request without a reply is sent again, and a delayed one takes longer.
    @Test func aRingHasFaults() throws {
        let run = { (faults: [String]) in
            try CommandLineProgram.run(
                ["simulate", "ring", "--fake-bluez"] + faults.flatMap { ["--fault", $0] }
                    + Self.shell("\"$0\" info --json"),
                environment: ["PATH": "/usr/bin:/bin"])
        }
        let plain = try run([])
        let requests = { (outcome: CommandLineProgram.Outcome) in
            outcome.errorOutput.components(separatedBy: "it writes uart: Battery 03").count - 1
        }
        #expect(plain.status == 0 && requests(plain) == 1)
        let silent = try run(["battery:silence:1"])
        #expect(silent.status == 0 && requests(silent) == 2, "\(silent.errorOutput)")
        let late = try run(["0x03:delay=200ms"])
        #expect(late.status == 0 && requests(late) == 1)
        let refused = try run(["Battery:refuse"])
        #expect(refused.status == 0 && refused.output.contains("\"battery\":null"), "\(refused)")
        let closed = try run(["battery:disconnect:1"])
        #expect(closed.errorOutput.contains("it disconnects"))
    }

    /// A fault of one word is an anomaly: this ring refuses the log of stress that it promises.
    @Test func aRingHasAnomalies() throws {
        for (fault, isRefused) in [("Refused-Ability", true), ("lost-slots", false)] {
            let outcome = try CommandLineProgram.run(
                ["simulate", "ring", "--fake-bluez", "--fault", fault]
                    + Self.shell("\"$0\" send 37 --json"),
                environment: ["PATH": "/usr/bin:/bin"])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("\"input\":\"B7EE") == isRefused)
        }
    }

    /// A wrong fault, and a part of the message.
    private static let wrongFaults = [
        ("battery", "takes PACKET:EFFECT or PACKET:EFFECT:N"),
        ("battery:silence:1:2", "takes PACKET:EFFECT or PACKET:EFFECT:N"),
        ("batery:silence", "no request is called 'batery'"), ("batery:silence", "'Battery'?"),
        ("0x:silence", "no request is called '0x'"), ("0x+3:silence", "no request is called"),
        ("0x003:silence", "no request is called"),
        ("battery:silent", "takes one of silence, refuse, disconnect, delay=TIME, not 'silent'"),
        ("battery:delay", "delay=TIME, not 'delay'"), ("battery:delay=2", "2h or 500ms"),
        ("battery:silence:0", "1 or more, not '0'"), ("battery:silence:x", "1 or more, not 'x'"),
        ("0xA1:refuse", "a ring cannot refuse A1"), ("lost-slot", "did you mean 'lost-slots'?"),
        ("bad-weeks", "did you mean 'bad-week'?"), ("", "refused-ability, bad-week, not ''"),
    ]

    @Test func refusesWrongFaults() async throws {
        for (fault, part) in Self.wrongFaults {
            let outcome = try await CommandLineProgram.call(
                ["simulate", "ring", "--fake-bluez", "--fault", fault])
            #expect(outcome.status == 2 && outcome.errorOutput.contains(part), "\(outcome)")
        }
    }

    /// What programs do is recorded, and the recording is a device for other programs.
    @Test func recordsAndReplays() throws {
        let capture = folder.path("app.halo")
        let simulate = { (arguments: [String]) in
            try CommandLineProgram.run(
                ["simulate", "--fake-bluez"] + arguments + Self.shell("\"$0\" find"),
                environment: ["PATH": "/usr/bin:/bin"])
        }
        #expect(try simulate(["ring", "--record", capture]).status == 0)
        let recorded = try Capture(contentsOf: capture)
        #expect(recorded.lines.contains { $0.packet?.bytes.first == 0x50 })
        let text = String(decoding: try folder.bytes("app.halo"), as: UTF8.self)
        let name = try #require(text.firstMatch(of: #/\n# name: (R02_.*)\n/#)).1
        #expect(text.contains("\n# address: C0:DE:00:00:00:01\n"))

        // An existing file is replaced only on demand, and never by nothing.
        let before = try folder.bytes("app.halo")
        let again = try simulate(["ring", "--record", capture])
        #expect(again.status == 3 && again.errorOutput.contains("--force replaces it"))
        let nothing = try CommandLineProgram.run(
            ["simulate", "ring", "--fake-bluez", "--record", capture, "--force", "--", "true"],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(nothing.errorOutput.contains("nothing was recorded: no program has connected"))
        #expect(try folder.bytes("app.halo") == before)

        let replayed = try simulate(["--replay", capture, "--record", folder.path("again.halo")])
        #expect(replayed.status == 0, "\(replayed)")
        #expect(replayed.errorOutput.contains("\(name) is at "))
        #expect(replayed.errorOutput.contains(", not found: 0. "))
        let second = try Capture(contentsOf: folder.path("again.halo"))
        #expect(second.lines.contains { $0.packet?.bytes.first == 0x50 })
        let secondText = String(decoding: try folder.bytes("again.halo"), as: UTF8.self)
        #expect(secondText.contains("\n# name: \(name)\n"))

        let simulator = try Simulator(["--replay", capture])
        #expect(try simulator.next("device")["name"] as? String == String(name))
        try simulator.write("drain\n")
        #expect(
            try simulator.remark()
                == "halo: standard input, line 1, column 1: "
                + "a recording takes one of lose-link, not 'drain'")
        _ = simulator.end()
        let missing = try simulate(["--replay", folder.path("none.halo")])
        #expect(missing.status == 3 && missing.errorOutput.contains("No such file"))
    }

    /// Several devices are recorded as several links of a capture.
    @Test func recordsSeveralDevices() throws {
        let capture = folder.path("both.halo")
        let outcome = try CommandLineProgram.run(
            ["simulate", "ring", "--fake-bluez", "--with", "strap", "--record", capture]
                + Self.shell("\"$0\" find && \"$0\" info --device strap"),
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 0, "\(outcome)")
        let text = String(decoding: try folder.bytes("both.halo"), as: UTF8.self)
        #expect(text.contains("link-2"))
        #expect(try CommandLineProgram.run(["replay", capture]).status == 0)
    }

    /// A recording that cannot be made is an error before a program uses the device.
    @Test func refusesAFileThatCannotBeMade() throws {
        let outcome = try CommandLineProgram.run(
            ["simulate", "ring", "--fake-bluez", "--record", "/dev/full", "--force"]
                + Self.shell("echo begun"), environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 3 && outcome.output == "")
        #expect(outcome.errorOutput.contains("cannot be created"), "\(outcome)")
    }

    /// A recording that fails later does not end the simulation.
    @Test func reportsARecordingThatFails() throws {
        let outcome = try CommandLineProgram.runShell(
            "trap '' XFSZ; ulimit -f 1; \"$0\" simulate ring --fake-bluez --record a.halo -- "
                + "\"$0\" find")
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.errorOutput.contains("it disconnects\n"))
        #expect(outcome.errorOutput.contains("File too large"), "\(outcome)")
    }

    /// The events of a ring and of a strip as JSON.
    @Test func printsEventsAsJSON() throws {
        let log = folder.path("log")
        let ring = try CommandLineProgram.run(
            ["simulate", "ring", "--fake-bluez", "--json"]
                + Self.shell("\"$0\" record --days 1 --for 1s --out \(log) >/dev/null"),
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(ring.status == 0, "\(ring)")
        let rows = try ring.objects
        #expect(rows.first?["type"] as? String == "bus")
        let types = Set(rows.compactMap { $0["type"] as? String })
        #expect(
            types == [
                "bus", "device", "connected", "read", "write", "subscription", "disconnected",
            ])
        let writes = rows.filter { $0["type"] as? String == "write" }
        let battery = try #require(writes.first { $0["packet"] as? String == "Battery" })
        #expect(battery["code"] as? String == "03" && battery["attribute"] as? String == "uart")
        #expect(battery["bytes"] as? String == "03000000000000000000000000000003")
        let sleep = try #require(writes.first { $0["attribute"] as? String == "bigdata" })
        #expect(sleep["packet"] is String && sleep["code"] is NSNull)
        let switched = rows.filter { $0["type"] as? String == "subscription" }
        #expect(switched.contains { $0["isOn"] as? Bool == true })

        let strip = try Simulator(["strip"])
        #expect(try strip.next("light")["light"] is String)
        try strip.write("switch-off\n")
        #expect(try strip.next("light")["light"] as? String == "off")
        #expect(try strip.next("command")["command"] as? String == "switch-off")
        #expect(strip.end() == "")
    }
}
#endif
