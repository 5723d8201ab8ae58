import TestSupport
import Testing

@testable import halo

/// Whole charts as text, as `Fixtures/Golden/Charts.txt` has them.
@Suite(.computes) struct ChartGoldenTests {
    /// A minute of heart rates with a gap.
    static var chart: LiveChart {
        let quantity = LiveChart.Quantity(
            title: "Heart rate", unit: "bpm", minimumSpan: 20, lowerBound: 0)
        var chart = LiveChart(quantity, windowSeconds: 60)
        for second in 0..<60 {
            let phase = Double(second % 20) - 10
            let isGap = 30..<36 ~= second
            chart.append(isGap ? nil : 70 + phase * phase / 5, at: Double(second))
        }
        return chart
    }

    private func text(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet) -> String {
        Self.chart.lines(columns: columns, rows: rows, glyphs: glyphs) { _ in .red }
            .map(\.text).joined(separator: "\n")
    }

    @Test func chartsAreAsRecorded() throws {
        let glyphs: [(String, GlyphSet)] = [
            ("braille", .braille), ("blocks", .blocks), ("ascii", .ascii),
        ]
        let charts = glyphs.flatMap { name, glyphs in
            [(20, 5), (60, 15)].map { columns, rows in
                "# \(name), \(columns) columns, \(rows) rows\n" + text(columns, rows, glyphs)
            }
        }
        // The file does not show spaces at the ends of lines.
        #expect(charts.flatMap { $0.split(separator: "\n") }.allSatisfy { $0.last != " " })
        try GoldenText("Golden/Charts.txt").expect(charts)
    }
}
