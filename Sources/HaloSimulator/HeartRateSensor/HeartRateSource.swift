internal import HaloProtocol

/// The source of a virtual heart-rate sensor's values.
enum HeartRateSource: Sendable {
    /// A person's heart.
    case wearer(WornHeart)
    /// A simulated heart with a constant rate.
    case steady(SteadyHeart)
    /// Prepared measurements.
    case script([HeartRateMeasurement], next: Int, repeats: Bool)

    /// The next measurement of a script; `nil` for another source, or after the last measurement.
    mutating func nextOfScript() -> HeartRateMeasurement? {
        guard case .script(let script, let next, let repeats) = self, !script.isEmpty else {
            return nil
        }
        guard next < script.count || repeats else { return nil }
        let index = next < script.count ? next : 0
        self = .script(script, next: index + 1, repeats: repeats)
        return script[index]
    }

    /// The heart rate and the beats of a span, or `nil` for a script.
    mutating func heard(
        from start: Moment, to end: Moment, by clock: SensorClock, isWorn: Bool
    ) -> (rate: UInt16, intervals: [UInt16])? {
        switch self {
        case .wearer(var heart):
            let rate = heart.rate(at: clock.second(of: end).time)
            let intervals = isWorn ? heart.intervals(from: start, to: end, by: clock) : []
            self = .wearer(heart)
            return (rate, intervals)
        case .steady(var heart):
            let intervals = isWorn ? heart.intervals(from: start, to: end) : []
            self = .steady(heart)
            return (heart.rate, intervals)
        case .script: return nil
        }
    }

    /// Ends skin contact: the next beat has no interval.
    mutating func reset() {
        switch self {
        case .wearer(var heart):
            heart.reset()
            self = .wearer(heart)
        case .steady(var heart):
            heart.reset()
            self = .steady(heart)
        case .script: break
        }
    }
}

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

    /// Ends skin contact.
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

/// A wearer's heart as a chest strap measures it.
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

    /// Ends skin contact.
    mutating func reset() {
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

    private func begin(at start: Moment, by clock: SensorClock) -> Heard {
        let (time, origin) = clock.second(of: start)
        var beats = HeartBeats(of: wearer, from: time)
        let next = beats.next()
        return Heard(origin: origin, beats: beats, next: next)
    }
}

/// A wall clock that runs on from one reading.
struct SensorClock: Hashable, Sendable {
    /// The reading.
    var time = CivilDateTime(secondsSince1970: 0)
    /// The moment of the reading.
    var moment = Moment.origin

    /// The whole second that the clock shows at a moment, and the moment at which that second
    /// began.
    func second(of moment: Moment) -> (time: CivilDateTime, start: Moment) {
        let elapsed = moment.microseconds(since: self.moment)
        let seconds = elapsed / 1_000_000
        return (
            time.advanced(bySeconds: Int(clamping: seconds)),
            self.moment.advanced(byMicroseconds: seconds * 1_000_000)
        )
    }
}
