internal import HaloProtocol

/// A heart that always beats at one rate, and like every heart not quite.
struct SteadyHeart: Hashable, Sendable {
    /// Beats in a minute.
    let rate: UInt16
    /// The last beat; nothing if none was heard since contact was made.
    private var lastBeat: Moment?
    /// How much of the running interval is over, in microseconds times beats per minute.
    private var progress: Int64 = 0
    private var random: UInt64

    private static let microsecondsPerMinute: Int64 = 60_000_000
    /// No heart beats faster.
    private static let fastest: UInt16 = 600

    init(rate: UInt16, seed: UInt64) {
        self.rate = rate
        random = seed
    }

    /// Nothing is heard any more.
    mutating func lose() {
        lastBeat = nil
        progress = 0
    }

    /// The times between the beats of a span, in 1024ths of a second, the oldest first.
    mutating func intervals(from start: Moment, to end: Moment) -> [UInt16] {
        let rate = Int64(min(rate, Self.fastest))
        guard rate > 0 else {
            lose()
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
            // The constants of a generator by Knuth: each interval is a little different.
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        }
    }

    /// The whole of the running interval: a minute's worth, and up to 3 % more or less.
    private var interval: Int64 {
        let share = Int64(random &>> 33 & 1023) - 512
        return Self.microsecondsPerMinute + Self.microsecondsPerMinute / 17_000 * share
    }

    private static func ticks(_ microseconds: Int64) -> UInt16 {
        UInt16(clamping: (microseconds * 1024 + 500_000) / 1_000_000)
    }
}
