/// A pseudo-random number generator: SplitMix64, by Steele, Lea and Flood. The seed alone
/// determines the numbers, on every machine.
@usableFromInline
package struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    @inlinable package init(seed: UInt64) {
        state = seed
    }

    @inlinable package mutating func next() -> UInt64 {
        state &+= Self.gamma
        return Self.mixed(state)
    }

    /// The difference between two successive states.
    @inlinable package static var gamma: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Hashes a number: the generator's output function.
    @inlinable package static func mixed(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits ^ bits &>> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits &>> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits &>> 31
    }

    @inlinable package mutating func number<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>
    ) -> Number {
        Self.number(in: range, from: next())
    }

    @inlinable package static func number<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>, from bits: UInt64
    ) -> Number {
        let width = Number.Magnitude(truncatingIfNeeded: range.upperBound &- range.lowerBound)
        let count = UInt64(truncatingIfNeeded: width) &+ 1
        let offset = count == 0 ? bits : count.multipliedFullWidth(by: bits).high
        return range.lowerBound &+ Number(truncatingIfNeeded: offset)
    }

    /// Draws a number from 0 to less than a bound. If the bound is at most 1, returns 0 without a
    /// draw.
    @inlinable package mutating func below(_ bound: Int64) -> Int64 {
        bound > 1 ? number(in: 0...(bound - 1)) : 0
    }

    /// Draws a number in a range by the remainder of a division: some numbers are slightly more
    /// likely.
    ///
    /// Virtual rings and scrubbers use this function because the results of their seeds are
    /// recorded.
    @inlinable package mutating func remainder(in range: ClosedRange<UInt64>) -> UInt64 {
        let width = range.upperBound &- range.lowerBound
        return width < .max ? range.lowerBound &+ next() % (width &+ 1) : next()
    }
}
