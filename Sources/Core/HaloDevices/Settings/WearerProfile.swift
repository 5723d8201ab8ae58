public import HaloProtocol

/// The person who wears a ring, and the units in which the ring shows values.
public struct WearerProfile: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The sex; `nil` if the ring reports a number that is not described. `nil` is written as
    /// other.
    public var sex: UserPreferences.Sex?
    /// The age in years, up to 255.
    public var ageYears: Int
    /// The height, up to 255 cm.
    public var heightCentimetres: Int
    /// The weight, up to 255 kg.
    public var weightKilograms: Int
    /// The usual blood pressure; `nil` if none is set.
    public var bloodPressure: BloodPressure?
    /// The heart rate above which the ring warns, in beats per minute; `nil` for no warning.
    ///
    /// Vendor notes have a switch of the warning besides. It is written with this value, on or off,
    /// and is not read: an app was captured that writes a heart rate and leaves the switch off.
    public var warningBeatsPerMinute: Int?
    /// `true` if hours are shown from 0 to 23.
    public var uses24HourClock: Bool
    /// `true` if distances are shown in kilometres, `false` for miles.
    public var usesMetricUnits: Bool

    /// The limits of each number; 0 for `nil`.
    package static let numbers: ClosedRange<UInt8> = 0...255

    /// Creates a profile.
    public init(
        sex: UserPreferences.Sex?, ageYears: Int, heightCentimetres: Int, weightKilograms: Int,
        bloodPressure: BloodPressure? = nil, warningBeatsPerMinute: Int? = nil,
        uses24HourClock: Bool = true, usesMetricUnits: Bool = true
    ) {
        self.sex = sex
        self.ageYears = ageYears
        self.heightCentimetres = heightCentimetres
        self.weightKilograms = weightKilograms
        self.bloodPressure = bloodPressure
        self.warningBeatsPerMinute = warningBeatsPerMinute
        self.uses24HourClock = uses24HourClock
        self.usesMetricUnits = usesMetricUnits
    }

    /// The profile in words: `female, 34 years, 170 cm, 60 kg, 24 hours, metric`.
    public var description: String {
        var words = "\(sex?.label ?? "sex not known"), \(ageYears) years, "
        words += "\(heightCentimetres) cm, \(weightKilograms) kg"
        if let bloodPressure { words += ", \(bloodPressure)" }
        if let warningBeatsPerMinute { words += ", warns above \(warningBeatsPerMinute) bpm" }
        words += uses24HourClock ? ", 24 hours" : ", 12 hours"
        return words + (usesMetricUnits ? ", metric" : ", imperial")
    }

    fileprivate init(_ reading: UserPreferences.Setting) {
        let pressure = BloodPressure(
            systolic: Int(reading.systolicMillimetresOfMercury),
            diastolic: Int(reading.diastolicMillimetresOfMercury))
        let warning = Int(reading.warningBeatsPerMinute)
        self.init(
            sex: reading.sex.known, ageYears: Int(reading.ageYears),
            heightCentimetres: Int(reading.heightCentimetres),
            weightKilograms: Int(reading.weightKilograms),
            bloodPressure: pressure.systolic == 0 ? nil : pressure,
            warningBeatsPerMinute: warning == 0 ? nil : warning,
            uses24HourClock: reading.clock == .hours24,
            usesMetricUnits: reading.units == .metric)
    }
}

extension RingSetting<WearerProfile> {
    /// The person who wears the ring. An R12 reports zeros.
    public static var wearer: RingSetting {
        let blank = UserPreferences.Setting(
            sex: .other, ageYears: 0, heightCentimetres: 0, weightKilograms: 0)
        return RingSetting(UserPreferences.self, blank: blank) {
            WearerProfile($0)
        } edit: { (packet, change) throws(DeviceError) in
            try editBody(&packet, change)
            if let warning = change[\.warningBeatsPerMinute] {
                packet.warningBeatsPerMinute = try number(warning ?? 0, "warningBeatsPerMinute")
                packet.heartRateWarningEnabled = Reported(SwitchState(warning != nil))
            }
            if let uses24HourClock = change[\.uses24HourClock] {
                packet.clock = Reported(uses24HourClock ? .hours24 : .hours12)
            }
            if let usesMetricUnits = change[\.usesMetricUnits] {
                packet.units = Reported(usesMetricUnits ? .metric : .imperial)
            }
        }
    }

    private static func editBody(
        _ packet: inout UserPreferences.Setting, _ change: SettingChange<WearerProfile>
    ) throws(DeviceError) {
        if let sex = change[\.sex] { packet.sex = Reported(sex ?? .other) }
        if let years = change[\.ageYears] { packet.ageYears = try number(years, "ageYears") }
        if let centimetres = change[\.heightCentimetres] {
            packet.heightCentimetres = try number(centimetres, "heightCentimetres")
        }
        if let kilograms = change[\.weightKilograms] {
            packet.weightKilograms = try number(kilograms, "weightKilograms")
        }
        if let pressure = change[\.bloodPressure] {
            packet.systolicMillimetresOfMercury = try number(
                pressure?.systolic ?? 0, "systolicMillimetresOfMercury")
            packet.diastolicMillimetresOfMercury = try number(
                pressure?.diastolic ?? 0, "diastolicMillimetresOfMercury")
        }
    }

    private static func number(_ value: Int, _ field: FieldName) throws(DeviceError) -> UInt8 {
        try .checked(value, field, in: WearerProfile.numbers)
    }
}

extension RingSetting<DoNotDisturbSettings> {
    /// The hours of quiet. Every captured ring refuses this setting: the layout is from other
    /// sources.
    public static var doNotDisturb: RingSetting {
        let blank = DoNotDisturb.Setting(
            isOn: false, period: DailyPeriod(from: .midnight, to: .midnight))
        return RingSetting(DoNotDisturb.self, blank: blank) { reading in
            DailyHours(reading.setting.period).map {
                DoNotDisturbSettings(isOn: reading.setting.enabled.isOn, hours: $0)
            }
        } packet: {
            $0.setting
        } edit: { (packet, change) throws(DeviceError) in
            if let isOn = change[\.isOn] { packet.enabled = Reported(SwitchState(oneOrTwo: isOn)) }
            if let hours = change[\.hours] { packet.period = DailyPeriod(hours) }
        }
    }
}

extension RingSetting<TemperatureUnit.Unit> {
    /// The unit in which temperatures are shown. It is known from vendor notes only: neither the
    /// numbers of the units nor the effect of writing them is certain.
    public static var temperatureUnit: RingSetting {
        RingSetting(
            TemperatureUnit.self, blank: TemperatureUnit.Setting(isOn: true, unit: .celsius)
        ) {
            $0.unit.known
        } edit: { (packet, change) throws(DeviceError) in
            if let unit = change[\.self] { packet.unit = Reported(unit) }
        }
    }
}
