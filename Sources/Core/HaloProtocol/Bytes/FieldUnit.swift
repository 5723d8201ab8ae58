/// The unit of a number; explanations write it after the value.
@frozen
public struct FieldUnit: Sendable {
    /// The text after a number, with its leading space; empty for plain numbers.
    @usableFromInline package let suffix: FieldName

    /// The text after the number 1.
    @usableFromInline package let suffixOfOne: FieldName

    /// Creates a unit from the text after a number, and another text after the number 1.
    @inlinable @inline(__always)
    public init(_ suffix: FieldName, one: FieldName? = nil) {
        self.suffix = suffix
        suffixOfOne = one ?? suffix
    }

    func text(_ value: some BinaryInteger) -> String {
        "\(value)\(value == 1 ? suffixOfOne : suffix)"
    }

    /// A plain number without a unit.
    @inlinable public static var none: FieldUnit { FieldUnit("") }
    /// Percent.
    @inlinable public static var percent: FieldUnit { FieldUnit(" %") }
    /// Beats per minute.
    @inlinable public static var beatsPerMinute: FieldUnit { FieldUnit(" bpm") }
    /// Milliseconds.
    @inlinable public static var milliseconds: FieldUnit { FieldUnit(" ms") }
    /// Seconds.
    @inlinable public static var seconds: FieldUnit { FieldUnit(" s") }
    /// Minutes.
    @inlinable public static var minutes: FieldUnit { FieldUnit(" min") }
    /// Metres.
    @inlinable public static var metres: FieldUnit { FieldUnit(" m") }
    /// Centimetres.
    @inlinable public static var centimetres: FieldUnit { FieldUnit(" cm") }
    /// Kilograms.
    @inlinable public static var kilograms: FieldUnit { FieldUnit(" kg") }
    /// Years of age.
    @inlinable public static var years: FieldUnit { FieldUnit(" years", one: " year") }
    /// Small calories, a thousandth of those on food labels.
    @inlinable public static var calories: FieldUnit { FieldUnit(" cal") }
    /// Millimetres of mercury, the unit of blood pressure.
    @inlinable public static var millimetresOfMercury: FieldUnit { FieldUnit(" mmHg") }
    /// Steps.
    @inlinable public static var steps: FieldUnit { FieldUnit(" steps", one: " step") }
    /// Days before the current day of the ring's clock.
    @inlinable public static var daysAgo: FieldUnit { FieldUnit(" days ago", one: " day ago") }
    /// Bytes.
    @inlinable public static var bytes: FieldUnit { FieldUnit(" bytes", one: " byte") }
    /// Kilojoules.
    @inlinable public static var kilojoules: FieldUnit { FieldUnit(" kJ") }
    /// Decibels relative to a milliwatt.
    @inlinable public static var decibelMilliwatts: FieldUnit { FieldUnit(" dBm") }
    /// 1024ths of a second, the unit of heart-rate sensors for beat intervals.
    @inlinable public static var ticksOf1024: FieldUnit { FieldUnit("/1024 s") }
}
