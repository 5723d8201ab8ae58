/// Decimal numbers as text, with a fixed number of digits.
package enum DecimalText {
    /// Returns at least two digits, with a leading zero if needed.
    package static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Returns a number of tenths as a decimal fraction.
    static func tenths(_ number: Int) -> String {
        fraction(number, digits: 1)
    }

    /// Returns a number of hundredths as a decimal fraction.
    static func hundredths(_ number: Int) -> String {
        fraction(number, digits: 2)
    }

    private static func fraction(_ number: Int, digits: Int) -> String {
        let unit = digits == 1 ? 10 : 100
        let magnitude = number < 0 ? 0 &- number : number
        let rest = magnitude % unit
        let padded = digits == 2 ? two(rest) : "\(rest)"
        return "\(number < 0 ? "-" : "")\(magnitude / unit).\(padded)"
    }
}
