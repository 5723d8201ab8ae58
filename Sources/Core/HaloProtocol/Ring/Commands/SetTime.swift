/// Sets the ring's clock; the reply is the ring's capabilities.
///
///     → 01 yy mm dd hh mm ss language  two decimal digits each, year since 2000; 01 is English
///     ← 01 capabilities…
///
///      1  temperature                  0 or 1
///      2  watch faces                  0 or 1
///      3  menstruation                 0 or 1
///      4  switches                     ``HealthFeatures``; bit 6 is inverted
///      5  screen width, screen height  2 bytes LE each
///      9  new sleep protocol           1: sleep is big data 27 instead of command 44
///     10  custom watch face limit
///     11  switches                     ``MediaFeatures``
///     12  switches                     ``CompanionFeatures``
///     13  contact tens                 the limit of contacts in tens; 0 means 20
///     14  switches                     ``StressFeatures``
///
/// The meaning of the capabilities comes from vendor notes and agrees with captures of R02, R10
/// and R12, and with one source on H59. A ring sends ``PacketSizePush`` just before the reply. The
/// ring has no time zone: some apps set local time, others UTC, and all days of the ring begin at
/// midnight of its clock.
public enum SetTime: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x01, "SetTime", "clock and capabilities", .captured)
    }

    /// A request to set the clock.
    public struct Request: RequestPacket {
        public typealias Owner = SetTime

        /// The time to set, within the years 2000 to 2099.
        public let time: CivilDateTime
        /// The language of the ring's screen, if it has one.
        public var language: RingLanguage
        @usableFromInline package var unclaimed = InlineBytes()

        /// Creates a request to set the clock to a time of the years 2000 to 2099.
        public init(
            time: CivilDateTime, language: RingLanguage = .english
        ) throws(ValueError) {
            try DecimalDateTime.check(time)
            self.time = time
            self.language = language
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            time = try io.decimalDateTime("time", packet?.time)
            language = try io.code("language", packet?.language, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The ring's capabilities.
    public struct Reply: ReplyPacket {
        public typealias Owner = SetTime

        /// Support for skin temperature.
        public var temperature: Reported<Support>
        public var watchFaces: Reported<Support>
        public var menstruation: Reported<Support>
        public var healthFeatures: HealthFeatures
        /// The width of the screen in pixels, 0 without a screen.
        public var screenWidth: UInt16
        /// The height of the screen in pixels, 0 without a screen.
        public var screenHeight: UInt16
        /// Support for sleep as big data.
        public var newSleepProtocol: Reported<Support>
        /// The number of watch faces that an app may store.
        public var customWatchFaceLimit: UInt8
        /// Bytes 11 to 14 of the frame, in one word: as four fields, decoding takes 7 % longer.
        @usableFromInline var last: FourBytes

        /// Creates capabilities with every byte zero: only WeChat, whose bit is inverted.
        public init() {
            temperature = Reported(.unsupported)
            watchFaces = Reported(.unsupported)
            menstruation = Reported(.unsupported)
            healthFeatures = []
            screenWidth = 0
            screenHeight = 0
            newSleepProtocol = Reported(.unsupported)
            customWatchFaceLimit = 0
            last = FourBytes(0, 0, 0, 0)
        }

        /// Contacts, GPS and others.
        @inlinable public var mediaFeatures: MediaFeatures {
            get { MediaFeatures(rawValue: last[0]) }
            set { last[0] = newValue.rawValue }
        }
        /// Music, blood sugar and others.
        @inlinable public var companionFeatures: CompanionFeatures {
            get { CompanionFeatures(rawValue: last[1]) }
            set { last[1] = newValue.rawValue }
        }
        /// The number of contacts that an app may store, in tens; 0 for the default.
        @inlinable package var contactTens: UInt8 {
            get { last[2] }
            set { last[2] = newValue }
        }
        /// Stress, heart-rate variability and others.
        @inlinable public var stressFeatures: StressFeatures {
            get { StressFeatures(rawValue: last[3]) }
            set { last[3] = newValue.rawValue }
        }

        @usableFromInline
        static func contactLimit(tens: UInt8) -> Int { tens == 0 ? 20 : Int(tens) * 10 }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            temperature = try io.reported("temperature", packet?.temperature, .open)
            watchFaces = try io.reported("watchFaces", packet?.watchFaces, .open)
            menstruation = try io.reported("menstruation", packet?.menstruation, .open)
            healthFeatures = try io.flags("healthFeatures", packet?.healthFeatures, .open)
            screenWidth = try io.uint16("screenWidth", packet?.screenWidth, .open)
            screenHeight = try io.uint16("screenHeight", packet?.screenHeight, .open)
            newSleepProtocol = try io.reported("newSleepProtocol", packet?.newSleepProtocol, .open)
            customWatchFaceLimit = try io.uint8(
                "customWatchFaceLimit", packet?.customWatchFaceLimit, .open)
            let mediaFeatures = try io.flags("mediaFeatures", packet?.mediaFeatures, .open)
            let companionFeatures = try io.flags(
                "companionFeatures", packet?.companionFeatures, .open)
            let tens = try io.uint8("contactTens", packet?.contactTens, .open)
            io.means { "\(Self.contactLimit(tens: tens)) contacts" }
            let stressFeatures = try io.flags("stressFeatures", packet?.stressFeatures, .open)
            last = FourBytes(
                mediaFeatures.rawValue, companionFeatures.rawValue, tens, stressFeatures.rawValue)
        }
    }

    /// Support for one capability.
    public enum Support: UInt8, FieldCode {
        case unsupported = 0
        case supported = 1

        public static let labels = FieldLabels<Support>([.unsupported: "not supported"])
    }

    // The bits in the capability reply of `SetTime`, byte by byte.
    //
    // Their meaning is known from vendor notes, and agrees with the captured rings. A bit is a
    // feature of the firmware family; a ring that sets it may lack the hardware.

    /// Blood oxygen, blood pressure, weather and others: byte 4 of the frame.
    public typealias HealthFeatures = FieldFlags<HealthFeature>

    /// One of the ``HealthFeatures``.
    public enum HealthFeature: UInt8, FieldCode {
        /// Support for a wallpaper that the app sends.
        case customWallpaper = 0
        case bloodOxygen = 1
        case bloodPressure = 2
        /// Support for fatigue; some notes call the bit "feature".
        case fatigue = 3
        /// One measurement of everything, called health check or one-key.
        case healthCheck = 4
        case weather = 5
        /// Absence of WeChat: this bit is inverted.
        case noWeChat = 6
        case avatar = 7

        public static let labels = FieldLabels<HealthFeature>([.noWeChat: "no WeChat"])
    }

    /// Contacts, lyrics, album, GPS: byte 11; bit 5, not described, is set on all captured rings.
    public typealias MediaFeatures = FieldFlags<MediaFeature>

    /// One of the ``MediaFeatures``.
    public enum MediaFeature: UInt8, FieldCode {
        case contacts = 0
        case lyrics = 1
        case album = 2
        case gps = 3
        case jieLiMusic = 4

        public static let labels = FieldLabels<MediaFeature>([
            .gps: "GPS", .jieLiMusic: "JieLi music",
        ])
    }

    /// Cards, location, music, blood sugar and others: byte 12; bit 3 is not described.
    public typealias CompanionFeatures = FieldFlags<CompanionFeature>

    /// One of the ``CompanionFeatures``.
    public enum CompanionFeature: UInt8, FieldCode {
        /// Support for heart rates on demand.
        case manualHeartRate = 0
        /// Business cards.
        case electronicCard = 1
        case location = 2
        case music = 4
        case realtekChip = 5
        case electronicBook = 6
        case bloodSugar = 7

        public static let labels = FieldLabels<CompanionFeature>([.realtekChip: "Realtek chip"])
    }

    /// Stress, heart-rate variability and others: byte 14; bits 0, 6 and 7 are not described.
    public typealias StressFeatures = FieldFlags<StressFeature>

    /// One of the ``StressFeatures``.
    public enum StressFeature: UInt8, FieldCode {
        /// Support for the setting ``BloodPressureSetting``.
        case bloodPressureSetting = 1
        case mobileData = 2
        case navigationPicture = 3
        case stress = 4
        case heartRateVariability = 5

        public static let labels = FieldLabels<StressFeature>([
            .mobileData: "4G", .heartRateVariability: "heart-rate variability",
        ])
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
                "healthFeatures": healthFeatures, "screenWidth": screenWidth,
                "screenHeight": screenHeight,
                "newSleepProtocol": newSleepProtocol, "customWatchFaceLimit": customWatchFaceLimit,
                "mediaFeatures": mediaFeatures, "companionFeatures": companionFeatures,
                "contactTens": contactTens,
                "stressFeatures": stressFeatures,
            ],
            displayStyle: .struct)
    }
}
#endif
