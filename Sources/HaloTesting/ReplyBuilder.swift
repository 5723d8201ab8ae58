import HaloProtocol

/// Makes answers of fuzz bytes by their public initialisers, values first, and has them checked.
enum ReplyBuilder {
    /// The kinds of long answers. New ones come last: inputs name them by their place.
    enum Kind: CaseIterable {
        case heartRateLog, stressLog, heartRateVariabilityLog, hourlySeries, activityLog
        case dailyTotals, bloodOxygen, sleep, workoutSamples
    }

    /// Makes an answer and checks it.
    static func verify(_ kind: Kind, chance: inout FuzzBytes) throws(ContractViolation) {
        switch kind {
        case .heartRateLog:
            let time = CivilDateTime(secondsSince1970: chance.integer())
            try slots(HeartRateLog.self, day: HeartRateLog.Day(time: time), chance: &chance)
        case .stressLog:
            try slots(StressLog.self, day: DaysAgo(chance.byte()), chance: &chance)
        case .heartRateVariabilityLog:
            try slots(HeartRateVariabilityLog.self, day: DaysAgo(chance.byte()), chance: &chance)
        case .hourlySeries:
            try slots(HourlySeries.self, day: DaysAgo(chance.byte()), chance: &chance)
        case .activityLog: try activityLog(&chance)
        case .dailyTotals: try dailyTotals(&chance)
        case .bloodOxygen: try bloodOxygen(&chance)
        case .sleep: try sleep(&chance)
        case .workoutSamples: try workoutSamples(&chance)
        }
    }

    private static func slots<Owner: SlotLogCommand & ManyFrameCommand>(
        _ command: Owner.Type, day: Owner.Day, chance: inout FuzzBytes
    ) throws(ContractViolation) where Owner.Assembly == SlotLogAssembly<Owner> {
        let minutes = chance.byte()
        let samples = chance.bytes(chance.length(upTo: 3400))
        guard
            let log = try? SlotLog<Owner>(
                day: day, minutesPerSample: minutes, samples: samples)
        else { return }
        guard log.values.starts(with: samples) else {
            throw ContractViolation(
                "\(log) does not hold the samples it was made of", packet: "\(Owner.name).Reply",
                bytes: samples)
        }
        try ReplyVerifier.verify(command, log, chance: &chance)
    }

    private static func activityLog(_ chance: inout FuzzBytes) throws(ContractViolation) {
        let date = date(&chance)
        var records: [ActivityLog.Record] = []
        for _ in 0..<chance.byte() where chance.remaining > 0 {
            let record = try? ActivityLog.Record(
                date: date, slot: chance.integer(in: 0...95), energy: chance.integer(),
                steps: chance.integer(), metres: chance.integer())
            if let record { records.append(record) }
        }
        guard let reply = try? ActivityLogReply(records: records) else { return }
        try ReplyVerifier.verify(ActivityLog.self, reply, chance: &chance)
    }

    private static func dailyTotals(_ chance: inout FuzzBytes) throws(ContractViolation) {
        guard let date = try? DecimalDate(date(&chance)),
            let day = try? DailyTotals.Day(daysAgo: chance.integer(in: 0...79), date: date)
        else { return }
        let reply = DailyTotals.Reply(
            day: day,
            movement: DailyTotals.Movement(
                steps: number(&chance), runningSteps: number(&chance), calories: number(&chance)),
            duration: DailyTotals.Duration(
                metres: number(&chance), activeMinutes: chance.integer(),
                sleepMinutes: chance.integer()))
        try ReplyVerifier.verify(DailyTotals.self, reply, chance: &chance)
    }

    private static func bloodOxygen(_ chance: inout FuzzBytes) throws(ContractViolation) {
        var days: [BloodOxygen.Day] = []
        while chance.remaining > 0 {
            let daysAgo = chance.byte()
            var hours: [(least: UInt8, most: UInt8)] = []
            for _ in 0..<24 { hours.append((chance.byte(), chance.byte())) }
            if let day = try? BloodOxygen.Day(daysAgo: daysAgo, percent: hours) { days.append(day) }
        }
        guard let reply = try? BloodOxygen.Reply(days: days) else { return }
        try ReplyVerifier.verify(reply)
    }

    private static func sleep(_ chance: inout FuzzBytes) throws(ContractViolation) {
        var nights: [SleepPeriod] = []
        for _ in 0..<chance.byte() where chance.remaining > 0 {
            guard let start = try? CivilTime(minuteOfDay: chance.integer(in: 0...1439)),
                let end = try? CivilTime(minuteOfDay: chance.integer(in: 0...1439))
            else { continue }
            let daysAgo = chance.byte()
            var stages: [SleepPeriod.Stage] = []
            for _ in 0..<chance.integer(in: 0...130 as ClosedRange<UInt8>) {
                guard let stage = chance.choice(of: SleepStage.allCases) else { continue }
                stages.append(SleepPeriod.Stage(stage, minutes: chance.byte()))
            }
            let night = try? SleepPeriod(daysAgo: daysAgo, start: start, end: end, stages: stages)
            if let night { nights.append(night) }
        }
        guard let reply = try? Sleep.Reply(nights: nights) else { return }
        try ReplyVerifier.verify(reply)
    }

    private static func workoutSamples(_ chance: inout FuzzBytes) throws(ContractViolation) {
        let samples = chance.bytes(chance.length(upTo: 255))
        guard let reply = try? WorkoutSamples.Reply(package: chance.byte(), samples: samples)
        else { return }
        try ReplyVerifier.verify(reply)
    }

    private static func date(_ chance: inout FuzzBytes) -> CivilDate {
        let first2000 = 10_957
        let days = first2000 + chance.integer(in: 0...36_524 as ClosedRange<Int>)
        return (try? CivilDate(daysSince1970: days)) ?? CivilDateTime(secondsSince1970: 0).date
    }

    private static func number(_ chance: inout FuzzBytes) -> UInt24 {
        UInt24(truncating: chance.integer())
    }
}
