internal import HaloProtocol

extension RingResponder {
    /// Creates the handler of a setting, which is read, or written and acknowledged.
    private init<Subject: SettingCommand & SendableMetatype>(
        _ type: Subject.Type, read: @escaping @Sendable (VirtualRing) -> Subject.Reading,
        write: @escaping @Sendable (inout VirtualRing, Subject.Setting, Moment) -> Subject.Echo
    ) {
        self.init(type) { ring, request, now in
            guard let setting = request.setting else {
                return [Subject.Reply(.read, reading: read(ring)).frame]
            }
            return [Subject.Reply(.write, echo: write(&ring, setting, now)).frame]
        }
    }

    /// Creates the handler of a setting whose acknowledgement is empty.
    private init<Subject: SettingCommand & SendableMetatype>(
        _ type: Subject.Type, _ path: any WritableKeyPath<RingSettings, Subject.Setting> & Sendable,
        read: @escaping @Sendable (VirtualRing) -> Subject.Reading
    ) where Subject.Echo == NoFields {
        self.init(type, read: read) { ring, setting, _ in
            ring.settings[keyPath: path] = setting
            return NoFields()
        }
    }

    /// Creates the handler of the switch of an automatic measurement.
    private init<Subject: SettingCommand & SendableMetatype>(
        _ type: Subject.Type,
        switching path: any WritableKeyPath<RingSettings, Reported<SwitchState>> & Sendable
    )
    where
        Subject.Setting == ToggleSetting, Subject.Reading == ToggleSetting,
        Subject.Echo == ToggleSetting
    {
        self.init(type) { ring in
            var reading = ToggleSetting(.off)
            reading.enabled = ring.settings[keyPath: path]
            return reading
        } write: { ring, setting, now in
            ring.changeMeasuring(at: now) { $0[keyPath: path] = setting.enabled }
            return setting
        }
    }

    static let settings = [
        RingResponder(AutoHeartRate.self) { ring in
            AutoHeartRate.Reading(
                isOn: ring.settings.heartRateIsOn,
                minutesPerMeasurement: ring.settings.heartRateMinutes,
                minimumMinutes: ring.settings.leastHeartRateMinutes)
        } write: { ring, setting, now in
            let keepsLogging = ring.profile.quirks.contains(.keepsHeartRateLogging)
            ring.changeMeasuring(at: now) { settings in
                if setting.enabled.isOn || !keepsLogging {
                    settings.heartRateIsOn = setting.enabled.isOn
                }
                // A zero is no interval: the ring keeps the one it had.
                if setting.minutesPerMeasurement > 0 {
                    settings.heartRateMinutes = setting.minutesPerMeasurement
                }
            }
            ring.memory.reviveLogging()
            return ToggleSetting(SwitchState(oneOrTwo: setting.enabled.isOn))
        },
        RingResponder(AutoBloodOxygen.self) { ring in
            var reading = AutoBloodOxygen.Setting(
                .on, minutesPerMeasurement: ring.settings.bloodOxygenMinutes)
            reading.enabled = ring.settings.bloodOxygen
            return reading
        } write: { ring, setting, now in
            ring.changeMeasuring(at: now) { $0.bloodOxygen = setting.enabled }
            var echo = AutoBloodOxygen.Setting(.on)
            echo.enabled = setting.enabled
            return echo
        },
        RingResponder(AutoStress.self, switching: \.stress),
        RingResponder(AutoHeartRateVariability.self, switching: \.heartRateVariability),
        RingResponder(TemperatureSetting.self) { ring, request, now in
            let setting: WritableKeyPath<RingSettings, Reported<SwitchState>> =
                switch request.kind {
                case .temperature: \.temperature
                case .bloodSugar: \.bloodSugar
                case .bloodLipids: \.bloodLipids
                }
            guard let written = request.setting else {
                var reading = ToggleSetting(.off)
                reading.enabled = ring.settings[keyPath: setting]
                return [TemperatureSetting.Reply(request.kind, .read, reading: reading).frame]
            }
            ring.changeMeasuring(at: now) { $0[keyPath: setting] = written.enabled }
            return [TemperatureSetting.Reply(request.kind, .write).frame]
        },
    ]

    static let otherSettings = [
        RingResponder(UserPreferences.self) { ring, request, _ in
            guard let preferences = request.setting else {
                return [UserPreferences.Reply(.read, reading: ring.settings.preferences).frame]
            }
            ring.settings.preferences = preferences
            let rest: InlineBytes =
                ring.profile.quirks.contains(.oddPreferencesEcho) ? [204, 150] : []
            return [UserPreferences.Reply(.write, followedBy: rest).frame]
        },
        RingResponder(Goals.self, \.goals) { $0.settings.goals },
        RingResponder(TemperatureUnit.self, \.temperatureUnit) { $0.settings.temperatureUnit },
        RingResponder(DoNotDisturb.self, \.doNotDisturb) {
            DoNotDisturb.Reading($0.settings.doNotDisturb)
        },
        RingResponder(BloodPressureSetting.self, \.bloodPressure) { $0.bloodPressureReading },
        RingResponder(Display.self) { ring, request, _ in
            switch request.action {
            case .read:
                guard let display = ring.settings.display else {
                    return [Refusal(of: Display.opcode).frame]
                }
                return [Display.Reply(.read, reading: display).frame]
            case .write: ring.settings.display = request.setting
            case .readRaiseToWake, .writeRaiseToWake: break
            }
            return [Display.Reply(request.action).frame]
        },
        RingResponder(TouchGesture.self) { ring, request, _ in
            let setting: WritableKeyPath<RingSettings, TouchGesture.Setting> =
                switch request.surface {
                case .touch: \.touch
                case .gesture: \.gesture
                case .special: \.special
                }
            guard let written = request.setting else {
                let reading = TouchGesture.Reading(
                    request.surface, ring.settings[keyPath: setting])
                return [TouchGesture.Reply(.read, reading: reading).frame]
            }
            ring.settings[keyPath: setting] = written
            // The echo of an R08, by one source; those of other rings are not known.
            let echo = TouchGesture.Reading(request.surface, written)
            return [TouchGesture.Reply(.write, reading: echo).frame]
        },
        RingResponder(NotificationSwitches.self) { ring, _, _ in
            let switches = ring.settings.switchBytes
            return [NotificationSwitches.Reply(switches[0], switches[1]).frame]
        },
        RingResponder(SetNotificationSwitches.self) { ring, request, _ in
            // Assumption: the two bytes have the positions of the reply to a read.
            ring.settings.switchBytes = [request.unclaimed[0], request.unclaimed[1]]
            return [SetNotificationSwitches.Reply().frame]
        },
        RingResponder(acknowledging: RawCommand.menstruation),
    ]
}
