import HaloHealth
import TestSupport
import Testing

@testable import halo

/// The chart of a value over time.
@Suite(.computes) struct LiveChartTests {
    private static let heartRate = LiveChart.Quantity(
        title: "Heart rate", unit: "bpm", minimumSpan: 20, lowerBound: 0)

    private func chart(
        _ values: [(Double, Double?)], window: Double = 60, quantity: LiveChart.Quantity = heartRate
    ) -> LiveChart {
        var chart = LiveChart(quantity, windowSeconds: window)
        for (time, value) in values { chart.append(value, at: time) }
        return chart
    }

    private func text(
        _ chart: LiveChart, _ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .ascii
    ) -> [String] {
        chart.lines(columns: columns, rows: rows, glyphs: glyphs) { _ in .plain }.map(\.text)
    }

    @Test(arguments: GlyphSet.allCases) func fillsExactlyItsSize(glyphs: GlyphSet) {
        let chart = ChartGoldenTests.chart
        for (columns, rows) in [(20, 5), (60, 15), (80, 24), (200, 50), (21, 6), (20, 80)] {
            let lines = text(chart, columns, rows, glyphs)
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.columnCount <= columns })
            #expect(lines.last?.columnCount == columns)
            if glyphs == .ascii { #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 }) }
        }
    }

    @Test(arguments: GlyphSet.allCases) func aSmallTerminalGetsALine(glyphs: GlyphSet) {
        let chart = ChartGoldenTests.chart
        for (columns, rows) in [(1, 1), (19, 50), (200, 4), (7, 2)] {
            let lines = text(chart, columns, rows, glyphs)
            #expect(lines.count == 1)
            #expect(lines.allSatisfy { $0.columnCount <= columns })
        }
        for (columns, rows) in [(0, 0), (0, 24), (80, 0), (-1, 5), (Int.min, Int.min)] {
            #expect(text(chart, columns, rows, glyphs) == [])
        }
        #expect(text(chart, 18, 1, glyphs) == ["Heart rate  86 bpm"])
        #expect(text(chart, 15, 1) == ["Hear...  86 bpm"])
        #expect(text(chart, 12, 1) == ["H...  86 bpm"])
        #expect(text(chart, 11, 1) == ["86 bpm"])
        #expect(text(chart, 6, 1) == ["86 bpm"])
        #expect(text(chart, 5, 1) == ["86..."])
        // The range has two spaces before it, or is left out.
        #expect(text(chart, 29, 1) == ["Heart rate  86 bpm  70-90 bpm"])
        #expect(text(chart, 28, 1) == ["Heart rate  86 bpm"])
    }

    @Test func noNumberIsWrong() {
        let odd: [Double?] = [
            nil, .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, -0.0, 1e12, 72,
        ]
        for span in odd {
            for window in [1, 60, 604_800.0] {
                let quantity = LiveChart.Quantity(
                    title: "Ünicode\n", unit: "", decimals: span == nil ? .max : .min,
                    minimumSpan: span ?? 0, lowerBound: span)
                var chart = LiveChart(quantity, windowSeconds: window, longestJoin: span ?? .nan)
                for (index, time) in ([0, .nan, 1, -5] + odd.compactMap { $0 }).enumerated() {
                    chart.append(odd[index % odd.count], at: time)
                    chart.advance(to: time)
                    #expect(text(chart, 40, 8).count == 8)
                }
            }
        }
        #expect(text(ChartGoldenTests.chart, .max, 5).count == 5)
        #expect(text(ChartGoldenTests.chart, 20, .max).count == Canvas.limit.rows)
    }

    @Test func anImpossibleValueIsAGap() {
        let chart = chart([(0, 70), (1, .nan), (2, 70)])
        #expect(chart.visibleRange == 70...70)
        var other = self.chart([(0, 70), (1, .infinity)])
        #expect(other.latest == nil)
        #expect(text(other, 40, 1) == ["Heart rate  - bpm              70-70 bpm"])
        other.append(71, at: 0.5)
        #expect(other.latest == nil)
    }

    /// The columns of the plot that have a dot.
    private func filled(_ chart: LiveChart) -> [Bool] {
        let lines = text(chart, 64, 10).dropFirst().dropLast()
        return (0..<60).map { column in
            lines.contains { line in
                let cells = Array(line.drop { $0 != "|" && $0 != "+" }.dropFirst())
                return column < cells.count && cells[column] != " "
            }
        }
    }

    @Test func aGapIsNotJoined() {
        let joined = filled(chart([(0, 70), (20, 70), (40, 70), (60, 70)]))
        #expect(joined.filter { !$0 }.count <= 1)
        var broken = LiveChart(Self.heartRate, windowSeconds: 60)
        broken.append(70, at: 0)
        broken.append(70, at: 20)
        broken.breakLine()
        broken.append(70, at: 40)
        broken.append(70, at: 60)
        #expect(filled(broken)[25..<35].allSatisfy { !$0 })
        #expect(filled(broken)[5..<15].allSatisfy { $0 })
        var rare = LiveChart(Self.heartRate, windowSeconds: 60, longestJoin: 15)
        for time in [0.0, 15, 40, 50, 60] { rare.append(70, at: time) }
        #expect(filled(rare)[3..<12].allSatisfy { $0 })
        #expect(filled(rare)[20..<35].allSatisfy { !$0 })
        #expect(filled(rare)[45..<55].allSatisfy { $0 })
    }

    @Test func aValueLeavesWithTheWindow() {
        var chart = chart([(0, 200), (30, 70)])
        chart.advance(to: 60)
        #expect(chart.visibleRange == 70...200)
        chart.advance(to: 61)
        #expect(chart.visibleRange == 70...70)
        chart.advance(to: 1000)
        #expect(chart.visibleRange == nil)
        #expect(chart.storedCount <= 1)
        #expect(chart.latest == 70)
    }

    /// A time farther away than 10¹² seconds is ignored, and so is one before the latest.
    @Test func theTimeDoesNotGoBack() {
        var chart = chart([(0, 70), (0, 80), (5, 90), (4, 100)])
        #expect(chart.latest == 90 && chart.visibleRange == 70...90)
        for (time, now) in [(4.0, 5.0), (1e12, 1e12), (1.1e12, 1e12)] {
            chart.advance(to: time)
            #expect(chart.now == now)
        }
    }

    /// The scale before the first value begins at the lower bound, or at 0.
    @Test(arguments: [nil, 0, 30.0]) func theFirstScaleHasNoValue(lowerBound: Double?) {
        let quantity = LiveChart.Quantity(
            title: "x", unit: "", minimumSpan: 20, lowerBound: lowerBound)
        let least = lowerBound ?? 0
        #expect(
            LiveChart(quantity, windowSeconds: 60).scale
                == ChartScale(
                    least: least, most: least, minimumSpan: 20, lowerBound: lowerBound))
    }

    @Test func theCurveMovesAsAWhole() {
        var chart = LiveChart(Self.heartRate, windowSeconds: 58)
        for time in 0..<58 { chart.append(70 + Double(time * time % 17), at: Double(time)) }
        func rows() -> [String] {
            text(chart, 64, 10).dropFirst().dropLast().map {
                String($0.drop { $0 != "|" && $0 != "+" }.dropFirst()).padded(toColumns: 61)
            }
        }
        let secondsPerColumn = 58 / Double((rows().first?.count ?? 0) - 1)
        for _ in 0..<20 {
            let before = rows()
            chart.advance(to: (chart.now ?? 0) + secondsPerColumn)
            #expect(rows().map { $0.dropLast(2) } == before.map { $0.dropFirst().dropLast() })
        }
    }

    @Test func memoryIsBounded() {
        var chart = LiveChart(Self.heartRate, windowSeconds: 60)
        for index in 0..<5_600 {
            chart.append(index == 2800 ? 150 : 70, at: Double(index) / 70)
            if index % 7 == 0 { chart.breakLine() }
        }
        #expect(chart.storedCount <= LiveChart.slotCount * 9 / 8 + 2)
        // One value of many in a slot is still seen.
        #expect(chart.visibleRange == 70...150)
    }

    @Test func theScaleDoesNotJump() {
        var chart = LiveChart(Self.heartRate, windowSeconds: 10)
        var changes = 0
        for index in 0..<600 {
            let before = chart.scale
            // Alone, the values with and without the highest one have scales of 30 and of 25.
            let high = index % 8 == 0 ? 100.5 : 99.5
            chart.append(index % 2 == 0 ? high : 80, at: Double(index) * 5)
            if chart.scale != before { changes += 1 }
        }
        #expect(changes <= 2)
    }

    @Test func theScaleNarrowsWhenMostOfItIsEmpty() {
        var chart = chart([(0, 60), (1, 160)])
        #expect(chart.scale.low <= 60 && chart.scale.high >= 160)
        for time in 2..<200 { chart.append(70, at: Double(time)) }
        #expect(chart.scale.span <= 30)
        #expect(chart.scale.low <= 70 && chart.scale.high >= 70)
    }

    @Test func aRowHasTheStyleOfItsValue() {
        let chart = chart((0..<60).map { (Double($0), 60 + Double($0)) })
        let lines = chart.lines(columns: 60, rows: 20, glyphs: .braille) { $0 < 90 ? .blue : .red }
        let styles = lines.dropFirst().dropLast().compactMap { line in
            line.spans.dropFirst().first?.style
        }
        #expect(styles.first == .red && styles.last == .blue)
        #expect(zip(styles, styles.dropFirst()).filter { $0 != $1 }.count == 1)
        #expect(lines.first?.spans.contains { $0.text == "119 bpm" && $0.style == .red } == true)
    }

    @Test(arguments: [
        (60.0, "'-60 s        '-45 s        '-30 s        '-15 s     now'"),
        (600.0, "'-10 min                    '-5 min                  now'"),
        (7200.0, "'-120 min     '-90 min      '-60 min      '-30 min   now'"),
        (90.0, "'-90 s             '-60 s            '-30 s          now'"),
        (86_400.0, "'-24 h        '-18 h        '-12 h        '-6 h      now'"),
        (1.0, "'-1 s                                                now'"),
    ])
    func theTimeAxisHasRoundTimes(window: Double, axis: String) {
        let chart = chart([(0, 70)], window: window)
        #expect(text(chart, 60, 8).last?.drop { $0 == " " } == axis[...])
    }
}
