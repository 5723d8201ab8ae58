/// Random numbers that are the same for the same seed.
struct RingDice: Hashable, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The next number: SplitMix64, whose constants stand here in decimal.
    mutating func next() -> UInt64 {
        state &+= 11_400_714_819_323_198_485
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 13_787_848_793_156_543_929
        mixed = (mixed ^ (mixed >> 27)) &* 10_723_151_780_598_845_931
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range.
    mutating func next(_ range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
        return width == 0 ? range.lowerBound : range.lowerBound &+ Int64(next() % width)
    }
}
