/// The vertical scale of a chart, with round limits.
///
/// Hysteresis: a value outside of the scale widens it at once, but it narrows only when the values
/// need little more than half of it. So it does not jump to and fro with each value.
package struct ChartScale: Equatable, Sendable {
    package private(set) var low: Double
    /// The value at the top; greater than `low`.
    package private(set) var high: Double
    /// The distance of round values: 1, 2 or 5 times a power of ten.
    package private(set) var step: Double

    /// The part of a scale's span below which the values get a narrower scale.
    private static let narrowing = 0.6
    /// The smallest span that labels can show.
    private static let leastSpan = 0.001
    /// The largest amount of a value; greater ones are moved to it.
    package static let farthestValue = 1e12

    /// The narrowest scale with round limits that shows values and has at least a minimum span.
    ///
    /// - Parameters:
    ///   - lowerBound: The value below which the scale does not reach to have its minimum span, for
    ///     instance 0 for what cannot be negative.
    ///   - upperBound: The value above which it does not reach, for instance 100 for percentages.
    package init(
        least: Double, most: Double, minimumSpan: Double, lowerBound: Double? = nil,
        upperBound: Double? = nil
    ) {
        var low = Self.bounded(min(least, most))
        var high = Self.bounded(max(least, most))
        let values = (low: low, high: high)
        let span = max(Self.bounded(minimumSpan), Self.leastSpan)
        if high - low < span {
            low = (low + high - span) / 2
            if let bound = lowerBound.map(Self.bounded), values.low >= bound, low < bound {
                low = bound
            }
            high = max(low + span, values.high)
            if let bound = upperBound.map(Self.bounded), values.high <= bound, high > bound {
                high = bound
                low = min(bound - span, values.low)
            }
        }
        step = Self.roundStep(atLeast: (high - low) / 4)
        low = (low / step).rounded(.down) * step
        high = (high / step).rounded(.up) * step
        if let bound = lowerBound.map(Self.bounded), values.low >= bound { low = max(low, bound) }
        if let bound = upperBound.map(Self.bounded), values.high <= bound {
            high = min(high, bound)
        }
        self.low = low
        self.high = max(high, low + step)
    }

    package mutating func fit(
        least: Double, most: Double, minimumSpan: Double, lowerBound: Double? = nil,
        upperBound: Double? = nil
    ) {
        let narrowest = ChartScale(
            least: least, most: most, minimumSpan: minimumSpan, lowerBound: lowerBound,
            upperBound: upperBound)
        let isTooNarrow = !(least >= low && most <= high)
        if isTooNarrow || narrowest.span <= span * Self.narrowing { self = narrowest }
    }

    package var span: Double { high - low }

    /// The number of decimals that tell two round values apart.
    package var decimals: Int {
        var (count, unit) = (0, 1.0)
        while count < 4, step < unit * 0.99 {
            unit /= 10
            count += 1
        }
        return count
    }

    /// Returns the row of dots, counted from the top, that shows a value. Values outside of the
    /// scale have the first or the last row.
    package func dot(of value: Double, height: Int) -> Int {
        guard height > 1, !value.isNaN else { return 0 }
        let part = min(max((high - value) / span, 0), 1)
        return Int((part * Double(height - 1)).rounded())
    }

    /// Returns the value at a height in dots, counted from the top.
    package func value(atDot dot: Double, height: Int) -> Double {
        high - span * dot / Double(max(height - 1, 1))
    }

    /// Returns the values with labels, from the top, for a plot of some rows: round ones that leave
    /// a row between labels, else the limits.
    package func ticks(rows: Int, dotsPerRow: Int) -> [(row: Int, value: Double)] {
        let height = max(rows, 1) * max(dotsPerRow, 1)
        func tick(_ value: Double) -> (row: Int, value: Double) {
            (dot(of: value, height: height) / max(dotsPerRow, 1), value)
        }
        for factor in [1.0, 2, 4] {
            let ticks = values(every: step * factor).map(tick)
            let isSparse = zip(ticks, ticks.dropFirst()).allSatisfy { $1.row - $0.row >= 2 }
            if isSparse, ticks.count > 1 { return ticks }
        }
        return [tick(high), tick(low)]
    }

    /// Returns at most a number of round values, from the top; at least the limits.
    package func values(atMost count: Int) -> [Double] {
        for factor in [1.0, 2, 4] {
            let values = values(every: step * factor)
            if 2...max(count, 2) ~= values.count { return values }
        }
        return [high, low]
    }

    /// Returns the multiples of a distance within the scale, from the top.
    private func values(every distance: Double) -> [Double] {
        var values: [Double] = []
        var value = (high / distance).rounded(.down) * distance
        while value >= low - step / 2, values.count < 20 {
            values.append(value)
            value -= distance
        }
        return values
    }

    /// Moves a number into the range that labels can show; 0 for one that is none.
    package static func bounded(_ value: Double) -> Double {
        value.isNaN ? 0 : min(max(value, -farthestValue), farthestValue)
    }

    /// Returns 1, 2 or 5 times a power of ten.
    private static func roundStep(atLeast least: Double) -> Double {
        // A tolerance: a span of 0.4 in four steps has steps of 0.1, whatever its last bit.
        let least = least * 0.999_999
        var unit = 1.0
        while unit < least, unit < farthestValue * 10 { unit *= 10 }
        while unit / 10 >= least, unit > leastSpan / 100 { unit /= 10 }
        for factor in [0.2, 0.5] where unit * factor >= least { return unit * factor }
        return unit
    }
}
