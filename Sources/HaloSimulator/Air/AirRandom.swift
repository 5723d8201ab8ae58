import HaloTransport

/// What the radio leaves to chance.
struct AirRandom {
    private var numbers: SplitMix

    init(seed: UInt64) {
        numbers = SplitMix(seed: seed)
    }

    /// The next number.
    mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to, and without, a bound.
    mutating func below(_ bound: Int64) -> Int64 {
        guard bound > 1 else { return 0 }
        return Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
