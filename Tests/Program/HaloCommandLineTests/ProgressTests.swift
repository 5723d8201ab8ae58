import Foundation
import TestSupport
import Testing

@testable import halo

@Suite(.waitsForPrograms) struct ProgressTests {
    @Test func writesALineEveryFewSecondsOffATerminal() {
        var progress = Progress("reading \"a\"", on: .file)
        let lines = (0...24).compactMap { second in
            progress.line(Double(second) / 40, nil, after: .milliseconds(second * 500))
        }
        #expect(
            lines == [
                "halo: reading \"a\": 25 %, 5 s, 15 s left\n",
                "halo: reading \"a\": 50 %, 10 s, 10 s left\n",
            ])
    }

    /// The end of the details is cut; three columns are free for the ^C of a terminal.
    @Test func changesALineOnATerminal() {
        var progress = Progress("reading the history", on: .terminal(columns: 37))
        #expect(progress.line(0, "0 of 32", after: .milliseconds(499)) == nil)
        #expect(
            progress.line(0.1, "3 of 32", after: .milliseconds(600))
                == "\r\u{1B}[Kreading the history: 10 %, 0 s, 3…")
        #expect(progress.line(0.1, "3", after: .milliseconds(699)) == nil)
        #expect(progress.line(0.1, "3", after: .milliseconds(701)) != nil)
    }

    @Test func writesNothingIfTheUserWantsQuiet() {
        var progress = Progress("reading", on: .nowhere)
        #expect(progress.line(0.5, nil, after: .seconds(100)) == nil)
    }

    @Test(arguments: [
        (Double.nan, "x: 100 s"), (-1, "x: 0 %, 100 s"), (2, "x: 100 %, 100 s"),
        (.infinity, "x: 100 s"), (1e-300, "x: 0 %, 100 s"), (1, "x: 100 %, 100 s"),
        (0.25, "x: 25 %, 100 s, 5 min left"),
    ])
    func takesAnyFraction(_ fraction: Double, _ text: String) {
        var progress = Progress("x", on: .file)
        #expect(progress.line(fraction, nil, after: .seconds(100)) == "halo: \(text)\n")
    }

    @Test(arguments: [
        (0, "0 s", "0 s"), (59, "59 s", "59 s"), (60, "1 min", "60 s"), (90, "90 s", "90 s"),
        (119, "119 s", "119 s"), (120, "2 min", "2 min"), (179, "179 s", "2 min"),
        (3600, "1 h", "60 min"), (5400, "90 min", "90 min"), (86_400, "24 h", "1440 min"),
        (Int.max, "9223372036854775807 s", "60000 min"),
    ])
    func saysADuration(seconds: Int, words: String, roughWords: String) {
        #expect(Duration.seconds(seconds).words == words)
        #expect(Duration.seconds(seconds).roughWords == roughWords)
    }

    /// The rest is told after two seconds, and from a fiftieth of the work on.
    @Test(arguments: [
        (1.9, 0.5, nil), (2, 0.5, "2 s left"), (100, 0.0199, nil), (100, 0.02, "81 min left"),
        (100, 1, nil),
    ])
    func saysHowLongTheRestTakes(seconds: Double, fraction: Double, words: String?) {
        var progress = Progress("x", on: .terminal(columns: 80))
        let line = progress.line(fraction, nil, after: .seconds(seconds)) ?? ""
        #expect(words.map { line.hasSuffix(", \($0)") } ?? !line.contains("left"), "\(line)")
    }

    @Test func writesNoControlCharacters() {
        var progress = Progress("\u{1B}[31m\u{202E}", on: .terminal(columns: 40))
        let line = progress.line(nil, "\u{9B}", after: .seconds(1))
        #expect(line == "\r\u{1B}[K\u{FFFD}[31m\u{FFFD}: 1 s, \u{FFFD}")
    }

    @Test(arguments: [(["--quiet"], false), ([], true)])
    func tellsOfASlowScan(_ more: [String], _ isTold: Bool) throws {
        let outcome = try CommandLineProgram.run(
            ["scan", "--virtual=speed=1", "--for", "6s"] + more)
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains("halo: scanning: ") == isTold)
        #expect(outcome.output.contains("R02_2FCA"))
    }
}
