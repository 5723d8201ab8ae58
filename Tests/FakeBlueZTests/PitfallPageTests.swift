#if os(Linux)
import Foundation
import Testing

@testable import FakeBlueZ

/// The page about BlueZ has each switch, and each pitfall with the file that handles it.
@Suite(.takesTurns) struct PitfallPageTests {
    private static let page: String = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Documentation/BlueZ.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// Each pitfall is named, with its evidence, at the lines that it concerns.
    @Test func everyPitfallIsNamedWhereItIsHandled() {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/HaloBlueZ")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let words = (files?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "swift"
        }
        .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
        .flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber } }
        let numbers = zip(words, words.dropFirst()).compactMap { word, next in
            word == "pitfall" ? Int(next) : nil
        }
        #expect(Set(numbers) == Set(1...27))
    }

    @Test func hasEverySwitch() {
        let switches = Mirror(reflecting: FakeQuirks()).children.compactMap(\.label)
        #expect(switches.count > 20)
        #expect(switches.filter { !Self.page.contains("`\($0)`") } == [])
    }

    @Test func hasEveryPitfall() {
        let rows = Self.page.split(separator: "\n").filter { row in
            row.split(separator: "|").first.map { Int($0.filter { $0 != " " }) } ?? nil != nil
        }
        #expect(rows.count == 27)
        #expect(rows.filter { $0.filter { $0 == "|" }.count != 6 } == [])
        #expect(rows.filter { !$0.contains("](../Sources/") } == [])
    }
}
#endif
