#if os(Linux)
import Foundation
import TestSupport
import Testing

/// What the environment of a terminal asks for: colours, characters, or plain lines.
@Suite(.waitsForPrograms) struct TerminalEnvironmentTests {
    private static var colour: Regex<Substring> { #/\e\[[1-9][0-9;]*m/# }

    private static func run(
        _ arguments: [String], _ environment: [String: String]
    ) throws -> PseudoTerminalProgram {
        let program = try PseudoTerminalProgram(arguments, environment: environment)
        #expect(try program.waitForEnd() == 0)
        return program
    }

    @Test(arguments: [
        ["TERM": "dumb"], ["TERM": ""], ["TERM": "dumb", "LANG": "C"],
    ])
    func writesPlainLinesOnADumbTerminal(environment: [String: String]) throws {
        let live = try Self.run(LiveTerminalTests.strap + ["--count", "2"], environment)
        #expect(!live.output.contains("\u{1B}"))
        #expect(live.text.matches(of: #/(?m)^ *\d+\.\d  \d+ bpm/#).count == 2, "\(live.text)")
        let scan = try Self.run(["scan", "--virtual", "--for", "5s"], environment)
        #expect(!scan.output.contains("\u{1B}"))
        #expect(scan.text.contains("R02_2FCA  "))
    }

    /// The terminal does not break a word of an error.
    @Test func wrapsAnError() throws {
        let program = try PseudoTerminalProgram(["info", "--nonsense"], columns: 30)
        #expect(try program.waitForEnd() == 2)
        let lines = ["halo: unknown option", "'--nonsense'", "'halo help info' says more."]
        #expect(program.text == lines.map { $0 + "\n" }.joined())
    }

    /// Nor one of a remark.
    @Test func wrapsARemark() throws {
        let program = try PseudoTerminalProgram(["decode"], columns: 30)
        try program.waitForText("halo: reading hexadecimal, one\npacket per line, from standard\n")
        try program.type("\u{04}")
        #expect(try program.waitForEnd() == 0)
    }

    /// Without a locale of UTF-8, the picture is ASCII.
    @Test(arguments: [["LANG": "C"], ["LC_ALL": "POSIX", "LANG": "C.UTF-8"], ["LANG": ""]])
    func drawsWithASCIIInOtherLocales(environment: [String: String]) throws {
        let program = try PseudoTerminalProgram(LiveTerminalTests.strap, environment: environment)
        try program.waitForScreen("Virtual HR  measuring")
        #expect(program.screen.lines.joined().utf8.allSatisfy { $0 < 0x80 })
        #expect(program.screen.lines.contains { $0.contains("now'") })
        #expect(program.screen.faults == [])
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 130)
    }

    /// A case: more options, environment variables, and whether there are colours.
    struct Colours: Sendable {
        let options: [String]
        let environment: [String: String]
        let areThere: Bool
    }

    @Test(arguments: [
        Colours(options: [], environment: [:], areThere: true),
        Colours(options: ["--color", "auto"], environment: [:], areThere: true),
        Colours(options: [], environment: ["NO_COLOR": ""], areThere: true),
        Colours(options: [], environment: ["NO_COLOR": "1"], areThere: false),
        Colours(options: ["--color=never"], environment: [:], areThere: false),
        Colours(options: ["--color", "always"], environment: ["NO_COLOR": "1"], areThere: true),
    ])
    func writesColours(_ colours: Colours) throws {
        let live = try Self.run(
            LiveTerminalTests.strap + ["--count", "1"] + colours.options, colours.environment)
        #expect((live.output.firstMatch(of: Self.colour) != nil) == colours.areThere)
        let setting = try Self.run(
            ["settings", "goals", "--virtual"] + colours.options, colours.environment)
        #expect((setting.output.firstMatch(of: Self.colour) != nil) == colours.areThere)
    }

    @Test(arguments: [("always", true), ("auto", false), ("never", false)])
    func colorsOffATerminal(_ choice: String, _ areThere: Bool) throws {
        let outcome = try CommandLineProgram.run(
            ["settings", "goals", "--virtual", "--color", choice])
        #expect((outcome.output.firstMatch(of: Self.colour) != nil) == areThere)
        #expect(outcome.status == 0)
    }

