#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The memory and the time that a text takes which is made to take much.
@Suite(.waitsForPrograms) struct MemoryTests {
    /// A command, and a line that is repeated until the file is too long. `\1`, `\2` and `\3` are
    /// the number of the line, two digits each.
    struct Bomb: CustomTestStringConvertible {
        let command: String
        let line: String
        var lineCount = 300_000
        var testDescription: String { "\(command) \(line.prefix(20))" }
    }

    private static let battery = "uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03"
    /// One of each command; the others if tests are to be more thorough.
    private static let quickBombs =
        [
            Bomb(command: "replay", line: ""), Bomb(command: "import", line: "< 2a19 64"),
            Bomb(command: "decode", line: "* connected"),
            Bomb(command: "export --as pcapng -fo out", line: ""),
            Bomb(command: "replay", line: "* connected"), Bomb(command: "decode", line: ""),
            Bomb(command: "export --as pcapng -fo out", line: "* connected"),
        ].prefix(Thoroughness.scaled(4))
    /// Bombs that take the unoptimised program minutes.
    private static let slowBombs = [
        Bomb(command: "replay", line: "< 2a37 00 48"),
        Bomb(command: "replay", line: "> \(battery)"),
        Bomb(command: "scrub -fo out", line: "< bigdata 01 02 03 04 05"),
        Bomb(command: "scrub -fo out", line: "< 2a00 4D 61 72 69 61"),
        Bomb(
            command: "import", line: "# " + String(repeating: "a", count: 2_000),
            lineCount: 40_000),
        // Lines that are all different.
        Bomb(command: "scrub -fo out", line: #"< 2a00 4D 61 \1 \2 \3"#),
        Bomb(command: "scrub -fo out", line: #"< bigdata 01 02 \1 \2 \3"#),
        Bomb(command: "scrub -fo out", line: #"< bigdata BC 2A 03 00 00 00 \1 \2 \3"#),
        Bomb(command: "scrub -fo out", line: #"> fea1 4D 61 \1 \2 \3"#),
        Bomb(
            command: "scrub -fo out",
            line: "# " + (10..<20).map { #"\#($0):00:01:\1:\2:\3 "# }.joined()),
        Bomb(
            command: "scrub -fo out",
            line: #"# name: \1 \2 \3"# + String(repeating: "a", count: 200)),
        Bomb(
            command: "scrub -fo out",
            line: #"# name: \1 \2 \3"# + String(repeating: "a", count: 60_000),
            lineCount: 1_200),
    ]
    private static let bombs =
        quickBombs + (CommandLineProgram.optimisedProgram == nil ? [] : slowBombs)

    /// The most memory in KiB: 64 MiB for the text, 64 MiB for what is made of it, and the program
    /// with its libraries.
    private static let limit = (64 + 64 + 32) * 1_024

    /// Nothing is read behind the limit: the damage at the end is not found.
    @Test(arguments: bombs)
    func staysWithinTheLimit(_ bomb: Bomb) throws {
        let outcome = try CommandLineProgram.runShell(
            """
            {
                echo 'halo-capture 2'
                seq 100000 \(99_999 + bomb.lineCount) | sed -E 's/^(..)(..)(..)$/'"$1"'/'
            } | gzip > whole.gz
            head -c -20 whole.gz > in.gz
            exec 9<> <(:) # nothing comes there: reading from it waits
            "$0" \(bomb.command) in.gz > report 2> error &
            while kill -0 $! 2> none; do
                while read -r name kibibytes _; do
                    [[ $name != VmHWM: ]] || peak=$kibibytes
                done 2> none < /proc/$!/status
                read -r -t 0.02 -u 9
            done
            wait $!; echo $?; cat error; echo "$peak"
            """, [bomb.line])
        let lines = outcome.lines
        #expect(lines.first == "3", "\(outcome)")
        #expect(outcome.output.contains(": the file is too long."), "\(outcome)")
        let kibibytes = try #require(lines.last.flatMap { Int($0) })
        #expect(kibibytes < Self.limit, "\(outcome)")
    }

    /// The limit is the one that the documentation says.
    @Test func takesAsManyLinesAsItSays() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            { echo 'halo-capture 2'; yes '# a comment' | head -n 239999; } > in
            "$0" import in; echo $?; echo '< 2a19 64' >> in; "$0" import in 2>&1
            """)
        #expect(outcome.output.contains("240000 lines, 0 packets"), "\(outcome)")
        #expect(outcome.output.contains("\"in\":240001:1: the file is too long."), "\(outcome)")
    }
}
#endif
