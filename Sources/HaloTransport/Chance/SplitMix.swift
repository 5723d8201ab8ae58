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
