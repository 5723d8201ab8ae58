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
/// the request; one source has the reply of an R08, with bits that no other ring was seen to set.
public enum DeviceFunctions: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x3C, "DeviceFunctions", "device functions", .captured, onlyReads: true)
    }

    /// The functions.
    public struct Reply: ReplyPacket {
        public typealias Owner = DeviceFunctions

        /// Byte 1, 0 in every capture.
        @usableFromInline package var undescribed1: UInt8
        public var touchFeatures: TouchFeatures
        public var touchTargets: TouchTargets
        /// Byte 4; 0x20 on the H59, 0x2E on the R08.
        @usableFromInline package var undescribed4: UInt8
        public var reminderFeatures: ReminderFeatures
        /// Bytes 6 to 8; the first is 0x80 on an R12.
        @usableFromInline package let undescribed6: InlineBytes
        public var temperatureFeatures: TemperatureFeatures
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline static var undescribed6Count: Int { 3 }

        /// Creates a reply with these functions, and up to three undescribed bytes.
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

    /// Touch, gestures, pairing: byte 2 of the frame; bit 5 is set on an R10 and the R08, and not
    /// described.
    public typealias TouchFeatures = FieldFlags<TouchFeature>

    /// One of the ``TouchFeatures``.
    public enum TouchFeature: UInt8, FieldCode {
        /// Touch; see ``TouchGesture``.
        case touch = 0
        /// A counter of prayers.
        case muslimCounter = 1
        /// "App revision"; not described further.
        case appRevision = 2
        /// The ring requests pairing; the vendor's app then pairs.
        case pairing = 3
        /// Themes of a watch; uncertain in the notes themselves.
        case watchTheme = 4
        /// No screen. Unreliable: the bit is clear on an R10, which has no screen.
        case noScreen = 6
        /// Gestures; see ``TouchGesture``.
        case gesture = 7

        public static let labels = FieldLabels<TouchFeature>([
            .watchTheme: "watch theme (uncertain)", .noScreen: "no screen (unreliable)",
        ])
    }

    /// The apps that touch and gestures may control: byte 3 of the frame; bit 7 is set on the R08,
    /// and not described.
    public typealias TouchTargets = FieldFlags<TouchTarget>

    /// One of the ``TouchTargets``.
    public enum TouchTarget: UInt8, FieldCode {
        case music = 0
        /// Control of short videos.
        case video = 1
        case electronicBook = 2
        case camera = 3
        case call = 4
        case game = 5
        /// "Hearts" in vendor notes; not described further.
        case heart = 6
    }

    /// Reminders: byte 5 of the frame; bit 5, set on an R12, and the other bits are not described.
    public typealias ReminderFeatures = FieldFlags<ReminderFeature>

    /// One of the ``ReminderFeatures``.
    public enum ReminderFeature: UInt8, FieldCode {
        /// A reminder to move.
        case sedentaryReminder = 2
        case drinkReminder = 3
        /// Touch control that is switched off after some time without a touch.
        case touchSleep = 4
    }

    /// Temperature: byte 9 of the frame; only two bits are described.
    public typealias TemperatureFeatures = FieldFlags<TemperatureFeature>

    /// One of the ``TemperatureFeatures``.
    public enum TemperatureFeature: UInt8, FieldCode {
        /// "Body tag"; not described further.
        case bodyTag = 5
        /// Temperature at an interval of choice.
        case intervalTemperature = 7
    }
}
