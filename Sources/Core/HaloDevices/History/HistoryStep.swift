internal import HaloProtocol

extension HistoryStep {
    static func heartRate(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.heartRate, .dates, day) { aim in
            RingRequest(HeartRateLog.Request(day: aim.day))
        } _: { reply, context, history in
            history.heartRates += context.samples(
                of: reply.day.time.date, reply.slots, reply.samples)
        }
    }

    static func stress(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.stress, .daysAgo, day) { aim in
            RingRequest(StressLog.Request(day: aim.daysAgo))
        } _: { reply, context, history in
            history.stress += context.samples(of: context.day, reply.slots, reply.samples)
        }
    }

    static func heartRateVariability(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.heartRateVariability, .daysAgo, day) { aim in
            RingRequest(HeartRateVariabilityLog.Request(day: aim.daysAgo))
        } _: { reply, context, history in
            history.heartRateVariability += context.samples(
                of: context.day, reply.slots, reply.samples)
        }
    }

    static func activity(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.activity, .daysAgo, day) { aim in
            RingRequest(ActivityLog.Request(day: aim.daysAgo))
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
            RingRequest(BloodOxygen.Request.allDays)
        } _: { reply, context, history in
            for day in reply.days {
                guard let date = context.date(day.daysAgo) else { continue }
                context.note(date, of: .bloodOxygen, in: &history)
                for hour in 0..<HourlyRanges.hours where day.maximum(hour: hour) != 0 {
                    guard let start = try? CivilTime(hour: hour, minute: 0) else { continue }
                    let range = BloodOxygenRange(
                        lowestPercent: Int(day.minimum(hour: hour)),
                        highestPercent: Int(day.maximum(hour: hour)))
                    context.append(date, start, minutes: 60, range, to: &history.bloodOxygen)
                }
            }
        }
    }

    static var temperature: HistoryStep {
        HistoryStep(.temperature, .severalDaysAgo) { _ in
            RingRequest(TemperatureSeries.Request.today)
        } _: { reply, context, history in
            for day in reply.days {
                guard let date = context.date(day.daysAgo) else { continue }
                context.note(date, of: .temperature, in: &history)
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
            RingRequest(WorkoutList.Request.all)
        } _: { reply, context, history in
            for workout in reply.workouts.reversed() {
                let record = WorkoutRecord(
                    workout, dialect: context.dialect, clocks: context.clocks)
                if let start = record.start {
                    context.note(start.date, of: .workouts, in: &history)
                    guard context.includes(start) else { continue }
                }
                history.workouts.append(record)
            }
        }
    }

    static var totals: HistoryStep {
        HistoryStep(.totals, .today) { _ in
            RingRequest(TodayTotals.Request())
        } _: { reply, context, history in
            guard context.clocks?.isWrong(sumOf: context.today) != true else { return }
            history.totals = ActivityTotals(reply)
        }
    }
}

struct HistoryStep: Sendable {
    /// The way in which the days of a reply are known.
    enum Dating: Hashable, Sendable {
        case dates
        /// The reply is of one day, counted back from the ring's today.
        case daysAgo
        /// The reply is of the ring's today.
        case today
        /// The reply is of several days, each counted back from the ring's today.
        case severalDaysAgo
    }

    let kind: HistoryKind
    /// The days between the wanted day and the day of the read; `nil` if the step is not of one
    /// day.
    let day: DaysAgo?
    let dating: Dating
    /// Returns the requests; the form is the one for sleep to which the ring has replied before.
    let requests: @Sendable (HistoryContext, SleepRequestForm?) -> HistoryRequests

    /// `true` if the step is of one day: of ``day``, or of today.
    var isOfOneDay: Bool { day != nil || dating == .today }

    static var sleep: HistoryStep {
        HistoryStep(kind: .sleep, day: nil, dating: .severalDaysAgo) { aim, form in
            HistoryRequests(forSleep: aim.dialect, answeredBefore: form)
        }
    }
}

extension HistoryStep {
    /// - Parameter today: Returns the ring's today if the reply contains it.
    init<Value: Sendable>(
        _ kind: HistoryKind, _ dating: Dating, _ day: DaysAgo? = nil,
        _ request: @escaping @Sendable (HistoryContext) -> RingRequest<Value>,
        today: @escaping @Sendable (Value, HistoryContext) -> CivilDate? = { _, _ in nil },
        _ add: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        self.init(kind: kind, day: day, dating: dating) { aim, _ in
            HistoryRequests(
                request(aim).map { reply in
                    HistoryReply(today: today(reply, aim)) { add(reply, $0, &$1) }
                })
        }
    }
}
