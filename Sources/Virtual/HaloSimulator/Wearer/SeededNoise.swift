internal import HaloTransport

/// Pseudorandom numbers without state: each is a function of a seed, a purpose and a position.
///
/// The mixing function is that of SplitMix64, whose every step is known to be reversible.
struct SeededNoise: Hashable, Sendable {
    let seed: UInt64

    /// The purpose of a number: the same position has independent numbers for different purposes.
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
        case stall
        case lossRate
        case lostSlot
        case stressEnd
        case unwornSlot
        case unwornPulse
        case splitChance
        case split
        case splitGap
        case sagChance
        case sag
        case refusal
    }

    func bits(_ purpose: Purpose, _ place: Int64) -> UInt64 {
        let drawn = SplitMix.mixed(seed &+ purpose.rawValue &* SplitMix.gamma)
        return SplitMix.mixed(drawn &+ UInt64(truncatingIfNeeded: place) &* SplitMix.gamma)
    }

    /// A number of a range, evenly distributed.
    func number(_ purpose: Purpose, _ place: Int64, in range: ClosedRange<Int>) -> Int {
        SplitMix.number(in: range, from: bits(purpose, place))
    }

    func happens(_ purpose: Purpose, _ place: Int64, percent: Int) -> Bool {
        number(purpose, place, in: 0...99) < percent
    }

    /// A continuous line between −amplitude and amplitude: a new number every `period` seconds, and
    /// straight between them.
    func line(_ purpose: Purpose, at second: Int64, period: Int64, amplitude: Int) -> Int {
        let place = second / period
        let part = Int(second - place * period)
        let from = number(purpose, place, in: -amplitude...amplitude)
        let to = number(purpose, place + 1, in: -amplitude...amplitude)
        return from + (to - from) * part / Int(period)
    }
}
