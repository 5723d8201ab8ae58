internal import HaloProtocol

extension VirtualRing {
    /// The automatic measurements: those that are on and supported by a sensor of the ring.
    var measuring: AutomaticMeasurements {
        let can = Capabilities(profile.capabilities)
        return AutomaticMeasurements(
            heartRateMinutes: settings.heartRateIsOn ? settings.heartRateMinutes : nil,
            bloodOxygen: settings.bloodOxygen.isOn && can.bloodOxygen == true,
            stress: settings.stress.isOn && can.stress == true,
            variability: settings.heartRateVariability.isOn && can.heartRateVariability == true,
            temperature: settings.temperature.isOn && measuresTemperature)
    }

    /// The log that the ring refuses although its capabilities have it.
    var refusedLog: UInt8? {
        let can = Capabilities(profile.capabilities)
        let logs = [
            (can.stress, StressLog.opcode),
            (can.heartRateVariability, HeartRateVariabilityLog.opcode),
        ]
        return anomalies.refused(of: logs.filter { $0.0 == true }.map(\.1))
    }

    /// `true` if the ring measures temperature. An R09 replied with temperatures, although the
    /// capabilities assumed for it have none.
    var measuresTemperature: Bool {
        profile.records[TemperatureSeries.requestID] == .answers
    }

    /// Advances the memory to a moment, and pushes the values stored meanwhile to a connected
    /// central. While the ring is off, nothing is stored.
    mutating func catchUp(at now: Moment) {
        var stored: [StoredEvent] = []
        let listens = link != nil
        memory.advance(
            to: clock.time(at: now), body: &body, worn: isOnFinger && !isOff, isOn: !isOff,
            settings: measuring
        ) { event in
            if listens { stored.append(event) }
        }
        guard listens else { return }
        for event in stored { push(event, at: now) }
        let next = memory.nextStoreTime(body: &body, settings: measuring)
        // At least a microsecond later, so that no two wake-ups have the same reason. At the end of
        // the clock there is no next value.
        storeDue =
            next > memory.now
            ? max(clock.moment(of: next), now.advanced(byMicroseconds: 1)) : nil
    }

    mutating func changeMeasuring(at now: Moment, _ change: (inout RingSettings) -> Void) {
        catchUp(at: now)
        change(&settings)
        catchUp(at: now)
        loadChanged(at: now)
    }

    /// Sets the ring's clock; stored values keep their days.
    mutating func setClock(to time: CivilDateTime, at now: Moment) {
        catchUp(at: now)
        clock.set(to: time, at: now)
        memory.setClock(to: time)
        catchUp(at: now)
        scheduleStepReport(at: now)
    }

    func today(at now: Moment) -> CivilDate { clock.time(at: now).date }

    private func date(_ day: DaysAgo, at now: Moment) -> CivilDate? {
        today(at: now).daysEarlier(day.count)
    }

    func stress(_ day: DaysAgo, at now: Moment) -> [UInt8]? {
        date(day, at: now).flatMap { memory.stress(of: $0) }
    }

    func variability(_ day: DaysAgo, at now: Moment) -> [UInt8]? {
        guard Capabilities(profile.capabilities).heartRateVariability == true else { return nil }
        return date(day, at: now).flatMap { memory.heartRateVariability(of: $0) }
    }

    mutating func totals(at now: Moment) -> TodayTotals.Reply {
        let movement = movementToday(at: now)
        return TodayTotals.Reply(
            steps: UInt24(clamping: movement.steps),
            runningSteps: UInt24(clamping: movement.runningSteps),
            smallCalories: UInt24(clamping: movement.smallCalories),
            metres: UInt24(clamping: movement.metres),
            activeMinutes: UInt16(clamping: movement.activeSeconds / 60))
    }

    mutating func movementToday(at now: Moment) -> Movement {
        catchUp(at: now)
        return memory.totals(of: today(at: now))?.movement ?? .none
    }

    /// The totals of a day in the older format; a day that is not kept is reported as unknown.
    func dailyTotals(_ day: DaysAgo, at now: Moment) -> [Frame] {
        let date = date(day, at: now)
        let totals = date.flatMap { memory.totals(of: $0) }
        let decimal = date.flatMap { try? DecimalDate($0) }
        let movement = totals?.movement ?? .none
        let known =
            totals == nil
            ? nil
            : decimal.flatMap {
                try? DailyTotals.Day(daysAgo: day.count, date: $0)
            }
        return DailyTotals.Reply(
            day: known ?? .unknown,
            movement: DailyTotals.Movement(
                steps: UInt24(clamping: movement.steps),
                runningSteps: UInt24(clamping: movement.runningSteps),
                smallCalories: UInt24(clamping: movement.smallCalories)),
            duration: DailyTotals.Duration(
                metres: UInt24(clamping: movement.metres),
                activeMinutes: UInt16(clamping: movement.activeSeconds / 60),
                sleepMinutes: UInt16(clamping: totals?.sleepMinutes ?? 0))
        ).frames
    }

