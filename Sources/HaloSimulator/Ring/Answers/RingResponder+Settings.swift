internal import HaloProtocol

extension RingResponder {
    /// Settings that switch measurements on and off.
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
                                leastMinutes: settings.leastHeartRateMinutes))))
            case .write(let setting):
                ring.changeMeasuring(at: now) { settings in
                    settings.heartRateIsOn = setting.enabled.isOn
                    // Zero is no interval: the ring keeps the one that it had.
                    if setting.minutesPerMeasurement > 0 {
                        settings.heartRateMinutes = setting.minutesPerMeasurement
                    }
                }
                return .reply(
                    AutoHeartRate.Reply(
                        .written(ToggleSetting(Toggle(oneOrTwo: setting.enabled.isOn)))))
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
            .reply(toggle(AutoStress.self, request, \.stress, of: &ring, at: now))
        },
        RingResponder(AutoHeartRateVariability.self) { ring, request, now in
            .reply(
                toggle(AutoHeartRateVariability.self, request, \.variability, of: &ring, at: now))
        },
        RingResponder(TemperatureSetting.self) { ring, request, now in
            let setting: WritableKeyPath<RingSettings, Reported<Toggle>> =
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

    private static func toggle<Subject: SettingCommand>(
        _ type: Subject.Type, _ request: Subject.Request,
        _ setting: WritableKeyPath<RingSettings, Reported<Toggle>>,
        of ring: inout VirtualRing, at now: Moment
    ) -> Subject.Reply
    where
        Subject.Setting == ToggleSetting, Subject.Reading == ToggleSetting,
        Subject.Echo == ToggleSetting
    {
        switch request.action {
        case .read:
            var reading = ToggleSetting(.off)
            reading.enabled = ring.settings[keyPath: setting]
            return Subject.Reply(.reading(reading))
        case .write(let written):
            ring.changeMeasuring(at: now) { $0[keyPath: setting] = written.enabled }
            return Subject.Reply(.written(written))
        }
    }
}
