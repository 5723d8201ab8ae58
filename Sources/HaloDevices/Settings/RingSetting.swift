public import HaloProtocol
internal import HaloTransport

/// A setting of a ring, with the type of its value.
///
///     let logging = try await ring.setting(.heartRateLog)
///     try await ring.set(.stressLog, to: true)
///
/// The settings of a ring depend on its hardware and firmware. A setting that the ring does not
/// have throws ``DeviceError/Kind/notSupported``.
public struct RingSetting<Value: Sendable>: Sendable {
    fileprivate let read: AnsweredRequest<Result<Value, DeviceError>>
    fileprivate let write:
        @Sendable (Value) throws(DeviceError) -> AnsweredRequest<Result<Void, DeviceError>>

    /// Creates a setting from its two requests.
    ///
    /// - Parameters:
    ///   - value: Returns the value of a reply; `nil` if the reply has none.
    ///   - isWritten: Returns `true` for a reply that confirms a write.
    private init<Reply: Sendable>(
        read: RingRequest<Reply>, value: @escaping @Sendable (Reply) -> Value?,
        write: @escaping @Sendable (Value) throws(DeviceError) -> RingRequest<Reply>,
        isWritten: @escaping @Sendable (Reply) -> Bool
    ) {
        self.read = read.requiring(value)
        self.write = { (new) throws(DeviceError) in
            try write(new).requiring { isWritten($0) ? () : nil }
        }
    }

    private init<Command: SettingCommand & SendableMetatype>(
        _ command: Command.Type, value: @escaping @Sendable (Command.Reading) -> Value?,
        setting: @escaping @Sendable (Value) throws(DeviceError) -> Command.Setting
    ) {
        self.init(read: RingRequest(SettingRequest<Command>.read)) {
            $0.reading.flatMap(value)
        } write: { (new) throws(DeviceError) in
            RingRequest(SettingRequest<Command>.write(try setting(new)))
        } isWritten: { reply in
            if case .written = reply.content { true } else { false }
        }
    }
}

extension Ring {
    /// Reads a setting.
    public nonisolated(nonsending) func setting<Value: Sendable>(
        _ setting: RingSetting<Value>
    ) async throws(DeviceError) -> Value {
        try await connection.ask(setting.read)
    }

    /// Changes a setting.
    ///
    /// A value that cannot be sent throws ``DeviceError/Kind/badValue``.
    public nonisolated(nonsending) func set<Value: Sendable>(
        _ setting: RingSetting<Value>, to value: Value
    ) async throws(DeviceError) {
        let request: AnsweredRequest<Result<Void, DeviceError>>
        do throws(DeviceError) {
            request = try setting.write(value)
        } catch {
            var error = error
            error.command = setting.read.command
            throw error
        }
        try await connection.ask(request)
    }
}

// MARK: - What a ring measures by itself

extension RingSetting<Bool> {
    /// The regular measurement of stress.
    public static var stressLog: RingSetting { toggle(AutoStress.self) }

    /// The regular measurement of heart-rate variability.
    public static var heartRateVariabilityLog: RingSetting {
        toggle(AutoHeartRateVariability.self)
    }

    /// The regular measurement of the skin's temperature.
    public static var temperatureLog: RingSetting { toggle(.temperature) }

    /// The regular measurement of blood sugar; known from vendor notes only.
    public static var bloodSugarLog: RingSetting { toggle(.bloodSugar) }

    /// The regular measurement of blood lipids; known from vendor notes only.
    public static var bloodLipidsLog: RingSetting { toggle(.bloodLipids) }

    private static func toggle<Command: SettingCommand & SendableMetatype>(
        _ command: Command.Type
    ) -> RingSetting
    where Command.Reading == ToggleSetting, Command.Setting == ToggleSetting {
        RingSetting(command, value: \.isOn) { ToggleSetting(Toggle($0)) }
    }

    private static func toggle(_ kind: TemperatureSetting.Kind) -> RingSetting {
        RingSetting(read: RingRequest(TemperatureSetting.Request.read(kind))) { reply in
            if case .reading(let setting) = reply.content { setting.isOn } else { nil }
        } write: {
            RingRequest(TemperatureSetting.Request.write(kind, isOn: $0))
        } isWritten: {
            $0.content == .written
        }
    }
}

