/// What a field of a packet may give away, and so what it is replaced by.
enum FieldSecrecy: Hashable, Sendable {
    /// Nothing: it stays.
    case harmless
    /// Nobody knows.
    case unknown
    /// Text that someone chose, or that says which device it is.
    case name
    /// A device's model, with a part of its address behind it or not.
    case model
    /// A serial number.
    case serial
    /// A system identifier, which is often an address.
    case systemID
    /// Data that a maker put into an advertisement.
    case makersData
    /// Seconds since 1970.
    case seconds
    /// Year, month and day in decimal digits.
    case decimalDate
    /// The same with a time of day behind it.
    case decimalDateTime
    /// Century, year, month, day and weekday, a field each.
    case dateInParts
    /// A sample of a body.
    case sample(BodySample)
    /// Pairs of the least and the most of an hour.
    case ranges(BodySample)
    /// A count that grows.
    case total(BodyTotal)
    /// What the field `quantity` beside it says.
    case measured(MeasuredPlace)
    /// What the field `tag` beside it says.
    case tagged
    /// Value, most, least and difference of an optical sensor.
    case light
    /// One axis of an accelerometer.
    case axis
    /// The wearer's sex.
    case sex
    /// A sleep: its start, its end and its stages.
    case sleep
    /// A byte that is one of a body, unless it says that there is none.
    case unlessNone

    /// Which place of a live measurement a byte has.
    enum MeasuredPlace: Hashable, Sendable {
        case value, second, third
    }

    /// The kind under which it is reported; none for what stays.
    var kind: ScrubKind? {
        switch self {
        case .harmless: nil
        case .unknown: .unknown
        case .name, .model: .names
        case .serial: .serials
        case .systemID, .makersData: .addresses
        case .seconds, .decimalDate, .decimalDateTime, .dateInParts: .dates
        case .sample, .ranges, .total, .measured, .tagged, .light, .axis, .sex, .sleep,
            .unlessNone:
            .health
        }
    }
}
