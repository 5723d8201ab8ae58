package import HaloProtocol

/// A heart rate that was measured just now.
public struct HeartRateReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The heart rate in beats per minute.
    public let beatsPerMinute: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a value, for previews and tests.
    public init(beatsPerMinute: Int, beatInterval: Duration? = nil) {
        self.beatsPerMinute = beatsPerMinute
        self.beatInterval = beatInterval
    }

    /// `64 bpm`.
    public var description: String { "\(beatsPerMinute) bpm" }
}

/// Tells a new beat interval of a ring from a repeated one.
///
/// A ring reports twice a second, and each report has the last interval, whether or not the heart
/// has beaten since. An interval is taken for a repeat if it equals the one before, and if that one
/// is not over since it was reported first. RMSSD of intervals with repeats is about a third too
/// low: each repeat is a difference of 0.
package struct RepeatedBeats: Hashable, Sendable {
    private var last: Report?

    private struct Report: Hashable, Sendable {
        let interval: Duration
        let moment: Moment
    }

    package init() {}

    package mutating func isNew(_ interval: Duration, at moment: Moment) -> Bool {
        if let last, last.interval == interval, moment.duration(since: last.moment) < interval {
            return false
        }
        last = Report(interval: interval, moment: moment)
        return true
    }
}
