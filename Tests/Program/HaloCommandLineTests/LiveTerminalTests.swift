#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import halo

/// Live pictures on a pseudo-terminal.
@Suite(.waitsForPrograms) struct LiveTerminalTests {
    /// A strap, which has its first value at once.
    static let strap = ["live", "hr", "--virtual=strap"]

    /// Settings of a terminal that no program sets by itself.
    private static func makeOdd(_ terminal: Int32) throws {
        try PseudoTerminalProgram.change(terminal) { settings in
            settings.c_lflag &= ~tcflag_t(ECHOE)
            settings.c_iflag |= tcflag_t(INLCR)
            withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VMIN)] = 7 }
        }
    }

    /// Starts the program on a terminal with odd settings.
    private static func start(
        _ arguments: [String], columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:]
    ) throws -> (PseudoTerminalProgram, settings: [UInt64]) {
        var settings: [UInt64] = []
        let program = try PseudoTerminalProgram(
            arguments, columns: columns, rows: rows, environment: environment
        ) { terminal in
            try makeOdd(terminal)
            settings = try PseudoTerminalProgram.settings(of: terminal)
        }
        return (program, settings)
    }

    /// Checks that the program has left the terminal as it was.
    private static func checkLeft(
        _ program: PseudoTerminalProgram, _ settings: [UInt64],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try program.settings == settings, sourceLocation: sourceLocation)
        let screen = program.screen
        #expect(!screen.isAlternate && screen.isCursorVisible, sourceLocation: sourceLocation)
        #expect(screen.wraps && !screen.isUpdating, sourceLocation: sourceLocation)
        #expect(screen.faults == [], sourceLocation: sourceLocation)
        #expect(!program.text.contains("\u{1B}"), sourceLocation: sourceLocation)
    }

    /// Waits for a value; on a terminal with room for two charts, also for a beat.
    private static func waitForValues(_ program: PseudoTerminalProgram) throws {
        try program.wait(for: "a heart rate") { program in
            program.screen.isAlternate
                && program.screen.lines.first?.firstMatch(of: #/ \d+ bpm/#) != nil
        }
        if program.screen.rows >= 17 { try program.waitForScreen("beat interval") }
    }

    // MARK: Sizes

    @Test(arguments: [(60, 20), (80, 24), (200, 50), (20, 5), (10, 3), (1, 1)])
    func fitsTheTerminal(columns: Int, rows: Int) throws {
        let (program, settings) = try Self.start(Self.strap, columns: columns, rows: rows)
        if columns >= 20 {
            try Self.waitForValues(program)
            #expect(program.screen.lines.first?.hasPrefix("heart rate  ") == true)
        } else {
            try program.wait(for: "a picture") { $0.screen.lines.first?.isEmpty == false }
        }
        Self.checkPicture(program.screen)
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
        try Self.checkLeft(program, settings)
        #expect(program.text.contains("heart rate"))
    }

    /// Checks that a picture fills the screen: its last line is the last row.
    private static func checkPicture(
        _ screen: TerminalEmulator, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(screen.faults == [], sourceLocation: sourceLocation)
        #expect(!screen.lines.contains { $0.contains("xx") }, sourceLocation: sourceLocation)
        guard screen.columns >= 20 else { return }
        #expect(screen.lines.last == "q or Ctrl-C to quit", sourceLocation: sourceLocation)
        #expect(
            screen.lines.dropLast().last?.hasPrefix("Virtual HR  ") == true,
            sourceLocation: sourceLocation)
        let hasBeats = screen.lines.contains { $0.hasPrefix("beat interval  ") }
        #expect(hasBeats || screen.rows < 17, sourceLocation: sourceLocation)
        guard screen.columns >= 40, screen.rows > 6 else { return }
        let chart = screen.lines[screen.rows - 3]
        #expect(chart.hasSuffix("now╵"), sourceLocation: sourceLocation)
        #expect(chart.count == screen.columns, sourceLocation: sourceLocation)
    }

    @Test func followsTheSizeOfTheTerminal() throws {
        let (program, settings) = try Self.start(Self.strap)
        try Self.waitForValues(program)
        for (columns, rows) in [(120, 40), (41, 17), (20, 5), (200, 50), (80, 24)] {
            try program.resize(columns: columns, rows: rows)
            try program.waitForScreen("q or Ctrl-C to quit")
            #expect(program.screen.columns == columns && program.screen.rows == rows)
            Self.checkPicture(program.screen)
        }
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
        try Self.checkLeft(program, settings)
    }

    // MARK: The end

    /// A way to end a program from outside.
    enum Ending: CaseIterable {
        case key, interrupt, terminate, hangUp, quit

        var signal: Int32 {
            switch self {
            case .key, .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            }
        }

        func end(_ program: PseudoTerminalProgram) throws {
            if self == .key { try program.type("\u{03}") } else { program.send(signal) }
        }
    }

    @Test(arguments: Ending.allCases) func endsWhileItLooksForADevice(_ ending: Ending) throws {
        let (program, settings) = try Self.start(Self.strap + ["--device", "ring", "--wait", "1h"])
        try program.wait(for: "the search") {
            $0.text.contains(#/looking for a ring: \d+ s, at most 1 h/#)
        }
        try ending.end(program)
        #expect(try program.waitForEnd() == 128 + ending.signal)
        try Self.checkLeft(program, settings)
        #expect(!program.text.contains("looking for a ring:"))
        #expect(!program.output.contains("\u{1B}[?"))
    }

    @Test func looksForAnLEDStrip() throws {
        let (program, _) = try Self.start(Self.strap + ["--device", "strip", "--wait", "1h"])
        try program.waitForText("looking for an LED strip: ")
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 130)
    }

    @Test(arguments: Ending.allCases) func endsWhileTheDeviceWarmsUp(_ ending: Ending) throws {
        let (program, settings) = try Self.start(["live", "hr", "--virtual=r02"])
        try program.waitForScreen("R02_2FCA  warming up")
        #expect(try program.settings != settings)
        try ending.end(program)
        #expect(try program.waitForEnd() == 128 + ending.signal)
        try Self.checkLeft(program, settings)
        #expect(program.text.hasSuffix("no value of heart rate\n"))
    }

    @Test(arguments: Ending.allCases) func endsWhileItShowsValues(_ ending: Ending) throws {
        let (program, settings) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        try ending.end(program)
        #expect(try program.waitForEnd() == 128 + ending.signal)
        try Self.checkLeft(program, settings)
        let summary = #/heart rate: \d+ values?, \d+ to \d+ bpm, mean \d+ bpm\n$/#
        #expect(program.text.firstMatch(of: summary) != nil, "\(program.text)")
    }

    /// Ctrl-S stops all output: the first signal cannot end the picture, the second one need not.
    ///
    /// Signals that come together reach different threads, in any order.
    @Test func endsWhileTheTerminalTakesNoOutput() throws {
        let (program, settings) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        try program.type("\u{13}")
        try program.resize(columns: 100, rows: 30)
        program.send(SIGTERM)
        program.send(SIGHUP)
        #expect([128 + SIGHUP, 128 + SIGTERM].contains(try program.waitForEnd()))
        #expect(try program.settings == settings)
    }

    /// A terminal that is closed takes the program with it.
    @Test func endsWithItsTerminal() throws {
        let (program, _) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        program.hangUp()
        #expect(program.status == 128 + SIGHUP)
    }

    /// The key `q` is no signal: the program ends as if all was done.
    @Test func endsByAKey() throws {
        let (program, settings) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        try program.type("xQ")
        try program.type("q")
        #expect(try program.waitForEnd() == 0)
        try Self.checkLeft(program, settings)
        #expect(program.text.contains("heart rate: "))
    }

    /// After a stop, keys are read again.
    @Test func endsByAKeyAfterAStop() throws {
        let (program, settings) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        try program.type("\u{1A}")
        try program.waitForStop()
        program.resume()
        try Self.waitForValues(program)
        try program.type("q")
        #expect(try program.waitForEnd() == 0)
        try Self.checkLeft(program, settings)
    }

    /// While a ring warms up there is a countdown, and no axis of values that are not there.
    @Test func countsDownToTheFirstValue() throws {
        let (program, _) = try Self.start(["live", "hr", "--virtual=r02"])
        try program.wait(for: "a countdown") { program in
            program.screen.lines.contains {
                $0.firstMatch(of: #/R02_2FCA  warming up, first value in about 2[3-6] s/#) != nil
            }
        }
        #expect(!program.screen.lines.contains { $0.contains("┤") || $0.contains("now") })
        try program.type("q")
        #expect(try program.waitForEnd() == 0)
        #expect(program.text.hasSuffix("no value of heart rate\n"))
    }

    /// The picture says at once why a ring may have no value.
    @Test func showsTheDoubtAboutARing() throws {
        let (program, _) = try Self.start(["live", "hrv", "--virtual=r02"], columns: 50)
        try program.waitForScreen("This ring might not measure it: an R02 said that")
        #expect(program.screen.lines.contains("it does not."))
        #expect(!program.screen.lines.contains { $0.contains("first value in") })
        try program.type("q")
        #expect(try program.waitForEnd() == 0)
    }

    @Test func endsByItselfAfterItsValues() throws {
        let (program, settings) = try Self.start(Self.strap + ["--count", "2"])
        #expect(try program.waitForEnd() == 0)
        try Self.checkLeft(program, settings)
        #expect(program.text.contains("heart rate: 2 values, "))
    }

    /// An error is read below the picture, not in it.
    @Test func showsAnErrorAfterThePicture() throws {
        let (program, settings) = try Self.start(["live", "raw", "--virtual=r12,speed=10"])
        #expect(try program.waitForEnd() == 3)
        try Self.checkLeft(program, settings)
        #expect(program.text.contains("halo: the device "))
    }

    // MARK: Ctrl-Z

    @Test func leavesTheScreenWhileItIsStopped() throws {
        let (program, settings) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        for _ in 0..<2 {
            try program.type("\u{1A}")
            try program.waitForStop()
            try Self.checkLeft(program, settings)
            program.resume()
            try Self.waitForValues(program)
            #expect(try program.settings != settings)
            Self.checkPicture(program.screen)
        }
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
        try Self.checkLeft(program, settings)
        #expect(program.text.contains("heart rate: "))
    }

    /// The settings of a terminal and its size may change while the program is stopped.
    @Test func takesTheTerminalAsItIsAfterAStop() throws {
        let (program, before) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        try program.type("\u{1A}")
        try program.waitForStop()
        try program.change { $0.c_lflag |= tcflag_t(ECHOE) }
        let settings = try program.settings
        #expect(settings != before)
        try program.resize(columns: 100, rows: 30)
        program.resume()
        try program.waitForScreen("Virtual HR  measuring")
        try Self.waitForValues(program)
        Self.checkPicture(program.screen)
        #expect(program.screen.columns == 100)
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == 128 + SIGTERM)
        try Self.checkLeft(program, settings)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func endsAfterASignalDuringAStop(signal: Int32) throws {
        let (program, settings) = try Self.start(Self.strap)
        try program.waitForScreen("Virtual HR  measuring")
        try program.type("\u{1A}")
        try program.waitForStop()
        program.send(signal)
        program.resume()
        #expect(try program.waitForEnd() == 128 + signal)
        try Self.checkLeft(program, settings)
    }

    // MARK: Scanning

    private static let scanned = "\(DeviceKind.all.count) devices; Ctrl-C to quit"

    @Test func keepsTheDevicesOfAScan() throws {
        let (program, settings) = try Self.start(["scan", "--virtual"], rows: 8)
        try program.waitForScreen(Self.scanned)
        #expect(program.screen.lines.first?.hasPrefix("NAME ") == true)
        try program.resize(columns: 60, rows: 12)
        try program.waitForScreen(Self.scanned)
        let last = DeviceKind.all.count + 2
        #expect(program.screen.lines[last] == Self.scanned)
        #expect(program.screen.lines[(last + 1)...].allSatisfy { $0 == "" })
        #expect(!program.text.contains("R02_2FCA"))
        try program.type("\u{03}")
        #expect(try program.waitForEnd() == 128 + SIGINT)
        try Self.checkLeft(program, settings)
        #expect(program.text.contains("R02_2FCA  ") && program.text.contains("Virtual HR  "))
    }

    /// The daemon ends: the scan is over, and says why below the picture.
    @Test(.takesTurns) func aScanEndsWithItsBus() throws {
        let (simulator, address) = try SimulatorTerminalTests.start()
        let (program, settings) = try Self.start(["scan", "--bus", address])
        try program.waitForScreen("1 device; Ctrl-C to quit")
        simulator.send(SIGKILL)
        #expect(try program.waitForEnd() == 3)
        try Self.checkLeft(program, settings)
        #expect(program.text.hasPrefix("halo: Bluetooth cannot be used: "), "\(program.text)")
    }

    /// A terminal with too few rows shows the first devices.
    @Test func aScanFitsASmallTerminal() throws {
        let (program, settings) = try Self.start(["scan", "--virtual"], columns: 20, rows: 4)
        try program.wait(for: "a device") {
            $0.screen.lines.count == 4 && $0.screen.lines[3].hasPrefix(Self.scanned.prefix(9))
        }
        #expect(program.screen.lines[0].hasPrefix("NAME "))
        #expect(program.screen.lines[1] != "" && !program.screen.lines[1].hasPrefix(Self.scanned))
        program.send(SIGINT)
        #expect(try program.waitForEnd() == 128 + SIGINT)
        try Self.checkLeft(program, settings)
    }
}
#endif
