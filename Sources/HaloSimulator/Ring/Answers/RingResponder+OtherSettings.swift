internal import HaloProtocol

extension RingResponder {
    /// Settings about the wearer and the ring's surface.
    static let otherSettings = [
        RingResponder(UserPreferences.self) { ring, request, _ in
            switch request.action {
            case .read:
                return .reply(UserPreferences.Reply(.reading(ring.settings.preferences)))
            case .write(let preferences):
                ring.settings.preferences = preferences
                let odd: InlineBytes =
                    ring.profile.quirks.contains(.oddPreferencesEcho) ? [204, 150] : []
                return .reply(UserPreferences.Reply(.written(NoFields()), followedBy: odd))
            }
        },
        RingResponder(Goals.self) { ring, request, _ in
            switch request.action {
            case .read:
                return .reply(Goals.Reply(.reading(ring.settings.goals)))
            case .write(let goals):
                ring.settings.goals = goals
                return .reply(Goals.Reply(.written(NoFields())))
            }
        },
        RingResponder(TemperatureUnit.self) { ring, request, _ in
            switch request.action {
            case .read:
                return .reply(TemperatureUnit.Reply(.reading(ring.settings.temperatureUnit)))
            case .write(let unit):
                ring.settings.temperatureUnit = unit
                return .reply(TemperatureUnit.Reply(.written(NoFields())))
            }
        },
        RingResponder(DoNotDisturb.self) { ring, request, _ in
            switch request.action {
            case .read:
                let reading = DoNotDisturb.Reading(ring.settings.doNotDisturb)
                return .reply(DoNotDisturb.Reply(.reading(reading)))
            case .write(let setting):
                ring.settings.doNotDisturb = setting
                return .reply(DoNotDisturb.Reply(.written(NoFields())))
            }
        },
        RingResponder(BloodPressureSetting.self) { ring, request, _ in
            switch request.action {
            case .read:
                return .reply(BloodPressureSetting.Reply(.reading(ring.bloodPressureReading)))
            case .write(let setting):
                ring.settings.bloodPressure = setting
                return .reply(BloodPressureSetting.Reply(.written(NoFields())))
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
            // That the two bytes stand as in the answer to a read is an assumption.
            ring.settings.notificationSwitches = (request.unclaimed[0], request.unclaimed[1])
            return .reply(SetNotificationSwitches.Reply())
        },
        RingResponder(Menstruation.self) { _, _, _ in .reply(Menstruation.Reply()) },
    ]
}
