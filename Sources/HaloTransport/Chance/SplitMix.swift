/// Numbers that look random and follow from a seed alone, the same on every machine: SplitMix64,
/// by Steele, Lea and Flood.
@usableFromInline
package struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// Starts with a seed.
    @inlinable package init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    @inlinable package mutating func next() -> UInt64 {
        state &+= Self.gamma
        return Self.mixed(state)
    }

    /// What lies between two states.
    @inlinable package static var gamma: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// A number that another one leads to.
    @inlinable package static func mixed(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits ^ bits &>> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits &>> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits &>> 31
    }
}

extension SplitMix {
    /// A number of a range, each as likely as another.
    @inlinable package mutating func number<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>
    ) -> Number {
        Self.number(in: range, from: next())
    }

    /// The number of a range that some bits lead to.
    @inlinable package static func number<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>, from bits: UInt64
    ) -> Number {
        let width = Number.Magnitude(truncatingIfNeeded: range.upperBound &- range.lowerBound)
        let count = UInt64(truncatingIfNeeded: width) &+ 1
        let place = count == 0 ? bits : count.multipliedFullWidth(by: bits).high
        return range.lowerBound &+ Number(truncatingIfNeeded: place)
    }

    /// A number from 0 up to, and without, a bound; nothing is drawn where there is no choice.
    @inlinable package mutating func below(_ bound: Int64) -> Int64 {
        bound > 1 ? number(in: 0...(bound - 1)) : 0
    }

    /// A number of a range, by the remainder of a division: a few come a little more often.
    ///
    /// Rings and scrubbers draw so, for what follows from their seeds is written down.
    @inlinable package mutating func remainder(in range: ClosedRange<UInt64>) -> UInt64 {
        let width = range.upperBound &- range.lowerBound
        return width < .max ? range.lowerBound &+ next() % (width &+ 1) : next()
    }
}
