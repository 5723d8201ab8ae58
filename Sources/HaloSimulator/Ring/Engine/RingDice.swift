import HaloTransport

/// What a ring leaves to chance.
struct RingDice: Hashable, Sendable {
    private var numbers: SplitMix

    init(seed: UInt64) {
        numbers = SplitMix(seed: seed)
    }

    /// The next number.
    mutating func next() -> UInt64 { numbers.next() }

    /// A number of a range.
    mutating func next(_ range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        return range.lowerBound &+ Int64(bitPattern: numbers.remainder(in: 0...width))
    }
}
