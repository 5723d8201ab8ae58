import Foundation
import HaloProtocol
import Testing

/// The tables of Documentation/Protocol.md are written from the catalogues.
///
/// `HALO_UPDATE_FIXTURES=1 swift test --filter ProtocolPage` rewrites them.
struct ProtocolPageTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Documentation/Protocol.md")

    @Test func listsWhatTheCataloguesHold() throws {
        let written = try String(contentsOf: Self.page, encoding: .utf8)
        var expected = written
        for (section, table) in [
            ("commands", Self.commands), ("records", Self.records),
            ("characteristics", Self.characteristics),
        ] {
            expected = try Self.replace(section, with: table, in: expected)
        }
        if ProcessInfo.processInfo.environment["HALO_UPDATE_FIXTURES"] == "1" {
            try expected.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(written == expected, "run HALO_UPDATE_FIXTURES=1 swift test")
        }
    }

    private static func replace(
        _ section: String, with table: [String], in text: String
    ) throws -> String {
        let start = try #require(text.range(of: "<!-- catalogue: \(section) -->\n"))
        let end = try #require(
            text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
        return text.replacingCharacters(
            in: start.upperBound..<end.lowerBound, with: table.joined(separator: "\n") + "\n")
    }

    private static var commands: [String] {
        ["| opcode | command | what it is | direction | known from |", "|---|---|---|---|---|"]
            + CommandCatalog.entries.map { entry in
                row(
                    HexText.byte(entry.opcode), link(entry.name, "Commands"), entry.title,
                    ways(entry.request != nil, entry.reply != nil), entry.evidence)
            }
    }

    private static var records: [String] {
        ["| id | record | what it is | direction | known from |", "|---|---|---|---|---|"]
            + BigDataCatalog.entries.map { entry in
                row(
                    ids(entry), link(entry.name, "BigData"), entry.title,
                    ways(entry.request != nil, entry.reply != nil), entry.evidence)
            }
    }

    private static var characteristics: [String] {
        ["| UUID | characteristic | what it is |", "|---|---|---|"]
            + CharacteristicCatalog.entries.map { entry in
                let uuid = String(entry.number, radix: 16, uppercase: true)
                let file = entry.form.name.subject
                return "| `\(uuid)` | \(link(file, "Characteristics")) | \(entry.title) |"
            }
    }

    /// The id, or the request's and the answer's where they differ.
    private static func ids(_ entry: BigDataCatalog.Entry) -> String {
        let ids = [entry.requestID, entry.replyID].compactMap { $0 }
        let different = ids.first == ids.last ? Array(ids.prefix(1)) : ids
        return different.map { HexText.byte($0) }.joined(separator: " → ")
    }

    private static func link(_ name: FieldName, _ folder: String) -> String {
        "[\(name)](../Sources/HaloProtocol/\(folder)/\(name).swift)"
    }

    private static func ways(_ isSent: Bool, _ isReceived: Bool) -> String {
        (isSent ? "→" : "") + (isSent && isReceived ? " " : "") + (isReceived ? "←" : "")
    }

    private static func row(
        _ code: String, _ link: String, _ title: FieldName, _ ways: String, _ evidence: Evidence
    ) -> String {
        "| `\(code)` | \(link) | \(title) | \(ways) | \(evidence) |"
    }
}
