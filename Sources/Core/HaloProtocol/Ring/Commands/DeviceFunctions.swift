/// The ring's functions that are not in the reply to ``SetTime``.
///
///     → 3C 00
///     ← 3C 00 switches…
///
///      2  ``TouchFeatures``       touch, pairing, gesture …
///      3  ``TouchTargets``        apps that touch and gestures may control
///      5  ``ReminderFeatures``    reminders
///      9  ``TemperatureFeatures`` interval temperature
///
/// The names of the bits are from vendor notes. Bytes 4, 6, 7 and 8 are not described; they are
/// kept. Captured on R10 and R12. According to one source, the reply of an H59 does not depend on
/// the request.
public enum DeviceFunctions: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x3C, "DeviceFunctions", "device functions", .captured, onlyReads: true)
    }

    /// A request for the functions.
    public typealias Request = PlainRequest<DeviceFunctions>

    /// The functions.
    public struct Reply: ReplyPacket {
        public typealias Owner = DeviceFunctions

        /// Byte 1, 0 in every capture.
        public var undescribed1: UInt8
        /// Touch, pairing, gesture and others.
        public var touchFeatures: TouchFeatures
        /// The apps that touch and gestures may control.
        public var touchTargets: TouchTargets
        /// Byte 4; 0x20 on the H59.
        public var undescribed4: UInt8
        public var reminderFeatures: ReminderFeatures
        /// Bytes 6 to 8; the first is 0x80 on an R12.
        public let undescribed6: InlineBytes
        /// Body tag, interval temperature.
        public var temperatureFeatures: TemperatureFeatures
        /// The bytes after the fields; zeros so far.
        @usableFromInline package let unclaimed: InlineBytes

        @usableFromInline static var undescribed6Count: Int { 3 }

        /// Creates a reply with these functions, and up to three undescribed bytes.
        @inlinable @inline(__always)
        public init(
            touchFeatures: TouchFeatures = [], touchTargets: TouchTargets = [],
            reminderFeatures: ReminderFeatures = [],
            undescribed6: InlineBytes = InlineBytes(), temperatureFeatures: TemperatureFeatures = []
        ) {
            undescribed1 = 0
            self.touchFeatures = touchFeatures
            self.touchTargets = touchTargets
            undescribed4 = 0
            self.reminderFeatures = reminderFeatures
            self.undescribed6 =
                InlineBytes(prefix: undescribed6.prefix(Self.undescribed6Count))
                .trimmingZeros
            self.temperatureFeatures = temperatureFeatures
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            undescribed1 = try io.uint8("undescribed1", packet?.undescribed1, .open)
            touchFeatures = try io.flags("touchFeatures", packet?.touchFeatures, .open)
            touchTargets = try io.flags("touchTargets", packet?.touchTargets, .open)
            undescribed4 = try io.uint8("undescribed4", packet?.undescribed4, .open)
            reminderFeatures = try io.flags("reminderFeatures", packet?.reminderFeatures, .open)
            undescribed6 = try io.inlineBytes(
                "undescribed6", packet?.undescribed6, .open, count: Self.undescribed6Count
            )
            .trimmingZeros
            temperatureFeatures = try io.flags(
                "temperatureFeatures", packet?.temperatureFeatures, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// Touch, gestures, pairing: byte 2 of the frame; bit 5 is set on an R10 and not described.
    public struct TouchFeatures: FieldFlags {
        public var rawValue: UInt8

        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Touch; see ``TouchGesture``.
        public static let touch = TouchFeatures(rawValue: 1 << 0)
        /// A counter of prayers.
        public static let muslimCounter = TouchFeatures(rawValue: 1 << 1)
        /// "App revision"; not described further.
        public static let appRevision = TouchFeatures(rawValue: 1 << 2)
        /// The ring requests pairing; the vendor's app then pairs.
        public static let pairing = TouchFeatures(rawValue: 1 << 3)
        /// Themes of a watch; uncertain in the notes themselves.
        public static let watchTheme = TouchFeatures(rawValue: 1 << 4)
        /// No screen. Unreliable: the bit is clear on an R10, which has no screen.
        public static let noScreen = TouchFeatures(rawValue: 1 << 6)
        /// Gestures; see ``TouchGesture``.
        public static let gesture = TouchFeatures(rawValue: 1 << 7)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 0: "touch"
            case 1: "muslim counter"
            case 2: "app revision"
            case 3: "pairing"
            case 4: "watch theme (uncertain)"
            case 6: "no screen (unreliable)"
            case 7: "gesture"
            default: nil
            }
        }
    }

    /// The apps that touch and gestures may control: byte 3 of the frame; bit 7 is not described.
    public struct TouchTargets: FieldFlags {
        public var rawValue: UInt8

        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let music = TouchTargets(rawValue: 1 << 0)
        /// Control of short videos.
        public static let video = TouchTargets(rawValue: 1 << 1)
        public static let electronicBook = TouchTargets(rawValue: 1 << 2)
        public static let camera = TouchTargets(rawValue: 1 << 3)
        public static let call = TouchTargets(rawValue: 1 << 4)
        /// Control of games.
        public static let game = TouchTargets(rawValue: 1 << 5)
        /// "Hearts" in vendor notes; not described further.
        public static let heart = TouchTargets(rawValue: 1 << 6)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 0: "music"
            case 1: "video"
            case 2: "electronic book"
            case 3: "camera"
            case 4: "call"
            case 5: "game"
            case 6: "heart"
            default: nil
            }
        }
    }

    /// Reminders: byte 5 of the frame; bit 5, set on an R12, and the other bits are not described.
    public struct ReminderFeatures: FieldFlags {
        public var rawValue: UInt8

        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A reminder to move.
        public static let sedentaryReminder = ReminderFeatures(rawValue: 1 << 2)
        public static let drinkReminder = ReminderFeatures(rawValue: 1 << 3)
        /// Touch control that is switched off after some time without a touch.
        public static let touchSleep = ReminderFeatures(rawValue: 1 << 4)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 2: "sedentary reminder"
            case 3: "drink reminder"
            case 4: "touch sleep"
            default: nil
            }
        }
    }

    /// Temperature: byte 9 of the frame; only two bits are described.
    public struct TemperatureFeatures: FieldFlags {
        public var rawValue: UInt8

        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// "Body tag"; not described further.
        public static let bodyTag = TemperatureFeatures(rawValue: 1 << 5)
        /// Temperature at an interval of choice.
        public static let intervalTemperature = TemperatureFeatures(rawValue: 1 << 7)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 5: "body tag"
            case 7: "interval temperature"
            default: nil
            }
        }
    }
}
