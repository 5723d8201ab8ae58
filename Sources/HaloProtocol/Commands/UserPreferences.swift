/// Who wears the ring, and how its numbers are shown.
///
///     → 0A 01                          reads
///     → 0A 02 preferences…             writes
///     ← 0A 01 preferences…             all zeros from an R12
///     ← 0A 02 …                        zeros; an R02 answers with two bytes nobody has explained
///
///      2  clock            0 24 hours, 1 12 hours
///      3  units            0 metric, 1 imperial
///      4  sex              0 male, 1 female, 2 other; one source swaps the first two
///      5  age              years
///      6  height           cm
///      7  weight           kg
///      8  blood pressure   systolic, diastolic
///     10  pulse warning    beats per minute, 0 off
///     11  pulse warning    a switch, by vendor notes only
public enum UserPreferences: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x0A }
    @inlinable public static var name: FieldName { "UserPreferences" }
    @inlinable public static var title: FieldName { "user preferences" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Nothing that is known.
    public typealias Echo = NoFields

    /// Who wears the ring.
    public struct Setting: FrameFields {
        /// How hours are shown.
        public var clock: Reported<Clock>
        /// How lengths are shown; the height and weight below were metric in all captures.
        public var units: Reported<Units>
        /// The wearer's sex.
        public var sex: Reported<Sex>
        /// The wearer's age in years.
        public var ageYears: UInt8
        /// The wearer's height.
        public var heightCentimetres: UInt8
        /// The wearer's weight.
        public var weightKilograms: UInt8
        /// The wearer's usual upper blood pressure in mmHg, 0 if not given.
        public var systolic: UInt8
        /// The wearer's usual lower blood pressure in mmHg, 0 if not given.
        public var diastolic: UInt8
        /// The pulse in beats per minute above which the ring warns, 0 for never.
        public var heartRateWarning: UInt8
        /// Whether it warns; vendor notes only.
        public var heartRateWarningEnabled: Reported<Toggle>

        /// Preferences.
        public init(
            clock: Clock = .hours24, units: Units = .metric, sex: Sex, ageYears: UInt8,
            heightCentimetres: UInt8, weightKilograms: UInt8, systolic: UInt8 = 0,
            diastolic: UInt8 = 0, heartRateWarning: UInt8 = 0,
            heartRateWarningEnabled: Toggle = .off
        ) {
            self.clock = Reported(clock)
            self.units = Reported(units)
            self.sex = Reported(sex)
            self.ageYears = ageYears
            self.heightCentimetres = heightCentimetres
            self.weightKilograms = weightKilograms
            self.systolic = systolic
            self.diastolic = diastolic
            self.heartRateWarning = heartRateWarning
            self.heartRateWarningEnabled = Reported(heartRateWarningEnabled)
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            clock = try reader.reported("clock")
            units = try reader.reported("units")
            sex = try reader.reported("sex")
            ageYears = try reader.uint8("ageYears", .years)
            heightCentimetres = try reader.uint8("heightCentimetres", .centimetres)
            weightKilograms = try reader.uint8("weightKilograms", .kilograms)
            systolic = try reader.uint8("systolic", .millimetresOfMercury)
            diastolic = try reader.uint8("diastolic", .millimetresOfMercury)
            heartRateWarning = try reader.uint8("heartRateWarning", .beatsPerMinute)
            heartRateWarningEnabled = try reader.reported("heartRateWarningEnabled")
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("clock", clock)
            writer.reported("units", units)
            writer.reported("sex", sex)
            writer.uint8("ageYears", ageYears)
            writer.uint8("heightCentimetres", heightCentimetres)
            writer.uint8("weightKilograms", weightKilograms)
            writer.uint8("systolic", systolic)
            writer.uint8("diastolic", diastolic)
            writer.uint8("heartRateWarning", heartRateWarning)
            writer.reported("heartRateWarningEnabled", heartRateWarningEnabled)
        }
    }

    /// How hours are shown.
    public enum Clock: UInt8, FieldCode {
        /// From 0 to 23.
        case hours24 = 0
        /// Twice from 1 to 12.
        case hours12 = 1

        /// The clock in words.
        public var label: FieldName {
            switch self {
            case .hours24: "24 hours"
            case .hours12: "12 hours"
            }
        }
    }

    /// How lengths are shown.
    public enum Units: UInt8, FieldCode {
        /// Kilometres.
        case metric = 0
        /// Miles.
        case imperial = 1

        /// The units in words.
        public var label: FieldName {
            switch self {
            case .metric: "metric"
            case .imperial: "imperial"
            }
        }
    }

    /// The wearer's sex, in the order of vendor notes and most apps.
    public enum Sex: UInt8, FieldCode {
        /// Male.
        case male = 0
        /// Female.
        case female = 1
        /// Neither.
        case other = 2

        /// The sex in words.
        public var label: FieldName {
            switch self {
            case .male: "male"
            case .female: "female"
            case .other: "other"
            }
        }
    }
}
