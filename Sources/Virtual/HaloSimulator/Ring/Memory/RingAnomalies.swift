/// Anomalies of what a ring stores and reports, as seen on real rings. All are off by default.
///
/// ``VirtualRingOptions/seed`` decides when they happen, and how: the same seed has the same
/// values. Each comment names who has seen it, on what, and what is a choice. stansz/smart-ring is
/// `docs/RING_BEHAVIOR.md` of that repository on GitHub, about one R09 with `RT09_3.10.21_251107`.
public struct RingAnomalies: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Creates anomalies from their bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The logging of heart rates and temperatures hangs from some moment on, while all else goes
    /// on (stansz/smart-ring).
    ///
    /// Switching the heart-rate setting off and on revived it, or else an empty battery. Here any
    /// write of the setting does, or a restart; and it hangs once, 6 to 40 hours before the ring
    /// appears: choices.
    public static let stalledLogging = RingAnomalies(rawValue: 1 << 0)
    /// Values are missing while the ring is worn: heart rates of every 15 minutes had gaps of 45 to
    /// 75 minutes (stansz/smart-ring).
    ///
    /// Here each slot of each kind is lost with the same probability, 5 to 30 percent, which the
    /// seed decides: a choice.
    public static let lostSlots = RingAnomalies(rawValue: 1 << 1)
    /// A night is stored as two, some minutes apart, as if its wearer had got up.
    ///
    /// Seen with gaps of 3 and 9 minutes, but on a ring with another protocol (YCBT), in some of
    /// its nights: https://github.com/foureight84/PulseLoopAndroid/issues/63. Whether COLMI rings
    /// do so is not known. Here it is two nights of three.
    public static let splitNights = RingAnomalies(rawValue: 1 << 2)
    /// Activity has no record of an hour without steps, even if the hour has energy, as of a ride
    /// (stansz/smart-ring). Slots in which nothing was counted are left out by all virtual rings.
    public static let omittedIdleHours = RingAnomalies(rawValue: 1 << 3)
    /// The last stress of a day comes 3 to 11 hours before its last heart rate
    /// (stansz/smart-ring). It goes on at midnight: a choice.
    public static let earlyEndOfStress = RingAnomalies(rawValue: 1 << 4)
    /// Temperatures are sent of completed days only; those of today from 22:00 on.
    ///
    /// On one day, today's came at 22:04, and on another there were none at 19:53
    /// (stansz/smart-ring). They were requested with the selector FF; here any selector gives the
    /// same days. In a capture of an R10, 00 gave those of today in the afternoon.
    public static let lateTemperature = RingAnomalies(rawValue: 1 << 5)
    /// The reported battery level is 10 to 15 percent too low at times, as the voltage drops under
    /// load (stansz/smart-ring). Here it is half of the time, and the charge itself does not jump.
    public static let jumpingBattery = RingAnomalies(rawValue: 1 << 6)
    /// The clock is three years ahead when the ring appears, in addition to
    /// ``VirtualRingOptions/clock``. An app that sets it leaves earlier values under dates in the
    /// future.
    ///
    /// No such COLMI ring is known; a WHOOP 4.0 was 28,000 hours ahead:
    /// https://github.com/ryanbr/noop/issues/324.
    public static let clockAhead = RingAnomalies(rawValue: 1 << 7)
    /// Heart rates are stored while the ring is not worn, as one user reports, without the model
    /// and the values: https://github.com/foureight84/PulseLoopAndroid/issues/19. An R02 on a table
    /// measured 85 to 90 beats per minute, without a fault:
    /// https://github.com/dgodolias/suno-musical-box. Here they are plausible, and fill most slots.
    public static let unwornHeartRates = RingAnomalies(rawValue: 1 << 8)
    /// The ring refuses the log of stress or of heart-rate variability, although its capabilities
    /// have it. Not seen: a choice for apps that take capabilities for a promise.
    public static let refusedAbility = RingAnomalies(rawValue: 1 << 9)

    private static let named: [(name: String, anomaly: RingAnomalies)] = [
        ("stalled-logging", .stalledLogging), ("lost-slots", .lostSlots),
        ("split-nights", .splitNights), ("omitted-idle-hours", .omittedIdleHours),
        ("early-end-of-stress", .earlyEndOfStress), ("late-temperature", .lateTemperature),
        ("jumping-battery", .jumpingBattery), ("clock-ahead", .clockAhead),
        ("unworn-heart-rates", .unwornHeartRates), ("refused-ability", .refusedAbility),
    ]

    /// All anomalies at once.
    public static let all = RingAnomalies(named.map(\.anomaly))

    /// The names of the anomalies, such as `lost-slots`, in the order of their bits.
    public var names: [String] { Self.named.filter { contains($0.anomaly) }.map(\.name) }

    /// Creates the anomaly of a name; `nil` for any other text.
    public init?(named name: String) {
        guard let anomaly = Self.named.first(where: { $0.name == name })?.anomaly else {
            return nil
        }
        self = anomaly
    }
}

extension RingAnomalies: CustomStringConvertible {
    /// The names, or `none`.
    public var description: String { isEmpty ? "none" : names.joined(separator: ", ") }
}
