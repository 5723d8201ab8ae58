/// A notification that a ring pushes.
///
///     ← 73 01                          a heart rate was stored: read ``HeartRateLog``
///     ← 73 02                          a blood pressure was stored (vendor notes only)
///     ← 73 03                          a blood oxygen was stored: read ``BloodOxygen``
///     ← 73 04                          steps were stored: read ``ActivityLog``
///     ← 73 05                          temperature (vendor notes only)
///     ← 73 06                          sport of the day (vendor notes only)
///     ← 73 07                          a workout was stored
///     ← 73 0C percent charging         as ``Battery``
///     ← 73 0D                          blood sugar (vendor notes only)
///     ← 73 10                          the goal was reached (vendor notes only)
///     ← 73 12 steps… smallCalories… metres… 3 bytes BE each: totals of today, while walking
///     ← 73 25                          prayer counter (one source)
///     ← 73 27 tenthsOfCelsiusAbove20   a temperature was stored
///     ← 73 2A 00                       before the first touch; unknown (one source, R08)
///     ← 73 2D touch                    1 swipe up, 2 swipe down, 3 tap, 4 long press (one source,
///                                      R08, while touch controls ``TouchGesture/App/report``)
///     ← 73 2B milliseconds             a heart-rate variability was stored: read its log
///     ← 73 2C score                    a stress was stored: read ``StressLog``
///
/// Most come seconds or minutes after the start of their slot. A live activity may be repeated.
public enum RingNotification: SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x73, "RingNotification", "ring notification", .captured)
    }

    /// A notification.
    @frozen
    public struct Reply: ReplyPacket {
        public typealias Owner = RingNotification

        public let content: Content
        /// The bytes after the fields: all bytes of an unknown kind, zeros so far in others.
        public let unclaimed: InlineBytes

        package init(_ content: Content) {
            self.content = content
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            content = try Content(&io, packet?.content)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// An event with its values.
    public enum Content: Hashable, Sendable {
        /// A change of the battery's level or charging.
        case battery(percent: UInt8, charging: Reported<Battery.Charging>)
        /// Totals of today, pushed while the wearer walks.
        case liveActivity(LiveActivity)
        case temperatureStored(tenthsOfCelsiusAbove20: UInt8)
        /// A heart-rate variability was stored: its log has more.
        case variabilityStored(milliseconds: UInt8)
        /// A stress was stored: ``StressLog`` has more.
        case stressStored(score: UInt8)
        /// A touch of the ring (one source, R08).
        case touched(Reported<Touch>)
        /// An event without values, or of an unknown kind.
        case event(Reported<Kind>)

        /// The kind of notification.
        @inlinable public var kind: Reported<Kind> {
            switch self {
            case .battery: Reported(.battery)
            case .liveActivity: Reported(.liveActivity)
            case .temperatureStored: Reported(.temperatureStored)
            case .variabilityStored: Reported(.variabilityStored)
            case .stressStored: Reported(.stressStored)
            case .touched: Reported(.touched)
            case .event(let kind): kind
            }
        }

        @inlinable @inline(__always)
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let kind = try io.reportedSelector("kind", packet?.kind)
            switch kind.known {
            case .battery:
                let battery = packet?.battery
                self = .battery(
                    percent: try io.uint8("percent", battery?.percent, .open, .percent),
                    charging: try io.reported("charging", battery?.charging, .open))
            case .liveActivity:
                self = .liveActivity(try LiveActivity(&io, packet?.liveActivity))
            case .temperatureStored:
                let tenths = try io.uint8(
                    "tenthsOfCelsiusAbove20", packet?.byte, .body(.skinTemperature))
                io.means { SkinTemperature.text(tenths) + " °C" }
                self = .temperatureStored(tenthsOfCelsiusAbove20: tenths)
            case .variabilityStored:
                self = .variabilityStored(
                    milliseconds: try io.uint8(
                        "variability", packet?.byte, .body(.variability), .milliseconds))
            case .stressStored:
                self = .stressStored(score: try io.uint8("score", packet?.byte, .body(.stress)))
            case .touched: self = .touched(try io.reported("touch", packet?.touch, .open))
            default: self = .event(kind)
            }
        }

        @usableFromInline
        var battery: (percent: UInt8, charging: Reported<Battery.Charging>)? {
            if case .battery(let percent, let charging) = self { (percent, charging) } else { nil }
        }

        @usableFromInline var liveActivity: LiveActivity? {
            if case .liveActivity(let activity) = self { activity } else { nil }
        }

        @usableFromInline var touch: Reported<Touch>? {
            if case .touched(let touch) = self { touch } else { nil }
        }

        @usableFromInline var byte: UInt8? {
            switch self {
            case .temperatureStored(let tenths): tenths
            case .variabilityStored(let milliseconds): milliseconds
            case .stressStored(let score): score
            default: nil
            }
        }
    }

    /// The first byte of a notification; see ``Content``.
    public enum Kind: UInt8, FieldCode {
        /// A heart rate was stored: ``HeartRateLog`` has more.
        case heartRateStored = 0x01
        /// A blood pressure was stored (vendor notes only).
        case bloodPressureStored = 0x02
        /// A blood oxygen was stored: ``BloodOxygen`` has more.
        case bloodOxygenStored = 0x03
        /// Steps were stored: ``ActivityLog`` has more.
        case activityChanged = 0x04
        /// An undescribed event about temperature (vendor notes only).
        case temperatureNoted = 0x05
        /// An undescribed event about the day's sport (vendor notes only).
        case daySport = 0x06
        case workoutStored = 0x07
        case battery = 0x0C
        /// An undescribed event about blood sugar (vendor notes only).
        case bloodSugar = 0x0D
        /// The goal was reached (vendor notes only).
        case goalReached = 0x10
        case liveActivity = 0x12
        /// A change of the prayer counter (one source).
        case prayerCounter = 0x25
        case temperatureStored = 0x27
        /// An undescribed event that came before the first touch (one source, R08).
        case undescribed2A = 0x2A
        case variabilityStored = 0x2B
        case stressStored = 0x2C
        /// A touch of the ring (one source, R08).
        case touched = 0x2D

        public static let labels = FieldLabels<Kind>([
            .temperatureNoted: "temperature", .daySport: "sport of the day",
            .variabilityStored: "heart-rate variability stored",
            .undescribed2A: "not described (2A)",
        ])
    }

    /// A way to touch a ring (one source, R08).
    public enum Touch: UInt8, FieldCode {
        case swipeUp = 1
        case swipeDown = 2
        case tap = 3
        case longPress = 4
    }
}