    /// One bit per day with heart rates or activity, with today as the lowest bit: a guess.
    func daysWithData(at now: Moment) -> UInt32 {
        var days: UInt32 = 0
        for count in 0..<UInt8(UInt32.bitWidth) {
            guard let date = today(at: now).daysEarlier(count) else { break }
            let hasSome = memory.heartRates(of: date) != nil || memory.activity(of: date) != nil
            if hasSome { days |= 1 << UInt32(count) }
        }
        return days
    }

    // MARK: Activity, sleep, manual heart rates

    /// The activity records of a day within the requested slots, or the frame for no data.
    func activityFrames(_ request: ActivityLog.Request, at now: Moment) -> [Frame] {
        let slots = date(request.day, at: now).flatMap { date in
            memory.activity(of: date).map { (date, $0) }
        }
        guard let (date, all) = slots else { return [Self.noActivity] }
        let records = all.filter {
            request.firstSlot <= $0.slot && $0.slot <= request.lastSlot
        }.compactMap { slot in
            try? ActivityLog.Record(
                date: hasYears ? date : Self.withoutYear(date), slot: slot.slot,
                energy: slot.energy, steps: slot.steps, metres: slot.metres)
        }
        guard !records.isEmpty, let reply = try? ActivityLog.Reply(records: records) else {
            return [Self.noActivity]
        }
        return reply.frames
    }

    /// The frame for no activity. Its energy flag is not set, as captured on R02, R10 and R12,
    /// whose records have it.
    private static let noActivity = ActivityLog.Part.noData(
        ActivityLogPart.Header(recordCount: 0, energyUnit: Reported(.smallCalories))
    ).frame

    private var hasYears: Bool { !profile.quirks.contains(.activityWithoutYear) }

    /// The same day in the year 2000, which is sent as 00.
    private static func withoutYear(_ date: CivilDate) -> CivilDate {
        (try? CivilDate(year: 2000, month: date.month, day: date.day)) ?? date
    }

    func bloodOxygen() -> [BloodOxygen.Day] {
        memory.bloodOxygen().compactMap { day in
            let hours = day.values.map { (minimum: $0, maximum: $0) }
            return try? BloodOxygen.Day(daysAgo: day.daysAgo, percent: hours)
        }
    }

    /// The temperatures for a selector. Selector 0 sent today alone in a capture; all days for
    /// other selectors are a choice, which ``RingAnomalies/lateTemperature`` makes for all.
    func temperatures(_ request: TemperatureSeries.Request) -> [TemperatureSeries.Day] {
        let days = memory.temperatures().compactMap { day in
            try? TemperatureSeries.Day(daysAgo: day.daysAgo, values: day.values)
        }
        let isToday = request == .today && !anomalies.kinds.contains(.lateTemperature)
        return isToday ? days.filter { $0.daysAgo == 0 } : days
    }

    func manualHeartRates(daysAgo: UInt8, at now: Moment) -> [ManualHeartRate.Sample] {
        guard let date = today(at: now).daysEarlier(daysAgo) else { return [] }
        return memory.manualHeartRates(of: date).map {
            ManualHeartRate.Sample(time: $0.time, beatsPerMinute: $0.beatsPerMinute)
        }
    }

    /// The nights, and the naps before them if the profile has that quirk.
    ///
    /// The meaning of a request's first byte is not known: apps send 0, 1, 6 and 255. Here it is
    /// the number of days back, which agrees with a capture of an R12 with 0.
    func sleepFrames(_ request: Sleep.Request) -> [BigDataFrame] {
        let most: UInt8 =
            switch request.dialect {
            case .empty: .max
            case .days(let days), .daysAndFlag(let days, _): days
            }
        let nights = memory.sleepPeriods.filter { $0.daysAgo <= most }
        let naps = memory.napPeriods.filter { $0.daysAgo <= most }
        var frames: [BigDataFrame] = []
        if profile.quirks.contains(.napsBeforeNights), let reply = try? Nap.Reply(naps: naps) {
            frames.append(reply.frame)
        }
        if let reply = try? Sleep.Reply(nights: nights) { frames.append(reply.frame) }
        return frames
    }

    /// The blood pressure setting, or the bytes that an R12 sends in its place.
    var bloodPressureReading: BloodPressureSetting.Setting {
        guard profile.quirks.contains(.oddBloodPressureSetting) else {
            return settings.bloodPressure
        }
        var odd = settings.bloodPressure
        odd.enabled = Reported(rawValue: 22)
        odd.period.startHour = 40
        odd.period.startMinute = 0
        odd.period.endHour = 12
        odd.period.endMinute = 0
        odd.minutesPerMeasurement = 0
        return odd
    }
}
