internal import HaloProtocol

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
        RingSetting(command, blank: ToggleSetting(.off)) {
            $0.isOn
        } edit: { (packet, change) throws(DeviceError) in
            if let isOn = change[\.self] { packet.enabled = Reported(SwitchState(isOn)) }
        }
    }

    private static func toggle(_ kind: TemperatureSetting.Kind) -> RingSetting {
        RingSetting(
            read: RingRequest(TemperatureSetting.Request.read(kind)),
            reading: { reply in reply.reading.map { ($0.isOn, $0.isOn) } },
            blank: false,
            edit: { (isOn, change) throws(DeviceError) in isOn = change[\.self] ?? isOn },
            write: { RingRequest(TemperatureSetting.Request.write(kind, isOn: $0)) },
            isWritten: { $0.action == .write })
    }
}

/// The regular measurement of the heart rate.
public struct HeartRateLogging: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `true` if the ring measures by itself.
    public var isOn: Bool
    /// The time between two measurements, in whole minutes from 1 to 255; the vendor's app offers
    /// 5, 10, 15, 20, 30, 45 and 60. The value is rounded to minutes. It is needed even to switch
    /// logging off.
    public var interval: Duration
    /// The shortest interval that the ring accepts; `nil` if the ring does not report it. It is not
    /// written.
    public var shortestInterval: Duration?

    package static let intervalMinutes = AutoHeartRate.Setting.minutesPerMeasurementRange

    /// Creates a setting.
    public init(isOn: Bool, interval: Duration, shortestInterval: Duration? = nil) {
        self.isOn = isOn
        self.interval = interval
        self.shortestInterval = shortestInterval
    }

    /// The setting in words: `on, every 5 min`.
    public var description: String {
        "\(Wording.state(isOn)), every \(Wording.duration(interval))"
    }
}

extension RingSetting<HeartRateLogging> {
    /// The regular measurement of the heart rate.
    ///
    /// Some rings lose this setting at their midnight, or when the battery is empty.
    public static var heartRateLog: RingSetting {
        let blank = AutoHeartRate.Setting(
            AutoHeartRate.Reading(isOn: false, minutesPerMeasurement: 0, minimumMinutes: 0))
        return RingSetting(AutoHeartRate.self, blank: blank) { reading in
            HeartRateLogging(
                isOn: reading.enabled.isOn, interval: .minutes(Int(reading.minutesPerMeasurement)),
                shortestInterval: reading.minimumMinutes == 0
                    ? nil : .minutes(Int(reading.minimumMinutes)))
        } packet: {
            AutoHeartRate.Setting($0)
        } edit: { (packet, change) throws(DeviceError) in
            if let isOn = change[\.isOn] { packet.enabled = Reported(SwitchState(oneOrTwo: isOn)) }
            if let interval = change[\.interval] {
                packet.minutesPerMeasurement = try HeartRateLogging.intervalMinutes.minutes(
                    interval, "intervalMinutes")
            }
        }
    }
}

extension RingSetting<BloodOxygenLogging> {
    /// The regular measurement of blood oxygen.
    public static var bloodOxygenLog: RingSetting {
        RingSetting(AutoBloodOxygen.self, blank: AutoBloodOxygen.Setting(.off)) { reading in
            let minutes = Int(reading.minutesPerMeasurement)
            return BloodOxygenLogging(
                isOn: reading.enabled.isOn, interval: minutes == 0 ? nil : .minutes(minutes))
        } edit: { (packet, change) throws(DeviceError) in
            if let isOn = change[\.isOn] { packet.enabled = Reported(SwitchState(isOn)) }
            if let interval = change[\.interval] {
                packet.minutesPerMeasurement = try BloodOxygenLogging.intervalMinutes.minutes(
                    interval ?? .zero, "intervalMinutes")
            }
        }
    }
}

extension RingSetting<BloodPressureLogging> {
    /// The regular measurement of blood pressure. One source has it from an H59 band; writing is
    /// known from the layout only.
    ///
    /// An R12 does not measure blood pressure, and replies with bytes that are neither a switch nor
    /// hours: it does not have the setting.
    public static var bloodPressureLog: RingSetting {
        let blank = BloodPressureSetting.Setting(
            isOn: false, period: DailyPeriod(from: .midnight, to: .midnight),
            minutesPerMeasurement: 0)
        return RingSetting(BloodPressureSetting.self, blank: blank) { reading in
            DailyHours(reading.period).map {
                BloodPressureLogging(
                    isOn: reading.enabled.isOn, hours: $0,
                    interval: .minutes(Int(reading.minutesPerMeasurement)))
            }
        } isLacking: {
            $0.enabled.known == nil && DailyHours($0.period) == nil
        } edit: { (packet, change) throws(DeviceError) in
            if let isOn = change[\.isOn] { packet.enabled = Reported(SwitchState(oneOrTwo: isOn)) }
            if let hours = change[\.hours] { packet.period = DailyPeriod(hours) }
            if let interval = change[\.interval] {
                packet.minutesPerMeasurement = try BloodPressureLogging.intervalMinutes.minutes(
                    interval, "intervalMinutes")
            }
        }
    }
}
