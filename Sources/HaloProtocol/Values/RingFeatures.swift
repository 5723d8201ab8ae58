/// The switches in the capability reply of ``SetTime``, byte by byte.
///
/// What they mean is known from vendor notes, and agrees with the rings that were captured. A bit
/// says what the firmware family offers; not every ring that sets it has the part for it.
public enum RingFeatures {
    /// Byte 4 of the frame.
    public struct Byte4: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The app may send a wallpaper.
        public static let customWallpaper = Byte4(rawValue: 1 << 0)
        /// Blood oxygen.
        public static let bloodOxygen = Byte4(rawValue: 1 << 1)
        /// Blood pressure.
        public static let bloodPressure = Byte4(rawValue: 1 << 2)
        /// Fatigue; some notes call the bit "feature".
        public static let fatigue = Byte4(rawValue: 1 << 3)
        /// One measurement of everything, called health check or one-key.
        public static let healthCheck = Byte4(rawValue: 1 << 4)
        /// Weather.
        public static let weather = Byte4(rawValue: 1 << 5)
        /// WeChat is *not* supported: this bit is inverted.
        public static let noWeChat = Byte4(rawValue: 1 << 6)
        /// Avatars.
        public static let avatar = Byte4(rawValue: 1 << 7)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 0: "custom wallpaper"
            case 1: "blood oxygen"
            case 2: "blood pressure"
            case 3: "fatigue"
            case 4: "health check"
            case 5: "weather"
            case 6: "no WeChat"
            case 7: "avatar"
            default: nil
            }
        }
    }

    /// Byte 11 of the frame; bit 5 is set on every captured ring, and not described.
    public struct Byte11: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Contacts.
        public static let contacts = Byte11(rawValue: 1 << 0)
        /// Lyrics of the music that plays.
        public static let lyrics = Byte11(rawValue: 1 << 1)
        /// A picture album.
        public static let album = Byte11(rawValue: 1 << 2)
        /// Satellite positioning.
        public static let gps = Byte11(rawValue: 1 << 3)
        /// Music on chips of JieLi.
        public static let jieLiMusic = Byte11(rawValue: 1 << 4)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 0: "contacts"
            case 1: "lyrics"
            case 2: "album"
            case 3: "GPS"
            case 4: "JieLi music"
            default: nil
            }
        }
    }

    /// Byte 12 of the frame; bit 3 is not described.
    public struct Byte12: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heart rate on demand.
        public static let manualHeartRate = Byte12(rawValue: 1 << 0)
        /// Business cards.
        public static let electronicCard = Byte12(rawValue: 1 << 1)
        /// Location.
        public static let location = Byte12(rawValue: 1 << 2)
        /// Music.
        public static let music = Byte12(rawValue: 1 << 4)
        /// The chip is one of Realtek.
        public static let realtekChip = Byte12(rawValue: 1 << 5)
        /// Electronic books.
        public static let electronicBook = Byte12(rawValue: 1 << 6)
        /// Blood sugar.
        public static let bloodSugar = Byte12(rawValue: 1 << 7)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 0: "manual heart rate"
            case 1: "electronic card"
            case 2: "location"
            case 4: "music"
            case 5: "Realtek chip"
            case 6: "electronic book"
            case 7: "blood sugar"
            default: nil
            }
        }
    }

    /// Byte 14 of the frame; bits 0, 6 and 7 are not described.
    public struct Byte14: FieldFlags {
        /// All eight bits.
        public var rawValue: UInt8

        /// A byte as a ring sends it.
        @inlinable @inline(__always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The setting of ``BloodPressureSetting``.
        public static let bloodPressureSetting = Byte14(rawValue: 1 << 1)
        /// Mobile data.
        public static let mobileData = Byte14(rawValue: 1 << 2)
        /// Pictures for navigation.
        public static let navigationPicture = Byte14(rawValue: 1 << 3)
        /// Stress.
        public static let stress = Byte14(rawValue: 1 << 4)
        /// Heart-rate variability.
        public static let heartRateVariability = Byte14(rawValue: 1 << 5)

        public static func label(ofBit bit: UInt8) -> FieldName? {
            switch bit {
            case 1: "blood pressure setting"
            case 2: "4G"
            case 3: "navigation picture"
            case 4: "stress"
            case 5: "heart-rate variability"
            default: nil
            }
        }
    }
}