/// The regular measurement of the heart rate.
public struct HeartRateLogging: Hashable, Sendable, Codable {
    /// `true` if the ring measures by itself.
    public var isOn: Bool
    /// The time between two measurements, in whole minutes from 1 to 255; the vendor's app offers
    /// 5, 10, 15, 20, 30, 45 and 60. The value is rounded to minutes. It is needed even to switch
    /// logging off.
    public var interval: Duration
    /// The shortest interval that the ring accepts; `nil` if the ring does not report it. It is not
    /// written.
    public var shortestInterval: Duration?

    static let intervalMinutes: ClosedRange<UInt8> = 1...255

    /// Creates a setting.
    public init(isOn: Bool, interval: Duration, shortestInterval: Duration? = nil) {
        self.isOn = isOn
        self.interval = interval
        self.shortestInterval = shortestInterval
    }
}

extension RingSetting<HeartRateLogging> {
    /// The regular measurement of the heart rate.
    ///
    /// Some rings lose this setting at their midnight, or when the battery is empty.
    public static var heartRateLog: RingSetting {
        RingSetting(AutoHeartRate.self) { reading in
            HeartRateLogging(
                isOn: reading.enabled.isOn, interval: .minutes(Int(reading.minutesPerMeasurement)),
                shortestInterval: reading.minimumMinutes == 0
                    ? nil : .minutes(Int(reading.minimumMinutes)))
        } setting: { (logging) throws(DeviceError) in
            let minutes = try HeartRateLogging.intervalMinutes.minutes(logging.interval, "interval")
            return try sendable { () throws(ValueError) in
                try AutoHeartRate.Setting(isOn: logging.isOn, minutesPerMeasurement: minutes)
            }
        }
    }
}

/// The regular measurement of blood oxygen.
public struct BloodOxygenLogging: Hashable, Sendable, Codable {
    /// `true` if the ring measures by itself.
    public var isOn: Bool
    /// The time between two measurements, in whole minutes; `nil` for firmware that does not report
    /// it. Apps write `nil`, so it is not known whether rings accept an interval.
    public var interval: Duration?

    /// The limits of the interval; 0 for `nil`.
    static let intervalMinutes: ClosedRange<UInt8> = 0...255

    /// Creates a setting.
    public init(isOn: Bool, interval: Duration? = nil) {
        self.isOn = isOn
        self.interval = interval
    }
}

extension RingSetting<BloodOxygenLogging> {
    /// The regular measurement of blood oxygen.
    public static var bloodOxygenLog: RingSetting {
        RingSetting(AutoBloodOxygen.self) { reading in
            let minutes = Int(reading.minutesPerMeasurement)
            return BloodOxygenLogging(
                isOn: reading.enabled.isOn, interval: minutes == 0 ? nil : .minutes(minutes))
        } setting: { (logging) throws(DeviceError) in
            AutoBloodOxygen.Setting(
                Toggle(logging.isOn),
                minutesPerMeasurement: try BloodOxygenLogging.intervalMinutes.minutes(
                    logging.interval ?? .zero, "interval"))
        }
    }
}

/// The regular measurement of blood pressure.
public struct BloodPressureLogging: Hashable, Sendable, Codable {
    /// `true` if the ring measures by itself.
    public var isOn: Bool
    /// The part of the day in which it measures.
    public var hours: DailyHours
    /// The time between two measurements, in whole minutes up to 255.
    public var interval: Duration

    static let intervalMinutes: ClosedRange<UInt8> = 0...255

    /// Creates a setting.
    public init(isOn: Bool, hours: DailyHours, interval: Duration) {
        self.isOn = isOn
        self.hours = hours
        self.interval = interval
    }
}

extension RingSetting<BloodPressureLogging> {
    /// The regular measurement of blood pressure. Seen on an H59 band; writing is known from the
    /// layout only.
    public static var bloodPressureLog: RingSetting {
        RingSetting(BloodPressureSetting.self) { reading in
            DailyHours(reading.period).map {
                BloodPressureLogging(
                    isOn: reading.enabled.isOn, hours: $0,
                    interval: .minutes(Int(reading.minutesPerMeasurement)))
            }
        } setting: { (logging) throws(DeviceError) in
            BloodPressureSetting.Setting(
                isOn: logging.isOn, period: DailyPeriod(logging.hours),
                minutesPerMeasurement: try BloodPressureLogging.intervalMinutes.minutes(
                    logging.interval, "interval"))
        }
    }
}

// MARK: - The screen, touch and gestures

