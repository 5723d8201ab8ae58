public import HaloProtocol

/// The beats of a heart, one after the other.
///
/// The time between two beats is what the heart rate says, plus a scatter whose mean is nothing
/// and whose size follows from the variability: one half comes and goes with the breath, about
/// every four seconds, the other is noise. Beats depend on when the sequence began, for each
/// begins where the one before it ended.
public struct HeartBeats: Sendable {
    private var body: BodyClock
    private let start: CivilDateTime
    private var elapsed: Int64 = 0

    /// The beats of a wearer's heart from a moment on.
    public init(of wearer: Wearer, from start: CivilDateTime) {
        body = BodyClock(wearer, at: start)
        self.start = start
    }

    /// The next beat.
    public mutating func next() -> HeartBeat {
        let interval = body.beatMicroseconds(start, microseconds: elapsed)
        elapsed += interval
        return HeartBeat(microseconds: elapsed, intervalMicroseconds: interval)
    }
}

extension BodyClock {
    /// The interval of the beat that a moment lies in, in milliseconds.
    public mutating func beatMilliseconds(at time: CivilDateTime) -> UInt16 {
        UInt16(clamping: (beatMicroseconds(time, microseconds: 0) + 500) / 1000)
    }

    mutating func beatMicroseconds(_ start: CivilDateTime, microseconds: Int64) -> Int64 {
        let moment = Int64(start.secondsSince1970) * 1_000_000 + microseconds
        let second = UInt32(clamping: moment / 1_000_000)
        let state = state(at: CivilDateTime(secondsSince1970: second))
        let size = Int(state.variabilityMilliseconds) * 1000
        let drawn = noise.number(.beat, moment / 1000, in: -size...size)
        let breath = size * 55 / 100 * Wave.value(at: Int(moment / 1000 % 4100), of: 4100) / 1024
        let interval = state.meanBeatMicroseconds + Int64(drawn) + Int64(breath)
        return interval.limited(to: 240_000...2_500_000)
    }
}
