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
        let level = state.holds { $0.batteryLevel(at: $1) }
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
        Question("sleep", record: Sleep.Request.allNights) { reply, state in
            state.holds { $0.sleepFrames(Sleep.Request.allNights, at: $1) }.contains(reply.frame)
        },
        Question("blood oxygen", record: BloodOxygen.Request.allDays) { reply, state in
            reply.days == state.holds { $0.bloodOxygen(at: $1) }
        },
        Question("temperatures", record: TemperatureSeries.Request.today) { reply, state in
            reply.days == state.holds { $0.temperatures(TemperatureSeries.Request.today, at: $1) }
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
                reply, state in reply == state.holds { $0.dailyTotals(day, at: $1) }
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
            log: { HeartRateLog.Request(day: $0.date.advanced(byDays: -daysAgo)) }
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
            let name = "phone \(number % 1000)"
            return Question(
                "name the phone \(name)", isRead: false,
                { _ in
                    (try? PhoneName.Request(platform: .iOS, systemVersion: 18, phoneName: name))
                        ?? PhoneName.Request.nameless
                }
            ) { _, state in state.ring.settings.phoneName == name }
        }
    }
}
