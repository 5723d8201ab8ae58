package struct RingQuirks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The start of a workout is stored as if the clock showed UTC+8 (captured, R10).
    package static let workoutsInUTC8 = RingQuirks(rawValue: 1 << 0)
    /// Dates of activity have the year 00 (one source, R03 and R09).
    package static let activityWithoutYear = RingQuirks(rawValue: 1 << 1)
    /// A realtime measurement reports a fault while the ring is not worn (captured, R02). Other
    /// rings send zeros, which is a choice: both are reported, without the firmware.
    package static let reportsNotWorn = RingQuirks(rawValue: 1 << 3)
    /// A measurement ends after ten values (several sources, R02).
    package static let endsAfterTenValues = RingQuirks(rawValue: 1 << 4)
    /// Naps come before the nights (captured, R12).
    package static let napsBeforeNights = RingQuirks(rawValue: 1 << 5)
    /// Sleep is sent only for requests of two bytes. Shorter ones were reported to get no reply on
    /// Realtek chips, which is not certain.
    package static let sleepNeedsTwoBytes = RingQuirks(rawValue: 1 << 6)
    /// The reply to written preferences has two unexplained bytes (captured, R02).
    package static let oddPreferencesEcho = RingQuirks(rawValue: 1 << 7)
    /// Blood pressure settings are read as invalid bytes (captured, R12).
    package static let oddBloodPressureSetting = RingQuirks(rawValue: 1 << 8)
    /// Frames of a measurement carry the last time between two beats (captured, R12; one source
    /// each, R09 and H59).
    package static let beatIntervals = RingQuirks(rawValue: 1 << 9)
    /// The ring requests other connection parameters some seconds after connecting (captured, R12);
    /// assumed for all Realtek chips.
    package static let slowsTheLink = RingQuirks(rawValue: 1 << 10)
    /// A measurement reports once, and then not before its first value. A stream of heart rates
    /// reports once a second, without an end (one source, R02 with firmware 3.00.17; the stream
    /// also of an RT02R).
    package static let quietWhileWarmingUp = RingQuirks(rawValue: 1 << 11)
    /// A day without temperatures ends after its header (captured, R10).
    package static let emptyTemperatureDays = RingQuirks(rawValue: 1 << 12)
    /// Raw values have sixteen bits of acceleration and two more channels, and a stop with a reply
    /// (one source, R08).
    package static let wideRawSensors = RingQuirks(rawValue: 1 << 13)
    /// "Off" is confirmed for automatic heart rates, and ignored (one source, R08).
    package static let keepsHeartRateLogging = RingQuirks(rawValue: 1 << 14)
}
