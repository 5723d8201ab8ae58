/// What a field gives away about the wearer or the device.
///
/// A packet says it where it passes over the field, and the scrubbing of captures follows it.
public enum FieldSecrecy: Hashable, Sendable {
    /// Nothing: a setting, a kind, an index, a property of the model.
    case open
    /// Not known, and so as much as anything.
    case unknown
    /// Nothing by itself, but names and numbers of the device may occur in the text.
    case text
    /// Text that a person chose, or that identifies the device.
    case name
    /// The same in UTF-16.
    case wideName
    /// The model of the device, which may be followed by a part of its address.
    case model
    case serial
    /// A part of a system identifier, which is often an address.
    case systemID
    case manufacturerData
    /// The device's address, in an unknown layout.
    case address
    /// Seconds since 1970.
    case seconds
    /// Year, month and day in decimal digits, perhaps with a time of day.
    case decimalDate
    /// A part of a date with a field for each.
    case datePart(DatePart)
    /// One number that was measured on a body.
    case body(BodyQuantity)
    /// Numbers that were measured on a body, of one byte each.
    case samples(BodyQuantity)
    /// Pairs of a minimum and a maximum, of one byte each.
    case ranges(BodyQuantity)
    /// A total that grows.
    case total(BodyTotal)
    /// A measured or counted number of the wearer without a described form. Zero and `kept` are no
    /// measurement.
    case measured(kept: UInt8)
    /// The average, lowest or highest heart rate of a workout.
    case pulseOfWorkout(Extreme)
    /// A reading of an optical sensor: its value, its extremes and their difference.
    case light(LightPart)
    /// One axis of an accelerometer.
    case axis
    case sex
    case sleep(SleepPart)
    /// The layout of a recording. It tells nothing if each of its fields is described.
    case layout(isDescribed: Bool)

    /// A measured number without a described form, of which only zero is no measurement.
    @inlinable public static var measured: FieldSecrecy { .measured(kept: 0) }

    /// A part of a date.
    public enum DatePart: Hashable, Sendable {
        case century, yearOfCentury, month, day, weekday
    }

    /// A heart rate of a workout.
    public enum Extreme: Hashable, Sendable {
        case average, lowest, highest
    }

    /// A number of an optical sensor.
    public enum LightPart: Hashable, Sendable {
        case value, maximum, minimum, difference
    }

    /// A part of a period of sleep.
    public enum SleepPart: Hashable, Sendable {
        case start, end, stage, minutes
    }
}
