/// Sets the ring's clock; the ring answers with what it can do.
///
///     → 01 yy mm dd hh mm ss language  two decimal digits each, year since 2000; 01 is English
///     ← 01 capabilities…
///
///      1  temperature                  0 or 1
///      2  watch faces                  0 or 1
///      3  menstruation                 0 or 1
///      4  switches                     ``RingFeatures/Byte4``; bit 6 is inverted
///      5  screen width, screen height  2 bytes LE each
///      9  new sleep protocol           1: sleep is big data 27 instead of command 44
///     10  most custom watch faces
///     11  switches                     ``RingFeatures/Byte11``
///     12  switches                     ``RingFeatures/Byte12``
///     13  most contacts                in tens, 0 means 20
///     14  switches                     ``RingFeatures/Byte14``
///
/// The meaning of the capabilities comes from vendor notes and agrees with captures of R02, R10,
/// R12 and H59. Just before it a ring sends ``PacketSizePush``. It has no time zone: apps differ in
/// whether they set local time or UTC, and all days of the ring begin at its own midnight.
public enum SetTime: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x01 }
    @inlinable public static var name: FieldName { "SetTime" }
    @inlinable public static var title: FieldName { "clock and capabilities" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Sets the clock.
    public struct Request: RequestPacket {
        public typealias Owner = SetTime

        /// What the clock is to show, within the years 2000 to 2099.
        public let time: CivilDateTime
        /// The language of the ring's screen, if it has one.
        public var language: RingLanguage
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Sets the clock to a moment of the years 2000 to 2099.
        public init(
            time: CivilDateTime, language: RingLanguage = .english
        ) throws(ValueError) {
            try DecimalDateTime.check(time)
            self.time = time
            self.language = language
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            time = try reader.decimalDateTime("time")
            language = try reader.code("language")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.decimalDateTime("time", time)
            writer.code("language", language)
            writer.unclaimed(unclaimed)
        }
    }

    /// What the ring can do.
    public struct Reply: ReplyPacket {
        public typealias Owner = SetTime

        /// Whether it measures skin temperature.
        public var temperature: Reported<Support>
        /// Whether it shows watch faces.
        public var watchFaces: Reported<Support>
        /// Whether it knows of menstruation.
        public var menstruation: Reported<Support>
        /// Blood oxygen, blood pressure, weather and others.
        public var features4: RingFeatures.Byte4
        /// The width of the screen in pixels, 0 where there is none.
        public var screenWidth: UInt16
        /// The height of the screen in pixels, 0 where there is none.
        public var screenHeight: UInt16
        /// Whether sleep is stored as big data.
        public var newSleepProtocol: Reported<Support>
        /// How many watch faces an app may store.
        public var customWatchFaceLimit: UInt8
        /// Bytes 11 to 14.
        @usableFromInline var last: FourBytes

        /// A ring whose every byte is zero: it can do nothing, but WeChat, whose bit is inverted.
        @inlinable @inline(__always)
        public init() {
            temperature = Reported(.unsupported)
            watchFaces = Reported(.unsupported)
            menstruation = Reported(.unsupported)
            features4 = []
            screenWidth = 0
            screenHeight = 0
            newSleepProtocol = Reported(.unsupported)
            customWatchFaceLimit = 0
            last = FourBytes(0, 0, 0, 0)
        }

        /// Contacts, GPS and others.
        @inlinable public var features11: RingFeatures.Byte11 {
            get { RingFeatures.Byte11(rawValue: last[0]) }
            set { last[0] = newValue.rawValue }
        }
        /// Music, blood sugar and others.
        @inlinable public var features12: RingFeatures.Byte12 {
            get { RingFeatures.Byte12(rawValue: last[1]) }
            set { last[1] = newValue.rawValue }
        }
        /// How many contacts an app may store, in tens, 0 for the default.
        @inlinable public var contactTens: UInt8 {
            get { last[2] }
            set { last[2] = newValue }
        }
        /// Stress, heart-rate variability and others.
        @inlinable public var features14: RingFeatures.Byte14 {
            get { RingFeatures.Byte14(rawValue: last[3]) }
            set { last[3] = newValue.rawValue }
        }

        /// Whether WeChat is supported: the only switch that says so by being clear.
        @inlinable public var supportsWeChat: Bool { !features4.contains(.noWeChat) }

        /// How many contacts an app may store.
        @inlinable public var contactLimit: Int { Self.contactLimit(tens: contactTens) }

        @usableFromInline
        static func contactLimit(tens: UInt8) -> Int { tens == 0 ? 20 : Int(tens) * 10 }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            temperature = try reader.reported("temperature")
            watchFaces = try reader.reported("watchFaces")
            menstruation = try reader.reported("menstruation")
            features4 = try reader.flags("features4")
            screenWidth = try reader.uint16("screenWidth")
            screenHeight = try reader.uint16("screenHeight")
            newSleepProtocol = try reader.reported("newSleepProtocol")
            customWatchFaceLimit = try reader.uint8("customWatchFaceLimit")
            let features11: RingFeatures.Byte11 = try reader.flags("features11")
            let features12: RingFeatures.Byte12 = try reader.flags("features12")
            let tens = try reader.uint8("contactTens")
            reader.means { "\(Self.contactLimit(tens: tens)) contacts" }
            let features14: RingFeatures.Byte14 = try reader.flags("features14")
            last = FourBytes(features11.rawValue, features12.rawValue, tens, features14.rawValue)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("temperature", temperature)
            writer.reported("watchFaces", watchFaces)
            writer.reported("menstruation", menstruation)
            writer.flags("features4", features4)
            writer.uint16("screenWidth", screenWidth)
            writer.uint16("screenHeight", screenHeight)
            writer.reported("newSleepProtocol", newSleepProtocol)
            writer.uint8("customWatchFaceLimit", customWatchFaceLimit)
            writer.flags("features11", features11)
            writer.flags("features12", features12)
            writer.uint8("contactTens", contactTens)
            writer.flags("features14", features14)
        }
    }

    /// Whether a ring can do something.
    public enum Support: UInt8, FieldCode {
        /// It cannot.
        case unsupported = 0
        /// It can.
        case supported = 1

        /// The answer in words.
        public var label: FieldName {
            switch self {
            case .unsupported: "not supported"
            case .supported: "supported"
            }
        }
    }
}

#if !hasFeature(Embedded)
extension SetTime.Reply: CustomReflectable {
    /// The fields by their names, as an app sees them.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "temperature": temperature, "watchFaces": watchFaces, "menstruation": menstruation,
                "features4": features4, "screenWidth": screenWidth, "screenHeight": screenHeight,
                "newSleepProtocol": newSleepProtocol, "customWatchFaceLimit": customWatchFaceLimit,
                "features11": features11, "features12": features12, "contactTens": contactTens,
                "features14": features14,
            ],
            displayStyle: .struct)
    }
}
#endif