/// The settings of a ring's screen.
public struct DisplaySettings: Hashable, Sendable, Codable {
    /// `true` if the screen lights up.
    public var isOn: Bool
    /// The hand that wears the ring; `nil` if the ring reports neither. `nil` is written as the
    /// left hand.
    public var hand: Display.Hand?
    /// The brightness, from 1 to 5.
    public var brightness: Int
    /// The highest brightness that the ring supports; 5 in every capture.
    public var brightnessLimit: Int
    /// `true` if the screen lights up at any time, not only during ``hours``.
    public var isAllDay: Bool
    /// The part of the day in which the screen lights up; `nil` if the ring reports none. `nil` is
    /// written as midnight.
    public var hours: DailyHours?

    static let brightnesses: ClosedRange<UInt8> = 1...5

    /// Creates settings.
    public init(
        isOn: Bool, hand: Display.Hand?, brightness: Int, brightnessLimit: Int = 5,
        isAllDay: Bool = true, hours: DailyHours? = nil
    ) {
        self.isOn = isOn
        self.hand = hand
        self.brightness = brightness
        self.brightnessLimit = brightnessLimit
        self.isAllDay = isAllDay
        self.hours = hours
    }
}

extension RingSetting<DisplaySettings> {
    /// The settings of the screen. Reading was captured on an R12; two apps are known to write
    /// them.
    public static var display: RingSetting {
        RingSetting(read: RingRequest(Display.Request.read)) { reply in
            guard case .reading(let reading) = reply.content else { return nil }
            return DisplaySettings(
                isOn: reading.enabled.isOn, hand: reading.hand.known,
                brightness: Int(reading.brightness),
                brightnessLimit: Int(reading.brightnessLimit),
                isAllDay: reading.allDay == .yes, hours: DailyHours(reading.period))
        } write: { (display) throws(DeviceError) in
            let brightness = try UInt8.checked(
                display.brightness, "brightness", in: DisplaySettings.brightnesses)
            let limit = try UInt8.checked(display.brightnessLimit, "brightnessLimit")
            let midnight = DailyHours(from: .midnight, to: .midnight)
            return RingRequest(
                Display.Request.write(
                    try sendable { () throws(ValueError) in
                        try Display.Setting(
                            isOn: display.isOn, hand: display.hand ?? .left,
                            brightness: brightness, brightnessLimit: limit,
                            allDay: display.isAllDay ? .yes : .no,
                            period: DailyPeriod(display.hours ?? midnight))
                    }))
        } isWritten: {
            $0.content == .written
        }
    }
}

/// The app on the phone that is controlled by touching the ring.
public struct TouchControl: Hashable, Sendable, Codable {
    /// The kind of app.
    public var app: TouchGesture.App
    /// The time without a touch after which touch control sleeps, in whole minutes up to 255.
    public var sleepsAfter: Duration

    static let sleepMinutes: ClosedRange<UInt8> = 0...255

    /// Creates a setting.
    public init(_ app: TouchGesture.App, sleepsAfter: Duration) {
        self.app = app
        self.sleepsAfter = sleepsAfter
    }
}

/// The app on the phone that is controlled by gestures of the hand.
public struct GestureControl: Hashable, Sendable, Codable {
    /// The kind of app.
    public var app: TouchGesture.App
    /// The necessary strength of a gesture, from 1 to 10.
    public var strength: Int

    static let strengths: ClosedRange<UInt8> = 1...10

    /// Creates a setting.
    public init(_ app: TouchGesture.App, strength: Int) {
        self.app = app
        self.strength = strength
    }
}

extension RingSetting<TouchControl> {
    /// The app that is controlled by touch; writing is known from vendor notes only.
    public static var touch: RingSetting {
        surface(.touch) { app, minutes in
            TouchControl(app, sleepsAfter: .minutes(Int(minutes)))
        } write: { (control) throws(DeviceError) in
            .writeTouch(
                control.app,
                sleepMinutes: try TouchControl.sleepMinutes.minutes(
                    control.sleepsAfter, "sleepsAfter"))
        }
    }
}

extension RingSetting<GestureControl> {
    /// The app that is controlled by gestures; writing is known from vendor notes only.
    public static var gesture: RingSetting {
        surface(.gesture) { app, strength in
            GestureControl(app, strength: Int(strength))
        } write: { (control) throws(DeviceError) in
            let strength = try UInt8.checked(
                control.strength, "strength", in: GestureControl.strengths)
            return try sendable { () throws(ValueError) in
                try .writeGesture(control.app, strength: strength)
            }
        }
    }
}

