/// Which functions the ring has, beside those it tells with ``SetTime``.
///
///     → 3C 00
///     ← 3C 00 switches…
///
///      2  ``Functions2``               touch, pairing, gesture …
///      3  ``Functions3``               what they may control
///      5  ``Functions5``               reminders
///      9  ``Functions9``               interval temperature
///
/// The bits are named by vendor notes; bytes 4, 6, 7 and 8 are not described and kept. On
/// an H59 the reply does not depend on the request. Captured from R10, R12 and H59.
public enum DeviceFunctions: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x3C }
    @inlinable public static var name: FieldName { "DeviceFunctions" }
    @inlinable public static var title: FieldName { "device functions" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for the functions.
    public typealias Request = PlainRequest<DeviceFunctions>

    /// The functions.
    public struct Reply: ReplyPacket {
        public typealias Owner = DeviceFunctions

        /// Byte 1, 0 in every capture.
        public var undescribed1: UInt8
        /// Touch, pairing, gesture and others.
        public var functions2: Functions2
        /// What touch and gestures may control.
        public var functions3: Functions3
        /// Byte 4; 0x20 on the H59.
        public var undescribed4: UInt8
        /// Reminders.
        public var functions5: Functions5
        /// Bytes 6 to 8; the first is 0x80 on an R12.
        public let undescribed6: InlineBytes
        /// Body tag, interval temperature.
        public var functions9: Functions9
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        @usableFromInline static var undescribed6Count: Int { 3 }

        /// A ring with these functions, and up to three bytes that nobody has described.
        @inlinable @inline(__always)
        public init(
            functions2: Functions2 = [], functions3: Functions3 = [], functions5: Functions5 = [],
            undescribed6: InlineBytes = InlineBytes(), functions9: Functions9 = []
        ) {
            undescribed1 = 0
            self.functions2 = functions2
            self.functions3 = functions3
            undescribed4 = 0
            self.functions5 = functions5
            self.undescribed6 =
                InlineBytes(prefix: undescribed6.prefix(Self.undescribed6Count))
                .trimmingZeros
            self.functions9 = functions9
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            undescribed1 = try reader.uint8("undescribed1")
            functions2 = try reader.flags("functions2")
            functions3 = try reader.flags("functions3")
            undescribed4 = try reader.uint8("undescribed4")
            functions5 = try reader.flags("functions5")
            undescribed6 = try reader.inlineBytes("undescribed6", count: Self.undescribed6Count)
                .trimmingZeros
            functions9 = try reader.flags("functions9")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint8("undescribed1", undescribed1)
            writer.flags("functions2", functions2)
            writer.flags("functions3", functions3)
            writer.uint8("undescribed4", undescribed4)
            writer.flags("functions5", functions5)
            writer.inlineBytes("undescribed6", undescribed6, count: Self.undescribed6Count)
            writer.flags("functions9", functions9)
            writer.unclaimed(unclaimed)
        }
    }

    /// Byte 2 of the frame; bit 5 is set on an R10 and not described.
    public struct Functions2: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Touch; see ``TouchGesture``.
        public static let touch = Functions2(rawValue: 1 << 0)
        /// A counter of prayers.
        public static let muslimCounter = Functions2(rawValue: 1 << 1)
        /// "App revision"; what it revises is not described.
        public static let appRevision = Functions2(rawValue: 1 << 2)
        /// The ring wants to be paired; the vendor's app then does.
        public static let pairing = Functions2(rawValue: 1 << 3)
        /// Themes of a watch; the notes themselves are not sure.
        public static let watchTheme = Functions2(rawValue: 1 << 4)
        /// No screen; clear on an R10, which has none, so not to be relied on.
        public static let noScreen = Functions2(rawValue: 1 << 6)
        /// Gestures; see ``TouchGesture``.
        public static let gesture = Functions2(rawValue: 1 << 7)

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

    /// Byte 3 of the frame: what touch and gestures may control; bit 7 is not described.
    public struct Functions3: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Music.
        public static let music = Functions3(rawValue: 1 << 0)
        /// Short videos.
        public static let video = Functions3(rawValue: 1 << 1)
        /// Electronic books.
        public static let electronicBook = Functions3(rawValue: 1 << 2)
        /// The camera.
        public static let camera = Functions3(rawValue: 1 << 3)
        /// Calls.
        public static let call = Functions3(rawValue: 1 << 4)
        /// Games.
        public static let game = Functions3(rawValue: 1 << 5)
        /// Hearts.
        public static let heart = Functions3(rawValue: 1 << 6)

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

    /// Byte 5 of the frame; bit 5 is set on an R12, and no more described than the rest.
    public struct Functions5: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A reminder to move.
        public static let sedentaryReminder = Functions5(rawValue: 1 << 2)
        /// A reminder to drink.
        public static let drinkReminder = Functions5(rawValue: 1 << 3)
        /// Touch that falls asleep.
        public static let touchSleep = Functions5(rawValue: 1 << 4)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 2: "sedentary reminder"
            case 3: "drink reminder"
            case 4: "touch sleep"
            default: nil
            }
        }
    }

    /// Byte 9 of the frame; only two bits are described.
    public struct Functions9: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// "Body tag"; not described further.
        public static let bodyTag = Functions9(rawValue: 1 << 5)
        /// Temperature at an interval of choice.
        public static let intervalTemperature = Functions9(rawValue: 1 << 7)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 5: "body tag"
            case 7: "interval temperature"
            default: nil
            }
        }
    }
}
