/// Numbers that look random and follow from a seed alone.
struct AirRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number from 0 up to, and without, a bound.
    mutating func below(_ bound: Int64) -> Int64 {
        guard bound > 1 else { return 0 }
        return Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number that another one leads to.
    static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ value &>> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value &>> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value &>> 31
    }
}
