/// A beat that a heart-rate sensor told of.
public struct SensedBeat: Hashable, Sendable {
    /// Which beat of the session, from 1 on.
    public let number: UInt64
    /// Which series it belongs to: between two series beats may be missing.
    public let series: UInt64
    /// The time since the beat before, in 1024ths of a second.
    public let intervalTicks: UInt16
    /// When it was, in 1024ths of a second since its series began.
    public let ticks: UInt64

    /// The time since the beat before in milliseconds.
    public var intervalMilliseconds: Double {
        HeartRateMeasurement.milliseconds(intervalTicks)
    }
}

/// Puts the intervals of one measurement after the other on a timeline.
struct SensedBeatTimeline: Sendable {
    private(set) var beatCount: UInt64 = 0
    private var series: UInt64 = 0
    private var ticks: UInt64 = 0
    /// When the series began, by the clock; nothing if the next beat begins another one.
    private var began: Moment?

    /// Beats may be missing from here on.
    mutating func interrupt() { began = nil }

    /// The beats whose intervals have come now.
    mutating func beats(
        _ intervals: HeartRateMeasurement.RRIntervals, at now: Moment, drift: Int64
    ) -> [SensedBeat] {
        guard !intervals.isEmpty else { return [] }
        let sum = intervals.reduce(0 as UInt64) { $0 + UInt64($1) }
        if let began {
            let expected = Self.microseconds(ticks &+ sum)
            let distance = now.microseconds(since: began).subtractingReportingOverflow(expected)
            if distance.overflow || distance.partialValue.magnitude > drift.magnitude {
                self.began = nil
            }
        }
        if began == nil {
            began = now.advanced(byMicroseconds: -Self.microseconds(sum))
            series &+= 1
            ticks = 0
        }
        return intervals.map { interval in
            beatCount &+= 1
            ticks &+= UInt64(interval)
            return SensedBeat(
                number: beatCount, series: series, intervalTicks: interval, ticks: ticks)
        }
    }

    /// Ticks in microseconds; a series that is longer than the clock can say is never met.
    private static func microseconds(_ ticks: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: min(ticks, 1 << 42)) &* 1_000_000 / 1024
    }
}
