internal import HaloProtocol

extension RingResponder {
    /// The handlers of the switches of automatic measurements.
    static let settings = [
        RingResponder(AutoHeartRate.self) { ring, request, now in
            switch request.action {
            case .read:
                let settings = ring.settings
                return .reply(
                    AutoHeartRate.Reply(
                        .reading(
                            AutoHeartRate.Reading(
                                isOn: settings.heartRateIsOn,
                                minutesPerMeasurement: settings.heartRateMinutes,
                                minimumMinutes: settings.leastHeartRateMinutes))))
            case .write(let setting):
                ring.changeMeasuring(at: now) { settings in
                    settings.heartRateIsOn = setting.enabled.isOn
                    // A zero is no interval: the ring keeps the one it had.
                    if setting.minutesPerMeasurement > 0 {
                        settings.heartRateMinutes = setting.minutesPerMeasurement
                    }
                }
                ring.memory.reviveLogging()
                return .reply(
                    AutoHeartRate.Reply(
                        .written(ToggleSetting(SwitchState(oneOrTwo: setting.enabled.isOn)))))
            }
        },
        RingResponder(AutoBloodOxygen.self) { ring, request, now in
            switch request.action {
            case .read:
                var reading = AutoBloodOxygen.Setting(
                    .on, minutesPerMeasurement: ring.settings.bloodOxygenMinutes)
                reading.enabled = ring.settings.bloodOxygen
                return .reply(AutoBloodOxygen.Reply(.reading(reading)))
            case .write(let setting):
                ring.changeMeasuring(at: now) { $0.bloodOxygen = setting.enabled }
                var echo = AutoBloodOxygen.Setting(.on)
                echo.enabled = setting.enabled
                return .reply(AutoBloodOxygen.Reply(.written(echo)))
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
                return .reply(TemperatureSetting.Reply(request.kind, .reading(reading)))
            case .write(let written):
                ring.changeMeasuring(at: now) { $0[keyPath: setting] = written.enabled }
                return .reply(TemperatureSetting.Reply(request.kind, .written))
            }
        },
    ]

    /// Reads or writes a setting whose acknowledgement is empty.
    private static func setting<Subject: SettingCommand>(
        _ type: Subject.Type, _ request: Subject.Request,
        _ path: WritableKeyPath<RingSettings, Subject.Setting>, of ring: inout VirtualRing,
        _ reading: (VirtualRing) -> Subject.Reading
    ) -> RingAnswer where Subject.Echo == NoFields {
        switch request.action {
        case .read: return .reply(Subject.Reply(.reading(reading(ring))))
        case .write(let written):
            ring.settings[keyPath: path] = written
            return .reply(Subject.Reply(.written(NoFields())))
        }
    }

    private static func toggle<Subject: SettingCommand>(
        _ type: Subject.Type, _ request: Subject.Request,
        _ setting: WritableKeyPath<RingSettings, Reported<SwitchState>>,
        of ring: inout VirtualRing, at now: Moment
    ) -> RingAnswer
    where
        Subject.Setting == ToggleSetting, Subject.Reading == ToggleSetting,
        Subject.Echo == ToggleSetting
    {
        switch request.action {
        case .read:
            var reading = ToggleSetting(.off)
            reading.enabled = ring.settings[keyPath: setting]
            return .reply(Subject.Reply(.reading(reading)))
        case .write(let written):
            ring.changeMeasuring(at: now) { $0[keyPath: setting] = written.enabled }
            return .reply(Subject.Reply(.written(written)))
        }
    }

    /// The handlers of settings about the wearer and the ring's surface.
    static let otherSettings = [
        RingResponder(UserPreferences.self) { ring, request, _ in
            switch request.action {
            case .read:
                return .reply(UserPreferences.Reply(.reading(ring.settings.preferences)))
            case .write(let preferences):
                ring.settings.preferences = preferences
                let hasOddEcho = ring.profile.quirks.contains(.oddPreferencesEcho)
                return .reply(
                    UserPreferences.Reply(
                        .written(NoFields()), followedBy: hasOddEcho ? [204, 150] : []))
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
                    return .frames([Refusal(of: Display.opcode).frame])
                }
                return .reply(Display.Reply(.reading(display)))
            case .write(let setting):
                ring.settings.display = setting
                return .reply(Display.Reply(.written))
            case .readRaiseToWake: return .reply(Display.Reply(.raiseToWake))
            case .writeRaiseToWake: return .reply(Display.Reply(.raiseToWakeWritten))
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
                return .reply(TouchGesture.Reply(.reading(Reported(request.surface), reading)))
            case .write(let written):
                ring.settings[keyPath: setting] = written
                return .reply(TouchGesture.Reply(.written))
            }
        },
        RingResponder(NotificationSwitches.self) { ring, _, _ in
            let (first, second) = ring.settings.notificationSwitches
            return .reply(NotificationSwitches.Reply(first, second))
        },
        RingResponder(SetNotificationSwitches.self) { ring, request, _ in
            // Assumption: the two bytes have the positions of the reply to a read.
            ring.settings.notificationSwitches = (request.unclaimed[0], request.unclaimed[1])
            return .reply(SetNotificationSwitches.Reply())
        },
        RingResponder(acknowledging: RawCommand.menstruation),
    ]
}
