public import HaloProtocol

/// Everything that an app can set on a ring, as the ring keeps it.
public struct RingSettings: Hashable, Sendable {
    /// The language of a screen.
    public var language = RingLanguage.english
    /// Whether the heart rate is measured by itself.
    public var heartRateIsOn = true
    /// How many minutes lie between two measurements of the heart rate.
    public var heartRateMinutes: UInt8 = 5
    /// The fewest minutes that the ring says may be set.
    public var leastHeartRateMinutes: UInt8 = 5
    /// Whether blood oxygen is measured by itself, as it was written.
    public var bloodOxygen = Reported(Toggle.on)
    /// How many minutes the ring says lie between two measurements of blood oxygen.
    public var bloodOxygenMinutes: UInt8 = 0
    /// Whether stress is measured by itself, as it was written.
    public var stress = Reported(Toggle.on)
    /// Whether variability is measured by itself, as it was written.
    public var variability = Reported(Toggle.on)
    /// Whether temperature is measured by itself.
    public var temperature = Reported(Toggle.off)
    /// Whether blood sugar is measured by itself: no ring has a sensor for it.
    public var bloodSugar = Reported(Toggle.off)
    /// Whether blood lipids are measured by themselves: no ring has a sensor for it.
    public var bloodLipids = Reported(Toggle.off)
    /// Who wears the ring: zeros until an app says it (captured, R12).
    public var preferences = UserPreferences.Setting(
        sex: .male, ageYears: 0, heightCentimetres: 0, weightKilograms: 0)
    /// The goals of a day: the factory's were captured on R10 and R12.
    public var goals = Goals.Setting(steps: 5000, calories: 300_000, metres: 3000)
    /// When the ring keeps still.
    public var doNotDisturb = DoNotDisturb.Setting(isOn: false, period: RingSettings.night)
    /// When blood pressure is measured: an H59 came with this.
    public var bloodPressure = BloodPressureSetting.Setting(
        isOn: true, period: RingSettings.period(0, 23), minutesPerMeasurement: 60)
    /// How a screen lights up: an R12 came with this.
    public var display = try? Display.Setting(
        isOn: true, hand: .left, brightness: 2, allDay: .no, period: RingSettings.night)
    /// The unit of temperatures: captured as read from R10 and R12, whatever it means.
    public var temperatureUnit = TemperatureUnit.Setting(isOn: false, unit: .fahrenheit)
    /// What touching controls.
    public var touch = TouchGesture.Setting(.off, parameter: 1)
    /// What gestures control.
    public var gesture = TouchGesture.Setting(.off, parameter: 1)
    /// What the third surface controls.
    public var special = TouchGesture.Setting(.off, parameter: 0)
    /// The phone's notifications that the ring asks for, two bytes: all of them on an R12.
    public var notificationSwitches: (first: UInt8, second: UInt8) {
        get { (switchBytes[0], switchBytes[1]) }
        set { switchBytes = [newValue.first, newValue.second] }
    }
    private var switchBytes: InlineBytes = [.max, .max]
    /// The phone that the ring was told about last, in printable characters.
    public var phoneName: String?
    /// The wearer's name as it was written.
    public var nickname: [UInt8] = []

    /// What most rings come with.
    public init() {}

    private static let night = period(22, 23)

    private static func period(_ start: Int, _ end: Int) -> DailyPeriod {
        let midnight = CivilTime.midnight
        return DailyPeriod(
            from: (try? CivilTime(hour: start, minute: 0)) ?? midnight,
            to: (try? CivilTime(hour: end, minute: 0)) ?? midnight)
    }
}