    @Test func writesLinesOffATerminal() throws {
        let outcome = try CommandLineProgram.run(
            LiveTerminalTests.strap + ["--count", "3", "--quiet"],
            environment: ["TERM": "xterm-256color"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 3)
        #expect(outcome.lines.allSatisfy { $0.contains(" bpm") })
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errorOutput == "")
    }

    /// Lines are not buffered: the first one is read while the program goes on.
    @Test(arguments: [
        "live hr --virtual=strap", "live hr --virtual=strap --json",
        "scan --virtual --json", "scan --virtual", "send 99 --for 1h --virtual=r02,speed=1",
    ])
    func writesEachLineAtOnce(command: String) throws {
        let outcome = try CommandLineProgram.runShell(
            """
            exec 3< <("$0" \(command) 2> /dev/null); child=$!
            read -r line <&3; kill $child; wait $child; echo "$? $line"; grep -c . <&3
            """)
        // Time is real: what comes meanwhile is little.
        #expect(try #require(outcome.lines.last.flatMap { Int($0) }) < 100, "\(outcome)")
        let words = try #require(outcome.lines.first).split(separator: " ", maxSplits: 1)
        #expect(words.first == "143")
        if command.hasSuffix("--json") {
            let object = try JSONSerialization.jsonObject(with: Data(try #require(words.last).utf8))
            let type = (object as? [String: Any])?["type"] as? String
            #expect(["device", "value", "state"].contains(type))
        } else {
            #expect(words.last?.contains(#/ bpm| dBm|→ /#) == true)
        }
    }

    /// The output of a program whose reader goes away.
    @Test(arguments: [
        "live hr --virtual=strap", "live hr --virtual=strap --json", "scan --virtual",
        "live motion --virtual=r02",
    ])
    func endsWithItsReader(command: String) throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" \(command) 2> errors | head -1 > line; echo ${PIPESTATUS[0]}; cat errors")
        #expect(outcome.lines.first == "141")
        #expect(!outcome.output.contains("ipe"))
    }

    @Test(arguments: [
        "live hr --virtual=strap --count 1", "scan --virtual --for 3s", "info --virtual",
        "settings --virtual", "find --virtual", "send 03 --virtual", "use", "help",
        "help scan", "live --help", "version", "completions bash", "help --man",
    ])
    func reportsAClosedOutput(command: String) throws {
        let outcome = try CommandLineProgram.runShell("\"$0\" \(command) >&-; echo $? >&2")
        #expect(outcome.errorOutput.contains("halo: standard output: "), "\(outcome)")
        #expect(outcome.errorOutput.hasSuffix("\n3\n"))
    }

    @Test(arguments: ["info --virtual", "live hr --virtual=strap --count 1", "use"])
    func needsNoInputAndNoHome(command: String) throws {
        let outcome = try CommandLineProgram.runShell(
            "unset HOME XDG_CONFIG_HOME; \"$0\" \(command) <&-")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.output.isEmpty)
    }

    /// A process that can open only a few files reports what it cannot do.
    @Test(arguments: 5...16)
    func reportsThatNoFileCanBeOpened(limit: Int) throws {
        let folder = TestFolder()
        for command in [
            "live hr --count 1 --virtual=strap", "info --fake-bluez", "use",
            "scan --bus unix:path=/nowhere", "simulate ring --fake-bluez -- true",
            "record --virtual=strap --for 3s --force --out \(folder.path("a"))", "help",
        ] {
            let outcome = try CommandLineProgram.runShell(
                "ulimit -n \(limit); ulimit -c 0; exec \"$0\" \(command)")
            #expect([0, 3].contains(outcome.status), "\(command): \(outcome)")
            let isReported = outcome.errorOutput.contains("halo: ")
            #expect(isReported || outcome.status == 0, "\(command): \(outcome)")
        }
    }
}
#endif
