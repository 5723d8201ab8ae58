package import HaloProtocol

/// A ring model: its identity, its replies and its quirks.
///
/// Facts come from captures; where there is none, a comment marks the choice. The profiles are
/// ``r02``, ``r03``, ``r10``, ``r12``, ``h59``.
public struct RingProfile: Hashable, Sendable, CustomStringConvertible {
    /// The model's name.
    public var model: String
    /// The prefix of the advertised name; the end of the address follows it.
    public var namePrefix: String
    /// The firmware revision string.
    public var firmware: String
    /// The hardware revision string.
    public var hardware: String
    /// The manufacturer name string, if it has one.
    public var manufacturer: String?
    /// The capabilities in the reply to setting the clock.
    package var capabilities: SetTime.Reply
    package var functions: DeviceFunctions.Reply
    package var commands: RingBehaviourTable
    package var records: RingBehaviourTable
    /// The maximum length of a notification in bytes.
    package var notificationLength: UInt8
    package var retention = RingRetention()
    package var timing = RingTiming()
    package var quirks: RingQuirks
    package var factorySettings: RingSettings
    /// `true` if the ring has the WeChat service, which apps do not need.
    package var hasWeChat: Bool
    /// The battery capacity in microampere hours: 17 mAh is reported of an R02, the others are
    /// guesses.
    package var batteryMicroampereHours: Int

    /// All profiles.
    public static let all: [RingProfile] = [r02, r03, r10, r12, h59]

    /// The model.
    public var description: String { model }
}

/// The delays of a ring, by default those observed on R10 and R12.
package struct RingTiming: Hashable, Sendable {
    /// The milliseconds from a request's arrival to the first frame of the reply.
    ///
    /// Apps saw replies after 80 to 96 ms, two connection events: the request travels in one and
    /// the reply in the next. So the ring itself takes less than the 48 ms between the two.
    package var answerMilliseconds: ClosedRange<Int64> = 8...36
    /// The milliseconds from a request to the first piece of a record: apps saw replies after 90 to
    /// 300 ms.
    package var recordMilliseconds: ClosedRange<Int64> = 20...190
    /// The time from one frame of a reply to the next: a day of heart rates took 0.35 to 0.6 s.
    package var frameSpacing: Duration = .milliseconds(20)
    /// The frame spacing on a slow connection: a day of heart rates took 1.8 to 2.6 s.
    package var slowFrameSpacing: Duration = .milliseconds(80)
    /// The time from one piece of a record to the next: 48 ms were seen.
    package var pieceSpacing: Duration = .milliseconds(48)
    package var slowPieceSpacing: Duration = .milliseconds(122)
    /// The time from connecting to the request for a slow connection.
    package var slowsDownAfter: Duration = .milliseconds(2600)
}

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
}