extension RingSetting {
    fileprivate static func surface(
        _ surface: TouchGesture.Surface,
        value: @escaping @Sendable (TouchGesture.App, UInt8) -> Value,
        write: @escaping @Sendable (Value) throws(DeviceError) -> TouchGesture.Request
    ) -> RingSetting {
        RingSetting(read: RingRequest(TouchGesture.Request.read(surface))) { reply in
            guard case .reading(_, let setting) = reply.content else { return nil }
            return setting.app.known.map { value($0, setting.parameter) }
        } write: { (control) throws(DeviceError) in
            RingRequest(try write(control))
        } isWritten: {
            $0.content == .written
        }
    }
}

// MARK: - The wearer

/// The goals of a day.
public struct DailyGoals: Hashable, Sendable, Codable {
    /// The number of steps.
    public var steps: Int
    /// The energy in the unit of food labels.
    public var kilocalories: Double
    /// The distance in metres.
    public var metres: Int
    /// The time of sport in whole minutes, or `nil` for no goal.
    public var sport: Duration?
    /// The time of sleep in whole minutes, or `nil` for no goal.
    public var sleep: Duration?

    /// The limits of steps, small calories and metres.
    static let amounts: ClosedRange<UInt32> = 0...UInt24.max.value
    /// The limits of the times; 0 for `nil`.
    static let timeMinutes: ClosedRange<UInt16> = 0 ... .max

    /// Creates goals.
    public init(
        steps: Int, kilocalories: Double, metres: Int, sport: Duration? = nil,
        sleep: Duration? = nil
    ) {
        self.steps = steps
        self.kilocalories = kilocalories
        self.metres = metres
        self.sport = sport
        self.sleep = sleep
    }
}

extension RingSetting<DailyGoals> {
    /// The goals of a day. The defaults of R10 and R12 are 5000 steps, 300 kcal and 3000 m.
    public static var goals: RingSetting {
        RingSetting(Goals.self) { reading in
            func time(_ minutes: UInt16) -> Duration? {
                minutes == 0 ? nil : .minutes(Int(minutes))
            }
            return DailyGoals(
                steps: Int(reading.steps.value), kilocalories: reading.kilocalories,
                metres: Int(reading.metres.value), sport: time(reading.sportMinutes),
                sleep: time(reading.sleepMinutes))
        } setting: { (goals) throws(DeviceError) in
            let calories = Int(exactly: (goals.kilocalories * 1000).rounded()) ?? .max
            return Goals.Setting(
                steps: try number(goals.steps, "steps"),
                smallCalories: try number(calories, "calories"),
                metres: try number(goals.metres, "metres"),
                sportMinutes: try DailyGoals.timeMinutes.minutes(goals.sport ?? .zero, "sport"),
                sleepMinutes: try DailyGoals.timeMinutes.minutes(goals.sleep ?? .zero, "sleep"))
        }
    }

    private static func number(_ value: Int, _ field: FieldName) throws(DeviceError) -> UInt24 {
        UInt24(clamping: try UInt32.checked(value, field, in: DailyGoals.amounts))
    }
}

/// The person who wears a ring, and the units in which the ring shows values.
public struct WearerProfile: Hashable, Sendable, Codable {
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
    public var warningBeatsPerMinute: Int?
    /// `true` if hours are shown from 0 to 23.
    public var uses24HourClock: Bool
    /// `true` if distances are shown in kilometres, `false` for miles.
    public var usesMetricUnits: Bool

    /// The limits of each number; 0 for `nil`.
    static let numbers: ClosedRange<UInt8> = 0...255

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
}

