/// A colour of an LED strip: the intensities of its three coloured lamps.
public struct LEDColour: Hashable, Sendable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    /// Creates a colour; lamps that are left out are dark.
    public init(red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates the colour of a hue in degrees, at full brightness: 0 is red, 120 green, 240 blue.
    public init(hueDegrees hue: Int) {
        let hue = (hue % 360 + 360) % 360
        let rising = UInt8(hue % 60 * 255 / 60)
        switch hue / 60 {
        case 0: self.init(red: 255, green: rising)
        case 1: self.init(red: 255 - rising, green: 255)
        case 2: self.init(green: 255, blue: rising)
        case 3: self.init(green: 255 - rising, blue: 255)
        case 4: self.init(red: rising, blue: 255)
        default: self.init(red: 255, blue: 255 - rising)
        }
    }

    public static let black = LEDColour()
    /// Red, green and blue together; strips with a white lamp have a better white.
    public static let white = LEDColour(red: 255, green: 255, blue: 255)

    /// Returns the colour at a part of its brightness, in thousandths; more than 1000 is 1000.
    public func dimmed(toThousandths brightness: Int) -> LEDColour {
        LEDColour.black.mixed(with: self, thousandths: brightness)
    }

    /// Returns the colour between this one and another, in thousandths of the way; limited to 0 to
    /// 1000.
    public func mixed(with other: LEDColour, thousandths: Int) -> LEDColour {
        let part = min(max(thousandths, 0), 1000)
        func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Int(one) * (1000 - part) + Int(other) * part + 500) / 1000)
        }
        return LEDColour(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The colour in hexadecimal: `#FF8000`.
    public var description: String {
        "#" + HexText.byte(red) + HexText.byte(green) + HexText.byte(blue)
    }

    /// Creates a colour from six hexadecimal digits, or from three of which each counts twice, with
    /// or without `#`.
    public init(parsing text: some StringProtocol) throws(TextError) {
        let digits = Array(text.utf8.drop { $0 == UInt8(ascii: "#") })
        let start = text.utf8.count - digits.count
        guard start <= 1 else { throw TextError("colour", expected: "a digit", at: 1) }
        var value: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            guard index < 6 else {
                throw TextError("colour", expected: "the end", at: start + index)
            }
            guard let bits = HexText.value(ofDigit: digit) else {
                throw TextError("colour", expected: "a hexadecimal digit", at: start + index)
            }
            value = value << 4 | UInt32(bits)
        }
        if digits.count == 3 {
            value = (value & 0xF00) << 8 | (value & 0xF0) << 4 | value & 0xF
            value |= value << 4
        } else if digits.count != 6 {
            throw TextError("colour", expected: "three or six digits", at: start + digits.count)
        }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16),
            green: UInt8(truncatingIfNeeded: value >> 8), blue: UInt8(truncatingIfNeeded: value))
    }
}
