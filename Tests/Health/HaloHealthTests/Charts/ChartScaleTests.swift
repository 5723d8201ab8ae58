import HaloProtocol
import TestSupport
import Testing

@testable import HaloHealth

/// Scales and their ticks.
@Suite(.passesTime) struct ChartScaleTests {
    @Test func theScaleHasRoundLimits() {
        var scale = ChartScale(least: 72, most: 73, minimumSpan: 20)
        #expect((scale.low, scale.high, scale.step) == (60, 85, 5))
        scale = ChartScale(least: 1, most: 2, minimumSpan: 20, lowerBound: 0)
        #expect((scale.low, scale.high) == (0, 20))
        scale = ChartScale(least: 36.42, most: 36.71, minimumSpan: 0.2)
        #expect((ChartNumber.text(scale.low, decimals: 1), scale.decimals) == ("36.4", 1))
        scale = ChartScale(least: -30, most: 4000, minimumSpan: 20, lowerBound: 0)
        #expect((scale.low, scale.high) == (-2000, 4000))
        let spans = [(20.0, 0), (4, 0), (2, 1), (0.4, 1), (0.2, 2), (0.02, 3), (0.002, 4)]
        for (span, decimals) in spans {
            scale = ChartScale(least: 1, most: 1 + span, minimumSpan: 0)
            #expect(scale.decimals == decimals, "\(span)")
        }
        #expect(ChartScale(least: 1, most: 1.4, minimumSpan: 0).step == 0.1)
        #expect(ChartNumber.text(-0.05, decimals: 2) == "-0.05")
        #expect(ChartNumber.text(1.2345, decimals: 4) == "1.2345")
        #expect(ChartNumber.text(1e308, decimals: .max) == "1000000000000.0000")
        for (value, decimals, text) in [(0.9, 1, "0.9"), (0.99, 2, "0.99"), (0.999, 3, "0.999")] {
            #expect(ChartNumber.text(value, decimals: decimals) == text)
        }
        #expect(ChartNumber.text(0.9999, decimals: 4) == "0.9999")
        #expect(ChartNumber.text(2.6, decimals: -1) == "3")
        #expect(ChartScale.bounded(.nan) == 0)
        #expect(ChartScale.bounded(-1e308) == -1e12)
    }

    /// The largest unit that divides the distance, and of which the axis has two.
    @Test(arguments: [
        (7200, 3600, 7200, "2 h"), (10_799, 3600, 7200, "2 h"), (7200, 3600, 7199, "120 min"),
        (7200, 1800, 7200, "120 min"), (120, 60, 120, "2 min"), (179, 60, 120, "2 min"),
        (60, 60, 119, "60 s"), (90, 30, 120, "90 s"),
    ])
    func labelsOfDurationsHaveOneUnit(
        _ seconds: Int, _ step: Int, _ longest: Int, _ text: String
    ) {
        #expect(ChartNumber.duration(seconds: seconds, step: step, longest: longest) == text)
    }

    @Test func aBoundIsTheLowestLimit() {
        var scale = ChartScale(least: 0, most: 2, minimumSpan: 4, lowerBound: 0)
        #expect((scale.low, scale.high) == (0, 4))
        scale = ChartScale(least: 3, most: 20, minimumSpan: 1, lowerBound: 3)
        #expect((scale.low, scale.high) == (3, 20))
    }

    @Test(arguments: [
        (96.0, 96.0, 90.0, 100.0), (100, 100, 90, 100), (88, 100, 85, 100), (40, 42, 35, 50),
        (96, 101, 90, 105), (101, 101, 95, 110),
    ])
    func aBoundIsTheHighestLimit(_ least: Double, _ most: Double, _ low: Double, _ high: Double) {
        let scale = ChartScale(
            least: least, most: most, minimumSpan: 10, lowerBound: 0, upperBound: 100)
        #expect((scale.low, scale.high) == (low, high))
    }

    /// A scale from 0 to 100 stays unless a value is outside, or 60 are enough.
    @Test(arguments: [
        (0.0, 80.0, 0.0, 100.0), (20, 100, 0, 100), (20, 81, 0, 100), (20, 80, 20, 80),
        (-10, 50, -20, 60), (50, 110, 40, 120),
    ])
    func aScaleNarrowsOnlyIfLittleOfItIsNeeded(
        _ least: Double, _ most: Double, _ low: Double, _ high: Double
    ) {
        var scale = ChartScale(least: 0, most: 100, minimumSpan: 1)
        scale.fit(least: least, most: most, minimumSpan: 1)
        #expect((scale.low, scale.high) == (low, high))
    }

