public import HaloProtocol

/// The settings of a ring that apps can change.
public struct RingSettings: Hashable, Sendable {
    /// The language of a screen.
    public var language = RingLanguage.english
    /// `true` if automatic heart rates are on.
    public var heartRateIsOn = true
    /// The minutes between automatic heart rates.
    public var heartRateMinutes: UInt8 = 5
    /// The smallest number of minutes that the ring accepts, as it reports it.
    package var leastHeartRateMinutes: UInt8 = 5
    /// The automatic blood oxygen switch as written.
    public var bloodOxygen = Reported(SwitchState.on)
    /// The reported number of minutes between blood oxygen values.
    package var bloodOxygenMinutes: UInt8 = 0
    /// The automatic stress switch as written.
    public var stress = Reported(SwitchState.on)
    /// The automatic variability switch as written.
    public var heartRateVariability = Reported(SwitchState.on)
    /// The automatic temperature switch.
    public var temperature = Reported(SwitchState.off)
    /// No ring has a sensor for blood sugar or lipids.
    package var bloodSugar = Reported(SwitchState.off)
    package var bloodLipids = Reported(SwitchState.off)
    /// The wearer's data: zeros until an app sets them (captured, R12).
    public var preferences = UserPreferences.Setting(
        sex: .male, ageYears: 0, heightCentimetres: 0, weightKilograms: 0)
    /// The goals of a day; the factory values were captured on R10 and R12.
    public var goals = Goals.Setting(steps: 5000, smallCalories: 300_000, metres: 3000)
    /// The quiet period.
    public var doNotDisturb = DoNotDisturb.Setting(isOn: false, period: RingSettings.night)
    /// The schedule of blood pressure measurements: the default of an H59.
    public var bloodPressure = BloodPressureSetting.Setting(
        isOn: true, period: RingSettings.period(0, 23), minutesPerMeasurement: 60)
    /// The screen settings: the default of an R12.
    public var display = try? Display.Setting(
        isOn: true, hand: .left, brightness: 2, allDay: .no, period: RingSettings.night)
    /// The unit of temperatures as read from R10 and R12 (captured); its meaning is not known.
    public var temperatureUnit = TemperatureUnit.Setting(isOn: false, unit: .fahrenheit)
    /// The function of the touch surface.
    public var touch = TouchGesture.Setting(.off, parameter: 1)
    /// The function of gestures.
    public var gesture = TouchGesture.Setting(.off, parameter: 1)
    /// The function of the third surface.
    package var special = TouchGesture.Setting(.off, parameter: 0)
    /// The phone notifications that the ring requests, as two bytes: all of them on an R12.
    package var switchBytes: InlineBytes = [.max, .max]
    /// The name of the last phone, in printable characters.
    public var phoneName: String?
    /// The wearer's name as written, in raw bytes.
    public var nickname: [UInt8] = []

    /// Creates the defaults of most rings.
    package init() {}

    private static let night = period(22, 23)

    private static func period(_ start: Int, _ end: Int) -> DailyPeriod {
        let midnight = CivilTime.midnight
        return DailyPeriod(
            from: (try? CivilTime(hour: start, minute: 0)) ?? midnight,
            to: (try? CivilTime(hour: end, minute: 0)) ?? midnight)
    }
}
