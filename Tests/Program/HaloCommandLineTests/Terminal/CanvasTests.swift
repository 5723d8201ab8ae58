import HaloHealth
import TestSupport
import Testing

@testable import halo

/// Bitmaps and bars of characters.
@Suite(.computes) struct CanvasTests {
    @Test func eachDotOfBrailleHasItsPlace() {
        let patterns = ["⠁", "⠂", "⠄", "⡀", "⠈", "⠐", "⠠", "⢀"]
        for (index, pattern) in patterns.enumerated() {
            var canvas = Canvas(columns: 1, rows: 1)
            canvas.set(index / 4, index % 4)
            #expect(canvas.row(0) == pattern)
        }
    }

    @Test func aDotFillsHalfOfACharacterElsewhere() {
        for (glyphs, rows) in [(GlyphSet.blocks, "▀▄█ "), (.ascii, "'.: ")] {
            var canvas = Canvas(columns: 4, rows: 1, glyphs: glyphs)
            for (x, y) in [(0, 0), (1, 1), (2, 0), (2, 1)] { canvas.set(x, y) }
            #expect(canvas.row(0) == rows)
        }
    }

    @Test(arguments: GlyphSet.allCases) func theSizeIsInDots(glyphs: GlyphSet) {
        let canvas = Canvas(columns: 3, rows: 2, glyphs: glyphs)
        #expect(canvas.width == (glyphs == .braille ? 6 : 3))
        #expect(canvas.height == (glyphs == .braille ? 8 : 4))
        #expect(canvas.row(0) == "   ")
        #expect(canvas.row(2) == "")
        #expect(canvas.row(-1) == "")
    }

    @Test func aSteepLineHasNoGaps() {
        var canvas = Canvas(columns: 2, rows: 4, glyphs: .blocks)
        canvas.line(from: (0, 7), to: (1, 0))
        #expect((0..<4).map(canvas.row) == [" █", " █", " █", "▄█"])
        var vertical = Canvas(columns: 1, rows: 2, glyphs: .blocks)
        vertical.line(from: (0, 3), to: (0, 1))
        #expect((0..<2).map(vertical.row) == ["▄", "█"])
    }

    @Test func aLineIsTheSameFromEitherEnd() {
        var noise = RepeatableNoise(seed: 3)
        for _ in 0..<200 {
            let a = (
                x: Int.random(in: -5...25, using: &noise), y: Int.random(in: -5...25, using: &noise)
            )
            let b = (
                x: Int.random(in: -5...25, using: &noise), y: Int.random(in: -5...25, using: &noise)
            )
            var (there, back) = (Canvas(columns: 10, rows: 5), Canvas(columns: 10, rows: 5))
            there.line(from: a, to: b)
            if a.x != b.x { back.line(from: b, to: a) } else { back.line(from: a, to: b) }
            #expect((0..<5).map(there.row) == (0..<5).map(back.row))
        }
    }

    @Test(arguments: GlyphSet.allCases) func noDotIsTooFarAway(glyphs: GlyphSet) {
        let far = [Int.min, -1, 0, 1, Int.max]
        for size in [(0, 0), (1, 1), (-5, 7), (Int.min, Int.max)] {
            var canvas = Canvas(columns: size.0, rows: size.1, glyphs: glyphs)
            for x in far {
                for y in far {
                    canvas.set(x, y)
                    for other in far { canvas.line(from: (x, y), to: (other, x)) }
                }
            }
            #expect(canvas.columns == max(size.0, 0) && canvas.rows == min(max(size.1, 0), 1000))
        }
        let huge = Canvas(columns: .max, rows: .max, glyphs: glyphs)
        #expect((huge.columns, huge.rows) == (2000, 1000))
    }

    @Test func aLineHasGapsAndDots() {
        var canvas = Canvas(columns: 6, rows: 1, glyphs: .blocks)
        ChartLine.draw([(0, 0), (1, 0), (3, 1), (5, 1)], widestGap: 1) {
            canvas.line(from: $0, to: $1)
        }
        #expect(canvas.row(0) == "▀▀ ▄ ▄")
    }

    @Test func aBarRisesInSteps() {
        let bars = [0, 1, 8, 9, 16, 99].map { value in
            (0..<2).map { BlockBar.vertical(value, of: 16, row: $0, rows: 2) }.joined()
        }
        #expect(bars == ["  ", "▁ ", "█ ", "█▁", "██", "██"])
        #expect(BlockBar.vertical(1, of: 1, row: 0, rows: 1) == "█")
    }

    @Test func aHorizontalBarHasHalves() {
        let bars = [0, 1, 2, 3, 8, 9].map { BlockBar.horizontal($0, of: 8, width: 4) }
        #expect(bars == ["", "╸", "━", "━╸", "━━━━", "━━━━"])
        #expect(BlockBar.horizontal(1, of: 1, width: 1) == "━")
    }

    @Test func noBarIsTooLong() {
        for value in [Int.min, -1, 0, 1, .max] {
            for most in [Int.min, 0, 1, .max] {
                for size in [Int.min, 0, 1, .max] {
                    let wide = BlockBar.horizontal(value, of: most, width: size)
                    #expect(wide.count <= max(min(size, Canvas.limit.columns), 0))
                    let tall = BlockBar.vertical(value, of: most, row: size, rows: size)
                    #expect(tall.count == 1)
                }
            }
        }
    }
}
