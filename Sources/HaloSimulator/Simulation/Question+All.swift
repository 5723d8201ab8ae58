internal import HaloProtocol

extension Question {
    /// One of them, reads more often than writes.
    static func any(_ random: inout ScenarioRandom) -> Question {
        if random.happens(inHundred: 25) { return anyWrite(&random) }
        if random.happens(inHundred: 45) { return anyLog(&random) }
        return random.pick(settings + records) ?? battery
    }

    /// How full the battery is: what is asked last, too.
    static let battery = Question("battery", { _ in Battery.Request() }) { reply, state in
        let level = state.holds { ring, _ in ring.batteryLevel }
        return reply.percent == level.percent && reply.charging == Reported(level.charging)
    }

    private static let settings = [
        battery,
        Question("totals of today", { _ in TodayTotals.Request() }) { reply, state in
            reply == state.holds { $0.totals(at: $1) }
        },
        Question("functions", { _ in DeviceFunctions.Request() }) { reply, state in
            reply == state.ring.profile.functions
        },
        Question("goals", { _ in Goals.Request.read }) { reply, state in
            reply.reading == state.ring.settings.goals
        },
        Question("automatic heart rate", { _ in AutoHeartRate.Request.read }) { reply, state in
            reply.reading?.enabled.isOn == state.ring.settings.heartRateIsOn
                && reply.reading?.minutesPerMeasurement == state.ring.settings.heartRateMinutes
        },
        Question("automatic stress", { _ in AutoStress.Request.read }) { reply, state in
            reply.reading?.enabled == state.ring.settings.stress
        },
        Question("do not disturb", { _ in DoNotDisturb.Request.read }) { _, _ in true },
    ]

    private static let records = [
        // Nights and naps are records of their own; that one of them is lost nobody can know.
        Question.sleep(.allNights) { history, state in
            let records = state.holds { $0.sleepFrames(.allNights, at: $1) }
            let nights = records.compactMap { try? Sleep.Reply(decoding: $0).nights }.joined()
            let naps = records.compactMap { try? Nap.Reply(decoding: $0).naps }.joined()
            return (history.nights.isEmpty || history.nights == Array(nights))
                && (history.naps.isEmpty || history.naps == Array(naps))
        },
        Question("blood oxygen", record: BloodOxygen.Request.allDays) { reply, state in
            reply.days == state.holds { $0.bloodOxygen(at: $1) }
        },
        Question.temperatures(.today) { reply, state in
            reply.days == state.holds { $0.temperatures(.today, at: $1) }
        },
        Question("heart rates measured by hand", record: ManualHeartRate.Request.today) {
            reply, state in
            reply.samples == state.holds { $0.manualHeartRates(daysAgo: 0, at: $1) }
        },
    ]

    private static func anyLog(_ random: inout ScenarioRandom) -> Question {
        let daysAgo = random.below(5)
        let day = DaysAgo(UInt8(truncatingIfNeeded: daysAgo))
        switch random.below(6) {
        case 0:
            return Question("totals of \(day)", log: { _ in DailyTotals.Request(day: day) }) {
                reply, state in reply.frames == state.holds { $0.dailyTotals(day, at: $1) }
            }
        case 1:
            return Question("stress of \(day)", log: { _ in StressLog.Request(day: day) }) {
                reply, state in
                holds(reply.samples, state.holds { $0.stress(day, at: $1) })
            }
        case 2:
            return Question(
                "heart-rate variability of \(day)",
                log: { _ in HeartRateVariabilityLog.Request(day: day) }
            ) { reply, state in
                holds(reply.samples, state.holds { $0.variability(day, at: $1) })
            }
        case 3:
            let request = ActivityLog.Request(day: day)
            return Question("activity of \(day)", log: { _ in request }) { reply, state in
                reply.frames == state.holds { $0.activityFrames(request, at: $1) }
            }
        default: return heartRates(daysAgo: daysAgo)
        }
    }

    private static func heartRates(daysAgo: Int) -> Question {
        Question(
            "heart rates of \(daysAgo) days ago",
            log: { HeartRateLog.Request(day: $0.date.advanced(byDays: -daysAgo) ?? $0.date) }
        ) { reply, state in
            holds(
                reply.samples, state.holds { $0.heartRates(of: reply.day.time.date, at: $1) })
        }
    }

    /// Whether samples are those of a device; what an answer has behind them is padding.
    private static func holds(_ samples: some Sequence<UInt8>, _ held: [UInt8]?) -> Bool {
        guard let held else { return false }
        return Array(samples.prefix(held.count)) == held
    }

    private static func anyWrite(_ random: inout ScenarioRandom) -> Question {
        let number = random.next()
        switch random.below(5) {
        case 0: return setGoals(steps: UInt24(truncating: number))
        case 1: return setAutoHeartRate(minutes: UInt8(truncatingIfNeeded: number % 60) + 1)
        case 2:
            let toggle = Toggle(number & 1 == 0)
            return Question(
                "set automatic stress \(toggle.label)", isRead: false,
                { _ in AutoStress.Request.write(ToggleSetting(toggle)) }
            ) { reply, state in
                reply.content == .written(ToggleSetting(toggle))
                    && state.ring.settings.stress == Reported(toggle)
            }
        case 3: return setTime(secondsOff: Int(truncatingIfNeeded: number % 7200) - 3600)
        default:
            return namePhone("phone \(number % 1000)")
        }
    }

    private static func setGoals(steps: UInt24) -> Question {
        let goals = Goals.Setting(steps: steps, calories: 300_000, metres: 3000)
        return Question(
            "set goals to \(steps) steps", isRead: false, { _ in Goals.Request.write(goals) }
        ) { _, state in state.ring.settings.goals == goals }
    }

    private static func setAutoHeartRate(minutes: UInt8) -> Question {
        guard let setting = try? AutoHeartRate.Setting(isOn: true, minutesPerMeasurement: minutes)
        else { return battery }
        return Question(
            "set automatic heart rate to \(minutes) min", isRead: false,
            { _ in AutoHeartRate.Request.write(setting) }
        ) { _, state in state.ring.settings.heartRateMinutes == minutes }
    }

    private static func setTime(secondsOff: Int) -> Question {
        Question(
            "set the clock, \(secondsOff) s off", isRead: false,
            { try? SetTime.Request(time: $0.advanced(bySeconds: secondsOff)) }
        ) { reply, state in reply == state.ring.profile.capabilities }
    }

    private static func namePhone(_ name: String) -> Question {
        Question(
            "name the phone \(name)", isRead: false,
            { _ in try? PhoneName.Request(platform: .iOS, systemVersion: 18, phoneName: name) }
        ) { _, state in state.ring.settings.phoneName == name }
    }
}
