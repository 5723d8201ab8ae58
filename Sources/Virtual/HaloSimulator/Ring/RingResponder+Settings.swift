internal import HaloProtocol

extension RingResponder {
    /// The handlers of the switches of automatic measurements.
    static let settings = [
        RingResponder(AutoHeartRate.self) { ring, request, now in
            switch request.action {
            case .read:
                let settings = ring.settings
                let reading = AutoHeartRate.Reading(
                    isOn: settings.heartRateIsOn,
                    minutesPerMeasurement: settings.heartRateMinutes,
                    minimumMinutes: settings.leastHeartRateMinutes)
                return [AutoHeartRate.Reply(.reading(reading)).frame]
            case .write(let setting):
                ring.changeMeasuring(at: now) { settings in
                    settings.heartRateIsOn = setting.enabled.isOn
                    // A zero is no interval: the ring keeps the one it had.
                    if setting.minutesPerMeasurement > 0 {
                        settings.heartRateMinutes = setting.minutesPerMeasurement
                    }
                }
                ring.memory.reviveLogging()
                let echo = ToggleSetting(SwitchState(oneOrTwo: setting.enabled.isOn))
                return [AutoHeartRate.Reply(.written(echo)).frame]
            }
        },
        RingResponder(AutoBloodOxygen.self) { ring, request, now in
            switch request.action {
            case .read:
                var reading = AutoBloodOxygen.Setting(
                    .on, minutesPerMeasurement: ring.settings.bloodOxygenMinutes)
                reading.enabled = ring.settings.bloodOxygen
                return [AutoBloodOxygen.Reply(.reading(reading)).frame]
            case .write(let setting):
                ring.changeMeasuring(at: now) { $0.bloodOxygen = setting.enabled }
                var echo = AutoBloodOxygen.Setting(.on)
                echo.enabled = setting.enabled
                return [AutoBloodOxygen.Reply(.written(echo)).frame]
            }
        },
        RingResponder(AutoStress.self) { ring, request, now in
            toggle(AutoStress.self, request, \.stress, of: &ring, at: now)
        },
        RingResponder(AutoHeartRateVariability.self) { ring, request, now in
            toggle(
                AutoHeartRateVariability.self, request, \.heartRateVariability, of: &ring, at: now)
        },
        RingResponder(TemperatureSetting.self) { ring, request, now in
            let setting: WritableKeyPath<RingSettings, Reported<SwitchState>> =
                switch request.kind {
                case .temperature: \.temperature
                case .bloodSugar: \.bloodSugar
                case .bloodLipids: \.bloodLipids
                }
            switch request.action {
            case .read:
                var reading = ToggleSetting(.off)
                reading.enabled = ring.settings[keyPath: setting]
                return [TemperatureSetting.Reply(request.kind, .reading(reading)).frame]
            case .write(let written):
                ring.changeMeasuring(at: now) { $0[keyPath: setting] = written.enabled }
                return [TemperatureSetting.Reply(request.kind, .written).frame]
            }
        },
    ]

    /// Reads or writes a setting whose acknowledgement is empty.
    private static func setting<Subject: SettingCommand>(
        _ type: Subject.Type, _ request: Subject.Request,
        _ path: WritableKeyPath<RingSettings, Subject.Setting>, of ring: inout VirtualRing,
        _ reading: (VirtualRing) -> Subject.Reading
    ) -> [Frame] where Subject.Echo == NoFields {
        switch request.action {
        case .read: return [Subject.Reply(.reading(reading(ring))).frame]
        case .write(let written):
            ring.settings[keyPath: path] = written
            return [Subject.Reply(.written(NoFields())).frame]
        }
    }

    private static func toggle<Subject: SettingCommand>(
        _ type: Subject.Type, _ request: Subject.Request,
        _ setting: WritableKeyPath<RingSettings, Reported<SwitchState>>,
        of ring: inout VirtualRing, at now: Moment
    ) -> [Frame]
    where
        Subject.Setting == ToggleSetting, Subject.Reading == ToggleSetting,
        Subject.Echo == ToggleSetting
    {
        switch request.action {
        case .read:
            var reading = ToggleSetting(.off)
            reading.enabled = ring.settings[keyPath: setting]
            return [Subject.Reply(.reading(reading)).frame]
        case .write(let written):
            ring.changeMeasuring(at: now) { $0[keyPath: setting] = written.enabled }
            return [Subject.Reply(.written(written)).frame]
        }
    }

    /// The handlers of settings about the wearer and the ring's surface.
    static let otherSettings = [
        RingResponder(UserPreferences.self) { ring, request, _ in
            switch request.action {
            case .read:
                return [UserPreferences.Reply(.reading(ring.settings.preferences)).frame]
            case .write(let preferences):
                ring.settings.preferences = preferences
                let rest: InlineBytes =
                    ring.profile.quirks.contains(.oddPreferencesEcho) ? [204, 150] : []
                return [UserPreferences.Reply(.written(NoFields()), followedBy: rest).frame]
            }
        },
        RingResponder(Goals.self) { ring, request, _ in
            setting(Goals.self, request, \.goals, of: &ring) { $0.settings.goals }
        },
        RingResponder(TemperatureUnit.self) { ring, request, _ in
            setting(TemperatureUnit.self, request, \.temperatureUnit, of: &ring) {
                $0.settings.temperatureUnit
            }
        },
        RingResponder(DoNotDisturb.self) { ring, request, _ in
            setting(DoNotDisturb.self, request, \.doNotDisturb, of: &ring) {
                DoNotDisturb.Reading($0.settings.doNotDisturb)
            }
        },
        RingResponder(BloodPressureSetting.self) { ring, request, _ in
            setting(BloodPressureSetting.self, request, \.bloodPressure, of: &ring) {
                $0.bloodPressureReading
            }
        },
        RingResponder(Display.self) { ring, request, _ in
            switch request.action {
            case .read:
                guard let display = ring.settings.display else {
                    return [Refusal(of: Display.opcode).frame]
                }
                return [Display.Reply(.reading(display)).frame]
            case .write(let setting):
                ring.settings.display = setting
                return [Display.Reply(.written).frame]
            case .readRaiseToWake: return [Display.Reply(.raiseToWake).frame]
            case .writeRaiseToWake: return [Display.Reply(.raiseToWakeWritten).frame]
            }
        },
        RingResponder(TouchGesture.self) { ring, request, _ in
            let setting: WritableKeyPath<RingSettings, TouchGesture.Setting> =
                switch request.surface {
                case .touch: \.touch
                case .gesture: \.gesture
                case .special: \.special
                }
            switch request.action {
            case .read:
                let reading = ring.settings[keyPath: setting]
                return [TouchGesture.Reply(.reading(Reported(request.surface), reading)).frame]
            case .write(let written):
                ring.settings[keyPath: setting] = written
                return [TouchGesture.Reply(.written).frame]
            }
        },
        RingResponder(NotificationSwitches.self) { ring, _, _ in
            let (first, second) = ring.settings.notificationSwitches
            return [NotificationSwitches.Reply(first, second).frame]
        },
        RingResponder(SetNotificationSwitches.self) { ring, request, _ in
            // Assumption: the two bytes have the positions of the reply to a read.
            ring.settings.notificationSwitches = (request.unclaimed[0], request.unclaimed[1])
            return [SetNotificationSwitches.Reply().frame]
        },
        RingResponder(acknowledging: RawCommand.menstruation),
    ]
}
