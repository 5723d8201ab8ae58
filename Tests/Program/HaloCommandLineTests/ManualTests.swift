import Foundation
import TestSupport
import Testing

/// The manual page, as the programs that show manual pages read it.
@Suite(.waitsForPrograms) struct ManualTests {
    private static func isInstalled(_ program: String) -> Bool {
        ["/bin", "/usr/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    static let hasMan = isInstalled("man") && isInstalled("groff")
    static let hasMandoc = isInstalled("mandoc")

    @Test(.enabled(if: hasMandoc, "mandoc is not installed")) func mandocFindsNoFault() throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" help --man > halo.1; mandoc -Tlint -Wstyle halo.1")
        // The date is that of the reader's version control.
        let findings = outcome.lines.filter { !$0.contains("missing date") }
        #expect(findings == [], "\(findings.joined(separator: "\n"))")
    }

    @Test(.enabled(if: hasMan, "man is not installed")) func manFindsNoFault() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            "$0" help --man > halo.1
            LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings=all -l halo.1 | col -b > text
            grep -c . text
            """)
        #expect(outcome.errorOutput == "")
        #expect(Int(outcome.lines.first ?? "") ?? 0 > 300, "\(outcome)")
    }

    /// Every verb and every option with its sentence is in the page that a person reads.
    @Test(.enabled(if: hasMandoc, "mandoc is not installed")) func namesVerbsAndOptions() throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" help --man | mandoc -Tutf8 -Owidth=100 | col -b")
        #expect(outcome.status == 0 && outcome.errorOutput == "")
        // Hyphens of options are those that a person can copy.
        let lines = outcome.lines.map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        var rest = lines[...]
        for verb in DescribedVerb.all {
            let start = rest.firstIndex { $0 == verb.name }
            rest = rest[(try #require(start, "\(verb.name) is not in the page"))...].dropFirst()
            let others = Set(DescribedVerb.all.map(\.name)).subtracting([verb.name])
            let end = rest.firstIndex {
                others.contains($0) || $0 == "Options that verbs share" || $0 == "ENVIRONMENT"
            }
            let section = rest[..<(end ?? rest.endIndex)]
            let shared = lines.drop { $0 != "Options that verbs share" }
            for (options, section) in [(verb.ownOptions, section), (verb.sharedOptions, shared)] {
                for option in options {
                    let value =
                        option.value.map { option.isOptional ? "[=\($0)]" : " \($0)" } ?? ""
                    let letter = option.letter.map { "-\($0), " } ?? ""
                    let form = "\(letter)\(option.word)\(value)"
                    #expect(section.contains { $0.hasPrefix(form) }, "\(verb.name) \(form)")
                }
            }
        }
        for word in ["HALO_DEVICE", "NO_COLOR", "DBUS_SYSTEM_BUS_ADDRESS", "COLUMNS"] {
            #expect(lines.contains { $0.hasPrefix(word) })
        }
    }

    @Test func isASourceOfMandoc() throws {
        let outcome = try CommandLineProgram.run(["help", "--man"])
        #expect(outcome.status == 0 && outcome.errorOutput == "")
        #expect(outcome.lines.contains(".Dt HALO 1") && outcome.lines.contains(".Sh NAME"))
        for verb in DescribedVerb.all {
            #expect(outcome.lines.contains(".Ss \(verb.name)"))
        }
        #expect(outcome.lines.allSatisfy { !$0.isEmpty && $0.last != " " })
        // A quotation mark at the beginning of a line would make it a command.
        #expect(outcome.lines.contains { $0.hasPrefix("\\&'") })
        #expect(!outcome.lines.contains { $0.hasPrefix("'") })
    }
}
