package import HaloProtocol

/// The horizontal scale of a chart: a period on a ring's clock.
package struct TimeScale: Equatable, Sendable {
    /// The time at the left edge.
    package let start: CivilDateTime
    /// The length of the period in seconds, at least 1.
    package let seconds: Int64

    /// The distances between labels of a time axis, in seconds.
    private static let steps = [
        1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
        86_400, 172_800,
    ]
    /// The greatest width, so that products with seconds fit into 64 bits.
    private static let greatestWidth = 1_000_000

    package init(from start: CivilDateTime, to end: CivilDateTime) {
        self.start = start
        seconds = max(Int64(end.secondsSince1970) - Int64(start.secondsSince1970), 1)
    }

    package init(day: CivilDate) {
        let start = CivilDateTime(day)
        self.init(from: start, to: start.advanced(bySeconds: 86_400))
    }

    /// Returns the distance of a time from the left edge, at most the width. Times outside of the
    /// period have the first or the last position.
    package func position(of time: CivilDateTime, width: Int) -> Int {
        let width = min(max(width, 0), Self.greatestWidth)
        let distance = Int64(time.secondsSince1970) - Int64(start.secondsSince1970)
        return Int(min(max(distance, 0), seconds) * Int64(width) / seconds)
    }

    /// Returns the times of the period at which the clock shows a multiple of a number of seconds
    /// since midnight, with the end; at most a hundred.
    package func ticks(every step: Int) -> [CivilDateTime] {
        let step = Int64(min(max(step, 1), Int(Int32.max)))
        let first = (Int64(start.secondsSince1970) + step - 1) / step * step
        var ticks: [CivilDateTime] = []
        var tick = first - Int64(start.secondsSince1970)
        while tick <= seconds, ticks.count < 100 {
            ticks.append(start.advanced(bySeconds: Int(clamping: tick)))
            tick += step
        }
        return ticks
    }

    /// Returns the smallest round number of seconds between labels that are some seconds apart at
    /// least, preferably one that divides the window; `nil` if the window is shorter than any.
    package static func step(window: Double, atLeast least: Double) -> Int? {
        let fitting = steps.filter { Double($0) <= window && Double($0) >= least }
        return fitting.first { window.truncatingRemainder(dividingBy: Double($0)) < 1 }
            ?? fitting.first
    }
}
