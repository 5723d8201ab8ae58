import Foundation
import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// The page on figures and exports.
@Suite(.passesTime) struct HealthPageTests {
    private static func page() throws -> String {
        try packageText("Documentation/HealthFigures.md")
    }

    /// Returns the cells of the rows of all tables.
    private static func rows() throws -> [[String]] {
        try page().split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.dropFirst(2).components(separatedBy: " | ")
        }
    }

    @Test func hasEachFigureWithItsVersion() throws {
        let rows = try Self.rows()
        for figure in FigureDefinition.allCases {
            let row = rows.first { $0[0].contains("`\(figure.rawValue)`") }
            #expect(row?[1] == "\(figure.version)", "\(figure)")
        }
    }

    @Test func hasEachTableWithItsColumns() throws {
        let rows = try Self.rows()
        for table in HistoryTable.allCases {
            var exporter = HistoryExporter.csv(of: table)
            let header = exporter.text(of: RingHistory(today: .day(5))).dropLast()
            #expect(rows.contains(["`\(table.rawValue)`", "`\(header)` |"]), "\(table)")
        }
    }

    @Test func hasEachState() throws {
        let rows = try Self.rows()
        for state in Freshness.State.allCases {
            #expect(rows.contains { $0[0] == "`\(state.rawValue)`" }, "\(state)")
        }
    }
}
