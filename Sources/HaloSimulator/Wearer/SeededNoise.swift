import HaloTransport

/// Numbers that look drawn and are not: each follows from a seed, a purpose and a place.
///
/// The mixing is that of SplitMix64, whose every step is known to be reversible.
struct SeededNoise: Hashable, Sendable {
    /// What sets one series of numbers apart from another.
    let seed: UInt64

    /// What a number is for, so that places of the same number do not meet.
    enum Purpose: UInt64 {
        case bed = 1
        case wake
        case cycle
        case stage
        case napChance
        case nap
        case target
        case hour
        case bout
        case cadence
        case exercise
        case stress
        case slowPulse
        case fastPulse
        case variability
        case oxygen
        case dip
        case tension
        case warmth
        case posture
        case shiver
        case beat
        case weekday
    }

    func bits(_ purpose: Purpose, _ place: Int64) -> UInt64 {
        let drawn = SplitMix.mixed(seed &+ purpose.rawValue &* SplitMix.gamma)
        return SplitMix.mixed(drawn &+ UInt64(truncatingIfNeeded: place) &* SplitMix.gamma)
    }

    /// A number of a range, each as likely as another.
    func number(_ purpose: Purpose, _ place: Int64, in range: ClosedRange<Int>) -> Int {
        SplitMix.number(in: range, from: bits(purpose, place))
    }

    /// Whether something happens that happens so many times in a hundred.
    func happens(_ purpose: Purpose, _ place: Int64, percent: Int) -> Bool {
        number(purpose, place, in: 0...99) < percent
    }

    /// A line without jumps between −amplitude and amplitude: a new number every `period`
    /// seconds, and straight between them.
    func line(_ purpose: Purpose, at second: Int64, period: Int64, amplitude: Int) -> Int {
        let place = second / period
        let part = Int(second - place * period)
        let from = number(purpose, place, in: -amplitude...amplitude)
        let to = number(purpose, place + 1, in: -amplitude...amplitude)
        return from + (to - from) * part / Int(period)
    }
}

/// Something like a sine, from two parabolas.
enum Wave {
    /// −1024 to 1024 over a period: 0 at its begin, the most at a quarter.
    static func value(at part: Int, of period: Int) -> Int {
        let turn = part * 2048 / period % 2048
        let half = turn % 1024
        let bow = half * (1024 - half) / 256
        return turn < 1024 ? bow : -bow
    }

    /// 0 to 1024 and back to 0: a bump over `length`, nothing outside.
    static func bump(at part: Int, of length: Int) -> Int {
        guard part > 0, part < length else { return 0 }
        let place = part * 1024 / length
        return place * (1024 - place) / 256
    }
}
