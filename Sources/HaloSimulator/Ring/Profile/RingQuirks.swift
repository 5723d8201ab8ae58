/// Where firmware differs from what one would expect.
public struct RingQuirks: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Quirks by their bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The start of a workout is stored as if the clock showed the time of UTC+8 (captured, R10).
    public static let workoutsInUTC8 = RingQuirks(rawValue: 1 << 0)
    /// Dates of activity have the year 00 (one source, R03 and R09).
    public static let activityWithoutYear = RingQuirks(rawValue: 1 << 1)
    /// The setting of automatic blood oxygen says its interval (captured, R10).
    public static let bloodOxygenInterval = RingQuirks(rawValue: 1 << 2)
    /// Not worn, a realtime measurement reports a fault (captured, R02); others send zeros, which
    /// is a choice: reports of both exist, and none says which firmware does which.
    public static let reportsNotWorn = RingQuirks(rawValue: 1 << 3)
    /// A measurement ends after ten values (several sources, R02).
    public static let endsAfterTenValues = RingQuirks(rawValue: 1 << 4)
    /// Naps come before the nights (captured, R12).
    public static let napsBeforeNights = RingQuirks(rawValue: 1 << 5)
    /// Nights are told for requests of two bytes only: shorter ones were reported to get no
    /// answer on Realtek chips, which is not certain.
    public static let sleepNeedsTwoBytes = RingQuirks(rawValue: 1 << 6)
    /// The answer to written preferences has two bytes that nobody explained (captured, R02).
    public static let oddPreferencesEcho = RingQuirks(rawValue: 1 << 7)
    /// Blood pressure settings are read as bytes that are none (captured, R12).
    public static let oddBloodPressureSetting = RingQuirks(rawValue: 1 << 8)
    /// Frames of a measurement carry the last time between two beats (captured, R09, R12, H59).
    public static let beatIntervals = RingQuirks(rawValue: 1 << 9)
    /// The system asks for another rhythm of the link some seconds after connecting (captured,
    /// R12); taken to be so on all Realtek chips.
    public static let slowsTheLink = RingQuirks(rawValue: 1 << 10)
}
