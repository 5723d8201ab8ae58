/// Two decimal digits in the two halves of a byte, as rings write dates: 0x26 is 26.
public enum BinaryCodedDecimal {
    /// The number that a byte spells; nothing if a half is more than 9.
    public static func number(_ byte: UInt8) -> Int? {
        let tens = byte >> 4
        let ones = byte & 0x0F
        return tens < 10 && ones < 10 ? Int(tens * 10 + ones) : nil
    }

    /// The byte that spells a number; of a number beyond 99, its last two digits.
    public static func byte(_ number: Int) -> UInt8 {
        let rest = UInt8(truncatingIfNeeded: number.magnitude % 100)
        return (rest / 10) << 4 | rest % 10
    }
}
