internal import HaloProtocol

/// A person's heart, as a strap hears it.
struct WornHeart: Sendable {
    private let wearer: Wearer
    private var body: BodyClock
    private var heard: Heard?

    /// Beats since contact was made.
    private struct Heard: Sendable {
        let origin: Moment
        var beats: HeartBeats
        var next: HeartBeat
    }

    init(_ wearer: Wearer) {
        self.wearer = wearer
        body = BodyClock(wearer)
    }

    /// Beats in a minute.
    mutating func rate(at time: CivilDateTime) -> UInt16 {
        UInt16(body.state(at: time).beatsPerMinute)
    }

    /// Nothing is heard any more.
    mutating func lose() {
        heard = nil
    }

    /// The times between the beats of a span, in 1024ths of a second, the oldest first.
    mutating func intervals(
        from start: Moment, to end: Moment, by clock: SensorClock
    ) -> [UInt16] {
        var heard = heard ?? begin(at: start, by: clock)
        var intervals: [UInt16] = []
        while heard.origin.advanced(byMicroseconds: heard.next.microseconds) <= end {
            let beat = heard.origin.advanced(byMicroseconds: heard.next.microseconds)
            // A beat whose beginning was not heard has no interval.
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

    private func begin(at start: Moment, by clock: SensorClock) -> Heard {
        let (time, origin) = clock.second(of: start)
        var beats = HeartBeats(of: wearer, from: time)
        let next = beats.next()
        return Heard(origin: origin, beats: beats, next: next)
    }
}

/// What a clock on the wall showed when a strap came to life, and so shows at any moment.
struct SensorClock: Hashable, Sendable {
    /// What it showed.
    var time = CivilDateTime(secondsSince1970: 0)
    /// When.
    var moment = Moment.origin

    /// The second that a moment lies in, and when that began.
    func second(of moment: Moment) -> (time: CivilDateTime, start: Moment) {
        let elapsed = moment.microseconds(since: self.moment)
        let seconds = elapsed / 1_000_000
        return (
            time.advanced(bySeconds: Int(clamping: seconds)),
            self.moment.advanced(byMicroseconds: seconds * 1_000_000)
        )
    }
}
