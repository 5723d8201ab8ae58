import Foundation
import Testing

@testable import FakeBlueZ

/// The page about BlueZ lists each switch, and each pitfall with the file that handles it.
@Suite(.takesTurns) struct PitfallPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The texts of the source files in a folder of the package.
    private static func sources(in folder: String) -> [String] {
        let folder = root.appendingPathComponent(folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    private static let page: String = {
        let file = root.appendingPathComponent("Documentation/BlueZ.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// The rows of the table of pitfalls, with their numbers.
    private static let rows: [(number: Int, text: Substring)] =
        page.split(separator: "\n").compactMap { row in
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
                Documentation/BlueZ.md has a row \(number), and no comment in \
                Sources/Backends/HaloBlueZ says "pitfall \(number)".
                """)
        }
        for number in named.subtracting(numbers).sorted() {
            Issue.record(
                """
                A comment in Sources/Backends/HaloBlueZ says "pitfall \(number)", and the table of \
                Documentation/BlueZ.md has no such row.
                """)
        }
    }

    @Test func hasEverySwitch() {
        #expect(Self.switches.count > 20)
        for name in Self.switches where !Self.page.contains("`\(name)`") {
            Issue.record("Documentation/BlueZ.md does not name the switch `\(name)`.")
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
