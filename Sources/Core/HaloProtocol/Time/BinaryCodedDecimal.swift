/// Binary-coded decimal: two decimal digits in the halves of a byte, so 0x26 is 26.
package enum BinaryCodedDecimal {
    /// Returns the number of a byte, or `nil` if a half is more than 9.
    package static func number(_ byte: UInt8) -> Int? {
        let tens = byte >> 4
        let ones = byte & 0x0F
        return tens < 10 && ones < 10 ? Int(tens * 10 + ones) : nil
    }

    /// Returns the byte of a number's last two digits.
    package static func byte(_ number: Int) -> UInt8 {
        let rest = UInt8(truncatingIfNeeded: number.magnitude % 100)
        return (rest / 10) << 4 | rest % 10
    }
}
