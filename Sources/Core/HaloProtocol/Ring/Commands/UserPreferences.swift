/// The wearer's body, and the units of the ring's screen.
///
///     → 0A 01                          reads
///     → 0A 02 preferences…             writes
///     ← 0A 01 preferences…             all zeros from an R12
///     ← 0A 02 …                        zeros; two unexplained bytes from an R02
///
///      2  clock            0 24 hours, 1 12 hours
///      3  units            0 metric, 1 imperial
///      4  sex              0 male, 1 female, 2 other; one source swaps the first two
///      5  age              years
///      6  height           cm
///      7  weight           kg
///      8  blood pressure   systolic, diastolic
///     10  pulse warning    warningBeatsPerMinute, 0 off
///     11  pulse warning    heartRateWarningEnabled, by vendor notes only
public enum UserPreferences: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0A, "UserPreferences", "user preferences", .captured)
    }

    /// The wearer's body and units.
    public struct Setting: FrameFields {
        public var clock: Reported<Clock>
        /// The unit of lengths; the height and weight below were metric in all captures.
        public var units: Reported<Units>
        public var sex: Reported<Sex>
        public var ageYears: UInt8
        public var heightCentimetres: UInt8
        public var weightKilograms: UInt8
        /// The wearer's usual upper blood pressure in mmHg, 0 if not given.
        public var systolicMillimetresOfMercury: UInt8
        /// The wearer's usual lower blood pressure in mmHg, 0 if not given.
        public var diastolicMillimetresOfMercury: UInt8
        /// The heart rate above which the ring warns; 0 for no warning.
        public var warningBeatsPerMinute: UInt8
        /// The switch of the warning; vendor notes only.
        public var heartRateWarningEnabled: Reported<SwitchState>

        public init(
            clock: Clock = .hours24, units: Units = .metric, sex: Sex, ageYears: UInt8,
            heightCentimetres: UInt8, weightKilograms: UInt8,
            systolicMillimetresOfMercury: UInt8 = 0,
            diastolicMillimetresOfMercury: UInt8 = 0, warningBeatsPerMinute: UInt8 = 0,
            heartRateWarningEnabled: SwitchState = .off
        ) {
            self.clock = Reported(clock)
            self.units = Reported(units)
            self.sex = Reported(sex)
            self.ageYears = ageYears
            self.heightCentimetres = heightCentimetres
            self.weightKilograms = weightKilograms
            self.systolicMillimetresOfMercury = systolicMillimetresOfMercury
            self.diastolicMillimetresOfMercury = diastolicMillimetresOfMercury
            self.warningBeatsPerMinute = warningBeatsPerMinute
            self.heartRateWarningEnabled = Reported(heartRateWarningEnabled)
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            clock = try io.reported("clock", packet?.clock, .open)
            units = try io.reported("units", packet?.units, .open)
            sex = try io.reported("sex", packet?.sex, .sex)
            ageYears = try io.uint8("ageYears", packet?.ageYears, .body(.age), .years)
            heightCentimetres = try io.uint8(
                "heightCentimetres", packet?.heightCentimetres, .body(.height), .centimetres)
            weightKilograms = try io.uint8(
                "weightKilograms", packet?.weightKilograms, .body(.weight), .kilograms)
            systolicMillimetresOfMercury = try io.uint8(
                "systolicMillimetresOfMercury", packet?.systolicMillimetresOfMercury,
                .body(.systolic),
                .millimetresOfMercury)
            diastolicMillimetresOfMercury = try io.uint8(
                "diastolicMillimetresOfMercury", packet?.diastolicMillimetresOfMercury,
                .body(.diastolic),
                .millimetresOfMercury)
            warningBeatsPerMinute = try io.uint8(
                "warningBeatsPerMinute", packet?.warningBeatsPerMinute, .body(.pulseCeiling),
                .beatsPerMinute)
            heartRateWarningEnabled = try io.reported(
                "heartRateWarningEnabled", packet?.heartRateWarningEnabled, .open)
        }
    }

    /// The format of hours.
    public enum Clock: UInt8, FieldCode {
        case hours24 = 0
        case hours12 = 1

        public static let labels = FieldLabels<Clock>([.hours24: "24 hours", .hours12: "12 hours"])
    }

    /// The unit of lengths.
    public enum Units: UInt8, FieldCode {
        /// Kilometres.
        case metric = 0
        /// Miles.
        case imperial = 1
    }

    /// The wearer's sex, in the order of vendor notes and most apps.
    public enum Sex: UInt8, FieldCode {
        case male = 0
        case female = 1
        case other = 2
    }
}
