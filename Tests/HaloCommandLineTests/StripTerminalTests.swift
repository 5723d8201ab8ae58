#if os(Linux)
import Foundation
import Testing

@testable import halo

/// `halo strip pulse` on a pseudo-terminal.
@Suite(.takesTurns, .waitsForPrograms, .timeLimit(.minutes(20))) struct StripTerminalTests {
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
        #expect(program.screen.lines.last == "Ctrl-C ends")
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
            halo: the link is lost

            """)
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == 128 + SIGTERM)
    }

    @Test func withoutATerminalForPicturesThereAreLines() throws {
        let program = try PseudoTerminalProgram(
            Self.pulse + ["--virtual", "--for", "5s"], columns: 80, rows: 24,
            environment: ["TERM": "dumb"])
        #expect(try program.waitForEnd() == 0)
        let lines = program.text.split(whereSeparator: \.isNewline)
        #expect(lines.count { $0.hasSuffix(" bpm") } >= 3, "\(program.text)")
        #expect(!program.output.contains("\u{1B}"))
    }
}
#endif
