internal import HaloProtocol

/// A heart with a constant rate, and intervals that vary by up to 3 %.
struct SteadyHeart: Hashable, Sendable {
    /// The rate in beats per minute.
    let rate: UInt16
    /// The last beat, or `nil` if there was none since contact began.
    private var lastBeat: Moment?
    /// The elapsed part of the current interval, in microseconds times beats per minute.
    private var progress: Int64 = 0
    private var random: UInt64

    private static let microsecondsPerMinute: Int64 = 60_000_000
    /// The highest rate in beats per minute; a higher one is limited to it.
    private static let fastest: UInt16 = 600

    init(rate: UInt16, seed: UInt64) {
        self.rate = rate
        random = seed
    }

    mutating func reset() {
        lastBeat = nil
        progress = 0
    }

    /// The times between the beats of a span, in 1024ths of a second, the oldest first.
    mutating func intervals(from start: Moment, to end: Moment) -> [UInt16] {
        let rate = Int64(min(rate, Self.fastest))
        guard rate > 0 else {
            reset()
            return []
        }
        var intervals: [UInt16] = []
        var now = start
        while true {
            let missing = max(interval - progress, 0)
            let beat = now.advanced(byMicroseconds: (missing + rate - 1) / rate)
            guard beat <= end else {
                progress += max(end.microseconds(since: now), 0) * rate
                return intervals
            }
            if let lastBeat { intervals.append(Self.ticks(beat.microseconds(since: lastBeat))) }
            lastBeat = beat
            now = beat
            progress = 0
            // The constants of Knuth's random generator: each interval differs a little.
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        }
    }

    /// The length of the current interval in microseconds times beats per minute: one minute, up to
    /// 3 % more or less.
    private var interval: Int64 {
        let share = Int64(random &>> 33 & 1023) - 512
        return Self.microsecondsPerMinute + Self.microsecondsPerMinute / 17_000 * share
    }

    private static func ticks(_ microseconds: Int64) -> UInt16 {
        UInt16(clamping: (microseconds * 1024 + 500_000) / 1_000_000)
    }
}
