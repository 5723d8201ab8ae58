import HaloDevices
import HaloHealth
import TestSupport
import Testing

@testable import halo

/// One name for each kind of values, as the page "The command line" lists them.
@Suite(.passesTime) struct VocabularyTests {
    /// The words in code of the cells of the table of names, by row.
    private static func names() throws -> [[[String]]] {
        let page = try packageText("Documentation/CommandLine.md")
        let section = try #require(page.split(separator: "## Names of values\n").last)
        let rows = section.split(separator: "\n").drop { !$0.hasPrefix("|---") }.dropFirst()
        return rows.prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { cell in
                    cell.split(separator: "`").enumerated()
                        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
                }
        }
    }

    @Test func thePageListsTheNames() throws {
        let rows = try Self.names()
        let swift = rows.map { $0[1].first ?? "" }
        #expect(Set(swift) == Set(HistoryKind.allCases.map(\.rawValue)))
        #expect(swift.count == HistoryKind.allCases.count)
        for row in rows {
            let kind = try #require(HistoryKind(rawValue: row[1][0]))
            let table = HistoryTable(rawValue: row[2][0])
            #expect(table?.kind == kind && row[3] == [kind.name(separator: "-")])
        }
    }

    /// Each spelling and abbreviation of the page, in `history`, `live` and `settings`.
    @Test func everySpellingIsAcceptedEverywhere() throws {
        let logs = Set(NamedRingSetting.all.map(\.name))
        for row in try Self.names() {
            let kind = try #require(HistoryKind(rawValue: row[1][0]))
            let live = LiveKind.allCases.first { $0.historyKind == kind }
            let log = kind.name(separator: "-") + "-log"
            for name in row[1] + row[2] + row[3] + row[4] {
                for text in [name, name.uppercased()] {
                    #expect(HistoryKind(named: text) == kind, "\(text)")
                    #expect(HistoryChoice(named: text) != nil && LiveKind(named: text) == live)
                    guard logs.contains(log) else { continue }
                    #expect(NamedRingSetting(named: text + "-log")?.name == log, "\(text)")
                    #expect(NamedRingSetting(named: text)?.name == log, "\(text)")
                }
            }
        }
        #expect(HistoryKind(named: "rate") == nil && LiveKind(named: "steps") == nil)
        #expect(LiveKind(named: "Motion") == .motion && NamedRingSetting(named: "hr-logs") == nil)
    }

    /// A misspelt abbreviation is told like a misspelt name.
    @Test(arguments: [
        ("live", "hrr", "hr"), ("history", "hrr", "hr"), ("history", "stpes", "steps"),
        ("history", "oxigen", "oxygen"), ("live", "sp02", "spo2"),
        ("live", "heart-rat", "heart-rate"), ("live", "stpes", nil), ("history", "zzz", nil),
    ])
    func aMisspeltAbbreviationIsTold(
        _ verb: String, _ word: String, _ meant: String?
    ) async throws {
        let text = try await CommandLineProgram.call([verb, word]).errorOutput
        let tail = meant.map { "; did you mean '\($0)'?" } ?? ""
        #expect(text.split(separator: "\n").first?.hasSuffix("not '\(word)'\(tail)") == true)
    }

    /// The same word is the kind in what a ring has stored, in what it measures, and in the report
    /// on the days.
    @Test func everyVerbHasTheNameInItsJSON() throws {
        func objects(_ arguments: String...) throws -> [[String: Any]] {
            try CommandLineProgram.run(arguments + ["--virtual=r10", "--json"]).objects
        }
        let live = try objects("live", "spo2", "--count", "1")
        #expect(live.last?["kind"] as? String == "bloodOxygen")
        let stored = try objects("history", "oxygen")
        #expect(stored.first?["type"] as? String == "bloodOxygen")
        let days = stored.last?["days"] as? [[String: Any]]
        #expect(days?.first?["kind"] as? String == "bloodOxygen")
        // One case for all names, and no second name for a member.
        let keys = Set(stored.flatMap(\.keys) + live.flatMap(\.keys))
        #expect(keys.allSatisfy { !$0.contains("_") && !$0.contains("least") }, "\(keys)")
    }
}
