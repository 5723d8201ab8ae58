import Foundation
import TestSupport
import Testing

@testable import FakeBlueZ

/// The page about the daemon lists each switch, and each pitfall with the file that handles it.
@Suite(.takesTurns) struct PitfallPageTests {
    /// The texts of the source files in a folder of the package.
    private static func sources(in folder: String) -> [String] {
        let folder = URL(filePath: packagePath(folder))
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    /// The section of the page that has the table and the switches.
    private static let section: Substring = {
        let page = (try? packageText("Documentation/Daemon.md")) ?? ""
        let heading = page.firstRange(of: "## Pitfalls, one by one\n")
        let section = page[(heading?.upperBound ?? page.endIndex)...]
        return section[..<(section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex)]
    }()

    /// The rows of the table of pitfalls, with their numbers.
    private static let rows: [(number: Int, text: Substring)] =
        section.split(separator: "\n").compactMap { row in
            let first = row.split(separator: "|").first?.filter { $0 != " " } ?? ""
            return Int(first).map { ($0, row) }
        }

    private static let switches = Mirror(reflecting: FakeQuirks()).children.compactMap(\.label)

    /// Each pitfall is named, with its evidence, at the code that handles it.
    @Test func everyPitfallIsNamedWhereItIsHandled() {
        let words = Self.sources(in: "Sources/Backends/HaloBlueZ").flatMap {
            $0.lowercased().split { !$0.isLetter && !$0.isNumber }
        }
        let named = Set(
            zip(words, words.dropFirst()).compactMap { word, next in
                word == "pitfall" ? Int(next) : nil
            })
        let numbers = Set(Self.rows.map(\.number))
        for number in numbers.subtracting(named).sorted() {
            Issue.record(
                """
                Documentation/Daemon.md has a row \(number), and no comment in \
                Sources/Backends/HaloBlueZ says "pitfall \(number)".
                """)
        }
        for number in named.subtracting(numbers).sorted() {
            Issue.record(
                """
                A comment in Sources/Backends/HaloBlueZ says "pitfall \(number)", and the table of \
                Documentation/Daemon.md has no such row.
                """)
        }
    }

    @Test func hasEverySwitch() {
        #expect(Self.switches.count > 20)
        for name in Self.switches where !Self.section.contains("`\(name)`") {
            Issue.record("Documentation/Daemon.md does not name the switch `\(name)`.")
        }
    }

    @Test func hasEveryPitfall() {
        #expect(Self.rows.count >= 27)
        #expect(Self.rows.map(\.number) == Array(1...max(Self.rows.count, 1)))
        for (number, text) in Self.rows {
            if !text.contains("](../Sources/") {
                Issue.record("Row \(number) of the pitfalls has no link to where it is handled.")
            }
        }
    }
}
