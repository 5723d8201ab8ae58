import TestSupport
import Testing

@testable import HaloHealth

/// Marks, as the data of a path has them.
@Suite(.passesTime) struct SVGPathTests {
    /// The outline of a path: a list of points for each of its parts.
    private static func outlines(_ path: SVGPath) throws -> [[Point]] {
        var outlines: [[Point]] = []
        var pen = Point(x: 0, y: 0)
        var numbers: [Int] = []
        var command: Character?
        func moved(_ x: Int, _ y: Int) -> Point { Point(x: pen.x + x, y: pen.y + y) }
        func end() throws {
            guard let command else { return }
            let size = ["M": 2, "m": 2, "l": 2, "h": 1, "v": 1, "q": 4][command] ?? 0
            try #require(size > 0 && numbers.count % size == 0 && !numbers.isEmpty, "\(command)")
            for index in stride(from: 0, to: numbers.count, by: size) {
                switch command {
                case "M": pen = Point(x: numbers[index], y: numbers[index + 1])
                case "m", "l": pen = moved(numbers[index], numbers[index + 1])
                case "h": pen = moved(numbers[index], 0)
                case "v": pen = moved(0, numbers[index])
                default: pen = moved(numbers[index + 2], numbers[index + 3])
                }
                if command == "M" || command == "m" { outlines.append([]) }
                outlines[outlines.count - 1].append(pen)
            }
            numbers = []
        }
        var number = ""
        func endNumber() throws {
            if number != "" { numbers.append(try #require(Int(number))) }
            number = ""
        }
        for character in String(decoding: path.data, as: UTF8.self) {
            if character.isLetter {
                try endNumber()
                try end()
                command = character
            } else if character == " " || character == "-" {
                try endNumber()
                if character == "-" { number = "-" }
            } else {
                number.append(character)
            }
        }
        try endNumber()
        try end()
        return outlines
    }

    private struct Point: Equatable {
        let x, y: Int
    }

    @Test func linesAreWhereTheyWereDrawn() throws {
        var noise = RepeatableNoise(seed: 4)
        for _ in 0..<300 {
            var path = SVGPath(width: 900)
            var wanted: [[Point]] = []
            for _ in 0..<Int.random(in: 1...40, using: &noise) {
                func random() -> SVGPath.Point {
                    (Int.random(in: -5...5, using: &noise), Int.random(in: -5...5, using: &noise))
                }
                let continues = wanted.last?.last != nil && Bool.random(using: &noise)
                let last = wanted.last?.last
                let first = continues ? (last?.x ?? 0, last?.y ?? 0) : random()
                let end = random()
                path.line(from: first, to: end)
                let point = Point(x: first.0, y: first.1)
                if wanted.last?.last != point {
                    wanted.append([point, Point(x: end.x, y: end.y)])
                } else if end != first {
                    wanted[wanted.count - 1].append(Point(x: end.x, y: end.y))
                }
            }
            #expect(try Self.outlines(path) == wanted)
        }
    }

    @Test func aLineHasGapsAndDots() throws {
        var path = SVGPath(width: 100)
        ChartLine.draw([(0, 5), (4, 6), (30, 7), (60, 9), (63, 9)], widestGap: 5) {
            path.line(from: $0, to: $1)
        }
        #expect(
            try Self.outlines(path) == [
                [Point(x: 0, y: 5), Point(x: 4, y: 6)], [Point(x: 30, y: 7), Point(x: 30, y: 7)],
                [Point(x: 60, y: 9), Point(x: 63, y: 9)],
            ])
        #expect(String(decoding: path.data, as: UTF8.self) == "M0 5l4 1m26 1h0m30 2h3")
    }

    @Test func barsStandOnTheirAxis() throws {
        var path = SVGPath(width: 100)
        path.drawBars(
            [(0..<10, 40), (20..<30, 98), (40..<50, 100), (60..<70, 120)], bottom: 100, radius: 4)
        let bars = try Self.outlines(path)
        // A bar of no height is none, and a low one is as high as its value.
        #expect(bars.count == 2)
        let heights = bars.map { bar in (bar.map(\.y).min() ?? 0, bar.map(\.y).max() ?? 0) }
        #expect(heights[0] == (40, 100) && heights[1] == (98, 100))
        #expect(bars[0].map(\.x).min() == 0 && bars[0].map(\.x).max() == 10)
    }

    @Test func rangesHaveRoundEndsAndStayInTheMiddle() throws {
        var path = SVGPath(width: 100)
        path.drawRanges([(0..<10, 20, 60), (20..<30, 50, 50)])
        let ranges = try Self.outlines(path).map { range in
            (range.map(\.y).min() ?? 0, range.map(\.y).max() ?? 0)
        }
        #expect(ranges[0] == (20, 60) && ranges[1] == (45, 55))
    }

    private func square(x: Range<Int>, y: Range<Int>) -> SVGPath {
        var path = SVGPath(width: 100)
        path.fill(x: x, y: y)
        return path
    }

    @Test func rectanglesFillTheirPlaces() throws {
        var path = SVGPath(width: 100)
        for x in [3..<9, 9..<9, 20..<21] { path.fill(x: x, y: 10..<20, radius: 3) }
        path.fill(x: 30..<70, y: 0..<45)
        // A corner of no radius is none.
        var low = SVGPath(width: 100)
        low.fill(x: 0..<9, y: 0..<1, radius: 4)
        #expect(try Self.outlines(low) == Self.outlines(square(x: 0..<9, y: 0..<1)))
        #expect(low.data == square(x: 0..<9, y: 0..<1).data && !low.data.isEmpty)
        low = SVGPath(width: 100)
        low.fill(x: 0..<9, y: 0..<1, radius: 0, isTopOnly: true)
        #expect(low.data == square(x: 0..<9, y: 0..<1).data)
        #expect(square(x: 0..<9, y: 5..<5).data.isEmpty)
        let parts = try Self.outlines(path)
        #expect(parts.count == 3)
        #expect(parts.map { $0.map(\.x).min() } == [3, 20, 30])
        #expect(parts.map { $0.map(\.x).max() } == [9, 21, 70])
        #expect(parts.map { $0.map(\.y).max() } == [20, 20, 45])
    }

    @Test func noPlaceIsTooFarAway() throws {
        let far = [Int.min, -1, 0, 7, .max]
        var path = SVGPath(width: .max)
        for x in far {
            for y in far {
                for other in far { path.line(from: (x, y), to: (other, x)) }
                for radius in far where x < y {
                    path.fill(x: x..<y, y: x..<y, radius: radius)
                    path.fill(x: x..<y, y: x..<y, radius: radius, isTopOnly: true)
                }
            }
        }
        #expect(try !Self.outlines(path).isEmpty)
        path = SVGPath(width: 100)
        path.line(from: (.max, .min), to: (0, 0))
        #expect(String(decoding: path.data, as: UTF8.self) == "M100000-100000l-100000 100000")
    }

    @Test func cornersFitIntoANarrowBar() {
        var path = SVGPath(width: 100)
        path.fill(x: 0..<4, y: 0..<50, radius: 9, isTopOnly: true)
        path.fill(x: 10..<50, y: 47..<50, radius: 9, isTopOnly: true)
        #expect(
            String(decoding: path.data, as: UTF8.self)
                == "M0 50v-48q0-2 2-2h0q2 0 2 2v48m6 0v0q0-3 3-3h34q3 0 3 3v0")
    }

    /// Each part of a line is drawn once, and no mark without a size.
    @Test func marksAreDrawnOnce() {
        var lines: [String] = []
        ChartLine.draw(
            [(0, 5), (5, 6), (5, 8), (30, 7), (20, 9), (21, 9), (50, 1)], widestGap: 5
        ) { lines.append("\($0.x),\($0.y) \($1.x),\($1.y)") }
        #expect(lines == ["0,5 5,6", "5,6 5,8", "30,7 30,7", "20,9 21,9", "50,1 50,1"])
        func data(_ draw: (inout SVGPath) -> Void) -> String {
            var path = SVGPath(width: 100)
            draw(&path)
            return String(decoding: path.data, as: UTF8.self)
        }
        let bars = data { $0.drawBars([(0..<4, 9), (4..<8, 10)], bottom: 10, radius: 2) }
        #expect(bars == data { $0.fill(x: 0..<4, y: 9..<10, radius: 2, isTopOnly: true) })
        let range = data { $0.drawRanges([(0..<1, 5, 5)]) }
        #expect(range == data { $0.fill(x: 0..<1, y: 5..<6) })
    }
}