    @Test func dotsAndValuesAreEachOthersPlaces() {
        let scale = ChartScale(least: 52, most: 131, minimumSpan: 20)
        let dots = [1000, 140, 90, 40, -1000, Double.nan].map { scale.dot(of: $0, height: 11) }
        #expect(dots == [0, 0, 5, 10, 10, 0])
        #expect(scale.dot(of: 40, height: 1) == 0)
        #expect(scale.value(atDot: 5, height: 11) == 90)
        #expect(scale.value(atDot: 1, height: 1) == 40)
    }

    @Test func theScaleHoldsItsValues() {
        var noise = RepeatableNoise(seed: 11)
        let magnitudes: [Double] = [0.001, 1, 1000, 1e9]
        for _ in 0..<2000 {
            let magnitude = magnitudes.randomElement(using: &noise) ?? 1
            let values: [Double] = (0..<2).map { _ in
                Double.random(in: -1...1, using: &noise) * magnitude
            }
            let span = Double.random(in: 0...2, using: &noise) * magnitude
            let scale = ChartScale(least: values[0], most: values[1], minimumSpan: span)
            let slack = scale.step * 1e-6
            #expect(values.allSatisfy { $0 >= scale.low - slack && $0 <= scale.high + slack })
            #expect(scale.span >= span - slack)
            #expect(scale.span <= 2.5 * max(abs(values[0] - values[1]), span, 0.001))
            let rows = scale.ticks(rows: 10, dotsPerRow: 4).map(\.row)
            #expect(rows.count >= 2 && rows == rows.sorted() && rows.allSatisfy { 0..<10 ~= $0 })
        }
    }

    @Test func valuesAreRoundFewAndInTheScale() {
        var noise = RepeatableNoise(seed: 5)
        for _ in 0..<5000 {
            let magnitudes: [Double] = [0.01, 1, 300, 1e6]
            let magnitude = magnitudes.randomElement(using: &noise) ?? 1
            let values: [Double] = (0..<2).map { _ in
                Double.random(in: -1...1, using: &noise) * magnitude
            }
            let span = Double.random(in: 0...2, using: &noise) * magnitude
            let scale = ChartScale(least: values[0], most: values[1], minimumSpan: span)
            let count = Int.random(in: -1...6, using: &noise)
            let ticks = scale.values(atMost: count)
            #expect(2...max(count, 2) ~= ticks.count)
            #expect(ticks == ticks.sorted(by: >))
            let slack = scale.step * 1e-6
            for tick in ticks {
                #expect(tick >= scale.low - slack && tick <= scale.high + slack)
                // A multiple of the step, so that its label is no lie.
                let steps = tick / scale.step
                #expect(abs(steps - steps.rounded()) < 1e-3, "\(tick) of \(scale)")
            }
        }
    }

    @Test func ticksOfRowsAreSomeOfTheValues() {
        let scale = ChartScale(least: 52, most: 131, minimumSpan: 20)
        #expect(scale.values(atMost: 6) == [140, 120, 100, 80, 60, 40])
        #expect(scale.values(atMost: 4) == [120, 80, 40])
        #expect(scale.ticks(rows: 20, dotsPerRow: 4).map(\.value) == [140, 120, 100, 80, 60, 40])
        #expect(scale.values(atMost: 0) == [140, 40])
        #expect(scale.ticks(rows: 11, dotsPerRow: 1).map(\.row) == [0, 2, 4, 6, 8, 10])
        #expect(scale.ticks(rows: 6, dotsPerRow: 1).map(\.value) == [120, 80, 40])
        for dotsPerRow in [0, 1] {
            let limits = scale.ticks(rows: dotsPerRow, dotsPerRow: dotsPerRow)
            #expect(limits.map(\.row) == [0, 0] && limits.map(\.value) == [140, 40])
        }
        let other = ChartScale(least: 79, most: 159, minimumSpan: 1)
        #expect((other.low, other.high) == (60, 160))
        #expect(other.values(atMost: 2) == [160, 80])
        #expect(other.ticks(rows: 3, dotsPerRow: 1).map(\.value) == [160, 80])
    }