extension RingSetting<WearerProfile> {
    /// The person who wears the ring. An R12 reports zeros.
    public static var wearer: RingSetting {
        RingSetting(UserPreferences.self) { reading in
            let pressure = BloodPressure(
                systolic: Int(reading.systolicMillimetresOfMercury),
                diastolic: Int(reading.diastolicMillimetresOfMercury))
            let warning = Int(reading.warningBeatsPerMinute)
            return WearerProfile(
                sex: reading.sex.known, ageYears: Int(reading.ageYears),
                heightCentimetres: Int(reading.heightCentimetres),
                weightKilograms: Int(reading.weightKilograms),
                bloodPressure: pressure.systolic == 0 ? nil : pressure,
                warningBeatsPerMinute: warning == 0 ? nil : warning,
                uses24HourClock: reading.clock == .hours24,
                usesMetricUnits: reading.units == .metric)
        } setting: { (wearer) throws(DeviceError) in
            func number(_ value: Int, _ field: FieldName) throws(DeviceError) -> UInt8 {
                try .checked(value, field, in: WearerProfile.numbers)
            }
            let pressure = wearer.bloodPressure
            let warning = wearer.warningBeatsPerMinute
            return UserPreferences.Setting(
                clock: wearer.uses24HourClock ? .hours24 : .hours12,
                units: wearer.usesMetricUnits ? .metric : .imperial, sex: wearer.sex ?? .other,
                ageYears: try number(wearer.ageYears, "ageYears"),
                heightCentimetres: try number(wearer.heightCentimetres, "heightCentimetres"),
                weightKilograms: try number(wearer.weightKilograms, "weightKilograms"),
                systolicMillimetresOfMercury: try number(pressure?.systolic ?? 0, "systolic"),
                diastolicMillimetresOfMercury: try number(pressure?.diastolic ?? 0, "diastolic"),
                warningBeatsPerMinute: try number(warning ?? 0, "warningBeatsPerMinute"),
                heartRateWarningEnabled: warning == nil ? .off : .on)
        }
    }
}

/// The daily hours in which a ring does not disturb.
public struct QuietHours: Hashable, Sendable, Codable {
    /// `true` if the ring keeps quiet during the hours.
    public var isOn: Bool
    /// The hours.
    public var hours: DailyHours

    /// Creates a setting.
    public init(isOn: Bool, hours: DailyHours) {
        self.isOn = isOn
        self.hours = hours
    }
}

extension RingSetting<QuietHours> {
    /// The hours of quiet. Every captured ring refuses this setting: the layout is from other
    /// sources.
    public static var doNotDisturb: RingSetting {
        RingSetting(DoNotDisturb.self) { reading in
            DailyHours(reading.setting.period).map {
                QuietHours(isOn: reading.setting.enabled.isOn, hours: $0)
            }
        } setting: {
            DoNotDisturb.Setting(isOn: $0.isOn, period: DailyPeriod($0.hours))
        }
    }
}

extension RingSetting<TemperatureUnit.Unit> {
    /// The unit in which temperatures are shown. It is known from vendor notes only: neither the
    /// numbers of the units nor the effect of writing them is certain.
    public static var temperatureUnit: RingSetting {
        RingSetting(TemperatureUnit.self) {
            $0.unit.known
        } setting: {
            TemperatureUnit.Setting(isOn: true, unit: $0)
        }
    }
}

/// A part of every day, from one time to another, which may be on the next day.
public struct DailyHours: Hashable, Sendable, Codable {
    /// The beginning; rings drop its seconds.
    public var start: CivilTime
    /// The end; rings drop its seconds.
    public var end: CivilTime

    /// Creates a part of the day.
    public init(from start: CivilTime, to end: CivilTime) {
        self.start = start
        self.end = end
    }

    fileprivate init?(_ period: DailyPeriod) {
        guard let start = period.start, let end = period.end else { return nil }
        self.init(from: start, to: end)
    }
}

// MARK: - Codes of settings, as the numbers that rings have for them

extension Display.Hand: Codable {}
extension TouchGesture.App: Codable {}
extension UserPreferences.Sex: Codable {}

// MARK: - Values to fields

extension DailyPeriod {
    fileprivate init(_ hours: DailyHours) { self.init(from: hours.start, to: hours.end) }
}

extension ClosedRange where Bound: FixedWidthInteger {
    /// Returns a duration in minutes, rounded; throws if it is out of the range.
    fileprivate func minutes(
        _ duration: Duration, _ field: FieldName
    ) throws(DeviceError) -> Bound {
        let seconds = Int(clamping: duration.components.seconds)
        return try .checked(seconds < 0 ? seconds : (seconds &+ 30) / 60, field, in: self)
    }
}

/// Calls an initialiser that checks limits, and throws its error as a ``DeviceError``.
private func sendable<Value>(
    _ body: () throws(ValueError) -> Value
) throws(DeviceError) -> Value {
    do throws(ValueError) {
        return try body()
    } catch {
        throw DeviceError(error)
    }
}
