/// A skin temperature as rings write it: one byte, tenths of a degree above 20 °C.
@usableFromInline
package enum SkinTemperature {
    /// Returns the nearest byte for a temperature in tenths of a degree Celsius.
    package static func byte(tenthsOfCelsius: Int) -> UInt8 {
        UInt8(clamping: min(tenthsOfCelsius, 455) - 200)
    }

    @inlinable @inline(__always)
    static func tenthsOfCelsius(_ byte: UInt8) -> Int { Int(byte) &+ 200 }

    @inlinable @inline(__always)
    package static func celsius(_ byte: UInt8) -> Double { Double(tenthsOfCelsius(byte)) / 10 }

    /// Returns the temperature of a byte in degrees Celsius, without its unit.
    @usableFromInline
    static func text(_ byte: UInt8) -> String { DecimalText.tenths(tenthsOfCelsius(byte)) }
}