    @Test func positionsAreMonotonous() {
        var noise = RepeatableNoise(seed: 8)
        for _ in 0..<500 {
            let start = CivilDateTime(
                secondsSince1970: UInt32.random(in: 0...(.max), using: &noise))
            let time = TimeScale(
                from: start,
                to: CivilDateTime(secondsSince1970: UInt32.random(in: 0...(.max), using: &noise)))
            let width = Int.random(in: 0...2000, using: &noise)
            let positions = (0..<50).map { _ in
                CivilDateTime(secondsSince1970: UInt32.random(in: 0...(.max), using: &noise))
            }.sorted().map { time.position(of: $0, width: width) }
            #expect(positions == positions.sorted())
            #expect(positions.allSatisfy { 0...width ~= $0 })
            #expect(time.position(of: start, width: width) == 0)
        }
        let day = TimeScale(day: MadeHistory.today)
        #expect(day.position(of: MadeHistory.time(MadeHistory.today, 720), width: 560) == 280)
        #expect(day.position(of: MadeHistory.time(MadeHistory.today, 1440), width: 560) == 560)
        #expect(day.position(of: MadeHistory.time(MadeHistory.today, 1), width: .max) >= 0)
        #expect(day.position(of: MadeHistory.time(MadeHistory.today, 1), width: .min) == 0)
        let end = MadeHistory.time(MadeHistory.today, 1440)
        #expect(day.position(of: end, width: .max) == 1_000_000)
        #expect(day.position(of: end, width: .min) == 0)
        let short = TimeScale(from: end, to: end.advanced(bySeconds: 10))
        #expect(short.position(of: end, width: 100) == 0)
        #expect(TimeScale(from: end, to: end).seconds == 1)
    }

    @Test func ticksOfTimeAreRoundAndFew() {
        var noise = RepeatableNoise(seed: 2)
        for _ in 0..<500 {
            let start = CivilDateTime(
                secondsSince1970: UInt32.random(in: 0...4_000_000_000, using: &noise))
            let length = Int.random(in: 1...200_000, using: &noise)
            let end = start.advanced(bySeconds: length)
            let step = [1, 60, 900, 3600, 21_600].randomElement(using: &noise) ?? 1
            let ticks = TimeScale(from: start, to: end).ticks(every: step)
            #expect(ticks.count <= 100)
            #expect(
                ticks.allSatisfy { start...end ~= $0 && $0.secondsSince1970 % UInt32(step) == 0 })
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.advanced(bySeconds: step) == $1 })
            if length >= 2 * step { #expect(!ticks.isEmpty) }
        }
        let day = TimeScale(day: MadeHistory.today)
        #expect(day.ticks(every: 21_600).map { $0.time.hour } == [0, 6, 12, 18, 0])
        #expect(day.ticks(every: 0).count == 100)
        let short = TimeScale(from: day.start, to: day.start.advanced(bySeconds: 3))
        #expect(short.ticks(every: 0).count == 4)
        let last = CivilDateTime(secondsSince1970: .max)
        #expect(TimeScale(from: last, to: last).ticks(every: .max).count <= 1)
    }

    @Test func stepsOfTimeAreRoundAndDivideTheWindow() {
        var noise = RepeatableNoise(seed: 9)
        for _ in 0..<2000 {
            let window = Double.random(in: 1...604_800, using: &noise)
            let least = Double.random(in: 0...window, using: &noise)
            guard let step = TimeScale.step(window: window, atLeast: least) else { continue }
            #expect(Double(step) >= least && Double(step) <= window)
        }
        #expect(TimeScale.step(window: 86_400, atLeast: 13_000) == 21_600)
        #expect(TimeScale.step(window: 86_400, atLeast: 10_000) == 10_800)
        // 20 s come first, but do not divide the window.
        #expect(TimeScale.step(window: 90, atLeast: 16) == 30)
        #expect(TimeScale.step(window: 60, atLeast: 61) == nil)
        #expect(TimeScale.step(window: 240, atLeast: 61) == 120)
        #expect(TimeScale.step(window: 600, atLeast: 121) == 300)
        // 30 s leave a second over, so they are no better than 20.
        #expect(TimeScale.step(window: 91, atLeast: 16) == 20)
    }

    @Test(arguments: [
        1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
        86_400, 172_800,
    ])
    func aRoundStepIsTheSmallestOfItsLength(_ seconds: Int) {
        #expect(TimeScale.step(window: 172_800, atLeast: Double(seconds)) == seconds)
    }
}
