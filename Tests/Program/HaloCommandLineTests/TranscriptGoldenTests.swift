import Foundation
import TestSupport
import Testing

/// What the program prints, as `Fixtures/Golden/CommandLine` has it.
///
/// A line of a transcript that begins with `$` is a command of bash, run in `Fixtures`. The lines
/// below it are its output, its standard error with `! ` before each line, and its exit status if
/// it is not 0. `␛` is ESC; the function `timeless` leaves out times, which depend on the computer.
///
/// `HALO_UPDATE_FIXTURES=1 swift test` writes the output again, and `git diff` shows what has
/// changed. What depends on the list of all kinds of devices is left out.
@Suite(.waitsForPrograms) struct TranscriptGoldenTests {
    /// A command, and the lines that are recorded for it.
    private struct Entry {
        let command: String
        var lines: [String] = []
    }

    #if os(Linux)
    private static let names = ["Devices", "Files", "Pictures", "Texts", "Usage"]
    #else
    private static let names = ["Devices", "Files", "Pictures", "Texts"]
    #endif

    private static func url(_ name: String) -> URL {
        FixtureFolder.url("Golden/CommandLine/\(name).txt")
    }

    private static func entries(_ name: String) throws -> [Entry] {
        let text = try String(contentsOf: url(name), encoding: .utf8)
        var entries: [Entry] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("$ ") {
                entries.append(Entry(command: String(line.dropFirst(2))))
            } else if !entries.isEmpty {
                entries[entries.count - 1].lines.append(String(line))
            }
        }
        return entries
    }

    /// What stands before each command.
    private static let preparation = #"""
        program=$0; halo() { "$program" "$@"; }; cd "$1"
        timeless() { sed -E 's/^ *[0-9]+\.[0-9]  //; s/"seconds":[0-9.]+/"seconds":…/'; }

        """#

    /// Runs a command; returns the lines that are recorded for it. What is refused without a device
    /// needs no start of the program.
    private static func lines(of entry: Entry) async throws -> [String] {
        let isPlain = !entry.command.contains { "|&;<>()$'\"\\".contains($0) }
        let words = entry.command.split(separator: " ").map(String.init)
        var refused: CommandLineProgram.Outcome?
        if isPlain && words[0] == "halo" && entry.lines.last == "status 2" {
            refused = try await CommandLineProgram.call(Array(words.dropFirst()))
        }
        let outcome =
            if let refused, refused.status == 2 { refused } else {
                try CommandLineProgram.runShell(
                    preparation + entry.command, [FixtureFolder.url("").path])
            }
        var lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        if lines.last == "" { lines.removeLast() }
        lines += outcome.errorOutput.split(separator: "\n").map { "! \($0)" }
        if outcome.status != 0 { lines.append("status \(outcome.status)") }
        return lines.map { $0.replacing("\u{1B}", with: "␛") }
    }

    @Test(arguments: names) func printsWhatIsRecorded(_ name: String) async throws {
        var entries = try Self.entries(name)
        #expect(entries.count >= 8)
        let isUpdating = ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1"
        for index in entries.indices {
            let (command, recorded) = (entries[index].command, entries[index].lines)
            let lines = try await Self.lines(of: entries[index])
            if isUpdating {
                entries[index].lines = lines
                continue
            }
            let place = zip(lines, recorded).prefix { $0 == $1 }.count
            let now = lines.dropFirst(place).first ?? "nothing more"
            let was = recorded.dropFirst(place).first ?? "nothing more"
            let isSame = lines == recorded
            #expect(isSame, "$ \(command)\nrecorded: \(was)\nnow:      \(now)")
        }
        guard isUpdating else { return }
        let text = entries.map { entry in
            (["$ \(entry.command)"] + entry.lines).map { $0 + "\n" }.joined()
        }.joined()
        try Data(text.utf8).write(to: Self.url(name))
    }
}
