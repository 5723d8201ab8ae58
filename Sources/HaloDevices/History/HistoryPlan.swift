internal import HaloProtocol

/// The requests of a long read, in their order: the days of each log, then what comes at once.
struct HistoryPlan: Sendable {
    let steps: [HistoryStep]

    /// Everything of the last days; there are at least one and at most 30 of them.
    init(days: Int) {
        var steps: [HistoryStep] = [.totals, .bloodOxygen, .temperature, .sleep, .workouts]
        for count in 0..<UInt8(clamping: min(max(days, 1), Self.mostDays)) {
            let day = DaysAgo(count)
            steps += [.heartRate(day), .stress(day), .variability(day), .activity(day)]
        }
        self.steps = steps
    }

    /// One request alone.
    init(_ step: HistoryStep) {
        steps = [step]
    }

    /// Rings accept no more of any log.
    static var mostDays: Int { 30 }
}

extension HistoryStep {
    static func heartRate(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.heartRate, .dates, day) { aim in
            Inquiry(HeartRateLog.Request(day: aim.day))
        } _: { reply, context, history in
            history.heartRates += context.samples(
                of: reply.day.time.date, reply.slots, reply.samples
            ) { Int($0) }
        }
    }

    static func stress(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.stress, .daysAgo, day) { aim in
            Inquiry(StressLog.Request(day: aim.daysAgo))
        } _: { reply, context, history in
            history.stress += context.samples(
                of: context.day, reply.slots, reply.samples
            ) { Int($0) }
        }
    }

    static func variability(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.variability, .daysAgo, day) { aim in
            Inquiry(HeartRateVariabilityLog.Request(day: aim.daysAgo))
        } _: { reply, context, history in
            history.variability += context.samples(
                of: context.day, reply.slots, reply.samples
            ) { Int($0) }
        }
    }

    static func activity(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.activity, .daysAgo, day) { aim in
            Inquiry(ActivityLog.Request(day: aim.daysAgo))
        } today: { reply, aim in
            guard let date = reply.records.first?.date.date, !(aim.isAssumed && date.isWithoutYear)
            else { return nil }
            return date.withYear(near: aim.day).advanced(byDays: Int(aim.daysAgo.count))
        } _: { reply, context, history in
            for record in reply.records {
                guard let date = record.date.date?.withYear(near: context.today),
                    let start = record.start
                else { continue }
                let amount = ActivityAmount(
                    steps: Int(record.steps), metres: Int(record.metres),
                    kilocalories: reply.kilocalories(of: record))
                context.append(
                    date, start, minutes: Int(ActivityLog.slots.minutesPerSlot), amount,
                    to: &history.activity)
            }
        }
    }

    static var bloodOxygen: HistoryStep {
        HistoryStep(.bloodOxygen, .severalDaysAgo) { _ in
            Inquiry(BloodOxygen.Request.allDays)
        } _: { reply, context, history in
            for day in reply.days {
                guard let date = context.date(day.daysAgo) else { continue }
                for hour in 0..<HourlyRanges.hours where day.most(hour: hour) != 0 {
                    guard let start = try? CivilTime(hour: hour, minute: 0) else { continue }
                    let range = BloodOxygenRange(
                        least: Int(day.least(hour: hour)), most: Int(day.most(hour: hour)))
                    context.append(date, start, minutes: 60, range, to: &history.bloodOxygen)
                }
            }
        }
    }

    static var temperature: HistoryStep {
        HistoryStep(.temperature, .severalDaysAgo) { _ in
            Inquiry(TemperatureSeries.Request.today)
        } _: { reply, context, history in
            for day in reply.days {
                guard let date = context.date(day.daysAgo) else { continue }
                for slot in day.values.indices {
                    guard let celsius = day.celsius(slot: slot),
                        let start = day.slots.start(of: slot)
                    else { continue }
                    context.append(
                        date, start, minutes: Int(day.minutesPerSlot), celsius,
                        to: &history.temperatures)
                }
            }
        }
    }

    static var workouts: HistoryStep {
        HistoryStep(.workouts, .dates) { _ in
            Inquiry(WorkoutList.Request.all)
        } _: { reply, context, history in
            history.workouts += reply.workouts.reversed().map {
                WorkoutRecord($0, dialect: context.dialect, clocks: context.clocks)
            }
        }
    }

    static var totals: HistoryStep {
        HistoryStep(.totals, .today) { _ in
            Inquiry(TodayTotals.Request())
        } _: { reply, _, history in
            history.totals = reply
        }
    }
}
