package import HaloProtocol

struct WornHeart: Sendable {
    private let wearer: Wearer
    private var body: BodyClock
    private var heard: Heard?

    /// The beats since skin contact began.
    private struct Heard: Sendable {
        let origin: Moment
        var beats: HeartBeats
        var next: WearerBeat
    }

    init(_ wearer: Wearer) {
        self.wearer = wearer
        body = BodyClock(wearer)
    }

    /// The rate in beats per minute.
    mutating func rate(at time: CivilDateTime) -> UInt16 {
        UInt16(body.state(at: time).beatsPerMinute)
    }

    mutating func reset() {
        heard = nil
    }

    /// The times between the beats of a span, in 1024ths of a second, the oldest first.
    mutating func intervals(
        from start: Moment, to end: Moment, by clock: RunningClock
    ) -> [UInt16] {
        var heard = heard ?? listen(at: start, by: clock)
        var intervals: [UInt16] = []
        while heard.origin.advanced(byMicroseconds: heard.next.microseconds) <= end {
            let beat = heard.origin.advanced(byMicroseconds: heard.next.microseconds)
            // A beat that began before the contact has no interval.
            if beat.advanced(byMicroseconds: -heard.next.intervalMicroseconds) >= start
                || self.heard != nil
            {
                intervals.append(heard.next.intervalTicks)
            }
            heard.next = heard.beats.next()
        }
        self.heard = heard
        return intervals
    }

    private func listen(at start: Moment, by clock: RunningClock) -> Heard {
        let time = clock.time(at: start)
        var beats = HeartBeats(of: wearer, from: time)
        let next = beats.next()
        return Heard(origin: clock.moment(of: time), beats: beats, next: next)
    }
}

/// The beats of a heart, in order.
///
/// The interval follows from the heart rate, plus a scatter with mean 0 and a size from the
/// variability. Half of the scatter follows the breath, about every four seconds; half is noise.
/// Beats depend on the start, since each begins at the end of the previous one.
package struct HeartBeats: Sendable {
    private var body: BodyClock
    private let start: CivilDateTime
    private var elapsed: Int64 = 0

    package init(of wearer: Wearer, from start: CivilDateTime) {
        body = BodyClock(wearer, at: start)
        self.start = start
    }

    package mutating func next() -> WearerBeat {
        let interval = body.beatMicroseconds(start, microseconds: elapsed)
        elapsed += interval
        return WearerBeat(microseconds: elapsed, intervalMicroseconds: interval)
    }
}

package struct WearerBeat: Hashable, Sendable {
    /// The moment in microseconds since the sequence began.
    package let microseconds: Int64
    package let intervalMicroseconds: Int64

    /// The interval in 1/1024 s, as heart-rate sensors report it; sums stay exact.
    package var intervalTicks: UInt16 {
        UInt16(clamping: Self.ticks(microseconds) - Self.ticks(microseconds - intervalMicroseconds))
    }

    private static func ticks(_ microseconds: Int64) -> Int64 { microseconds * 1024 / 1_000_000 }
}
