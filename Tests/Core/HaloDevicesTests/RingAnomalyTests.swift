import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// What the client reads of rings with anomalies: what they store, and nothing else.
@Suite(.passesTime) struct RingAnomalyTests {
    /// Connects to a ring that was worn for four days until 21:00.
    private static func bench(
        _ anomalies: RingAnomalies, _ profile: RingProfile = .r10, seed: UInt64 = 1,
        isWorn: Bool = true, hour: Int = 21, options: RingOptions = .keeping()
    ) async throws -> RingBench {
        try await RingBench.connected(
            profile, days: 4,
            startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: (hour - 9) * 3600),
            device: VirtualRingOptions(seed: seed, isWorn: isWorn, anomalies: anomalies),
            options: options)
    }

    /// Reads such a ring, which has to hold all that was read.
    private static func history(
        _ anomalies: RingAnomalies, _ profile: RingProfile = .r10, seed: UInt64 = 1,
        isWorn: Bool = true, hour: Int = 21
    ) async throws -> RingHistory {
        let bench = try await bench(anomalies, profile, seed: seed, isWorn: isWorn, hour: hour)
        let before = bench.worn.state?.history
        let history = try await bench.ring.history()
        let truth = HistoryTruth(before, bench.worn.state?.history)
        #expect(truth.faults(of: history) == [])
        await bench.ring.disconnect()
        return history
    }

    private static func hours(_ from: CivilDateTime, _ to: CivilDateTime) -> Double {
        Double(Int(to.secondsSince1970) - Int(from.secondsSince1970)) / 3600
    }

    // MARK: Logging that stalls

    @Test func heartRatesAndTemperaturesStopTogether() async throws {
        let history = try await Self.history(.stalledLogging)
        let now = try #require(history.readAt)
        let beat = try #require(history[.heartRate].last)
        let warmth = try #require(history[.temperature].last)
        #expect(6...40 ~= Self.hours(beat.time, now) - 0.1, "\(beat.time)")
        #expect(abs(Self.hours(beat.time, warmth.time)) <= 0.5)
        for last in [history[.stress].last?.time, history[.heartRateVariability].last?.time] {
            #expect(Self.hours(try #require(last), now) < 2)
        }
        #expect(Self.hours(try #require(history[.bloodOxygen].last).time, now) < 2)
        #expect(history.coverage[.heartRate, history.today] == .read)
    }

    @Test func aWrongClockDoesNotChangeTheStall() async throws {
        let bench = try await Self.bench([.stalledLogging, .clockAhead])
        let old = try #require(bench.ring.historyBeforeClockChange)
        let now = try #require(old[.stress].last).time
        #expect(5...42 ~= Self.hours(try #require(old[.heartRate].last).time, now))
    }

    @Test func loggingIsRevivedByItsSetting() async throws {
        let bench = try await Self.bench(.stalledLogging)
        try await bench.pass(.seconds(3600))
        let stalled = try await bench.ring.history([.heartRate, .temperature], days: 1)
        let logging = try await bench.ring.setting(.heartRateLog)
        try await bench.ring.set(.heartRateLog, to: logging)
        try await bench.pass(.seconds(3600))
        let revived = try await bench.ring.history([.heartRate, .temperature], days: 1)
        #expect(10...13 ~= revived[.heartRate].count - stalled[.heartRate].count)
        #expect(1...3 ~= revived[.temperature].count - stalled[.temperature].count)
    }

    /// An R09 dates its activity without a year; its stored heart rates tell it, also if they hang.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aRingWithoutYearsIsDatedAlthoughItsLoggingHangs(_ seed: UInt64) async throws {
        let bench = try await Self.bench(.stalledLogging, .r03, seed: seed)
        #expect(bench.ring.historyBeforeClockChange == nil, "the clock was right")
        #expect(bench.ring.clock.wasSet && bench.ring.clocks.allSatisfy { $0.shift == nil })
    }

    // MARK: Lost slots, split nights, idle hours, the end of stress

    @Test func slotsAreMissing() async throws {
        let plain = try await Self.history([])
        let history = try await Self.history(.lostSlots)
        let times = Set(plain[.heartRate].map(\.time))
        #expect(history[.heartRate].allSatisfy { times.contains($0.time) })
        let lost = 1 - Double(history[.heartRate].count) / Double(plain[.heartRate].count)
        #expect(0.03...0.35 ~= lost)
        #expect(history[.stress].count < plain[.stress].count)
        #expect(history[.bloodOxygen].count < plain[.bloodOxygen].count)
        // Each kind loses slots of its own.
        let beats = Set(history[.heartRate].map(\.time))
        let strain = Set(history[.stress].map(\.time))
        let both = plain[.stress].map(\.time).filter(times.contains)
        #expect(both.contains { beats.contains($0) && !strain.contains($0) })
        #expect(both.contains { strain.contains($0) && !beats.contains($0) })
        #expect(history[.activity] == plain[.activity])
        #expect(history.coverage == plain.coverage)
    }

    @Test func aNightIsTwoSessions() async throws {
        let whole = try await Self.history([]).sleep.filter { !$0.isNap }
        let split = try await Self.history(.splitNights).sleep.filter { !$0.isNap }
        #expect(split.count > whole.count)
        for night in whole {
            let parts = split.filter { night.start <= $0.start && $0.end <= night.end }
            #expect(1...2 ~= parts.count)
            #expect(parts.first?.start == night.start && parts.last?.end == night.end)
            guard parts.count == 2 else { continue }
            #expect(3...9 ~= Int((Self.hours(parts[0].end, parts[1].start) * 60).rounded()))
            for part in parts {
                let minutes = part.stages.reduce(0) { $0 + $1.minutes }
                #expect(part.start.advanced(bySeconds: minutes * 60) == part.end)
            }
        }
    }

    @Test func hoursWithoutStepsAreLeftOut() async throws {
        let plain = try await Self.history([])
        let history = try await Self.history(.omittedIdleHours)
        #expect(plain[.activity].contains { $0.value.steps == 0 }, "a ride has no steps")
        #expect(history[.activity] == plain[.activity].filter { $0.value.steps > 0 })
        #expect(history.totals == plain.totals)
    }

    @Test func stressEndsHoursBeforeTheDay() async throws {
        let plain = try await Self.history([], hour: 23)
        let history = try await Self.history(.earlyEndOfStress, hour: 23)
        var ends: Set<Int> = []
        for day in history.coverage.dates(of: .stress, .read).dropLast() {
            let stress = history[.stress].filter { $0.time.date == day }
            let last = try #require(stress.last?.time)
            let beat = try #require(history[.heartRate].last { $0.time.date == day }?.time)
            #expect(2.5...11.5 ~= Self.hours(last, beat))
            #expect(stress == plain[.stress].filter { $0.time.date == day && $0.time <= last })
            ends.insert(last.time.hour)
        }
        #expect(ends.count > 1, "no day is like another")
        #expect(history[.heartRate] == plain[.heartRate])
        #expect(history[.heartRateVariability] == plain[.heartRateVariability])
    }

    // MARK: Temperatures of completed days

    @Test func temperaturesOfTodayComeInTheLateEvening() async throws {
        let evening = try await Self.history(.lateTemperature, hour: 21)
        let yesterday = try #require(evening.today.daysEarlier(1))
        #expect(Set(evening.temperatures.map(\.time.date)) == [yesterday])
        #expect(evening.coverage[.temperature, evening.today] == .noData)
        #expect(evening.coverage[.temperature, yesterday] == .read)
        #expect(evening.isComplete)
        let night = try await Self.history(.lateTemperature, hour: 22)
        #expect(Set(night.temperatures.map(\.time.date)) == [yesterday, night.today])
        #expect(night.coverage[.temperature, night.today] == .read)
    }

    /// The day that was not there yet is in the next read that begins with it.
    @Test func noTemperatureIsLostBetweenReads() async throws {
        let bench = try await Self.bench(.lateTemperature)
        var kept = try await bench.ring.history([.temperature])
        let first = kept.today
        try await bench.pass(.seconds(20 * 3600))
        kept.merge(try await bench.ring.history([.temperature], since: kept.today))
        #expect(kept[.temperature].count { $0.time.date == first } == 48)
        #expect(kept.coverage[.temperature, first] == .read)
    }

    // MARK: The battery, the clock, the finger, the promise

    @Test func theBatteryJumps() async throws {
        let bench = try await Self.bench(.jumpingBattery)
        var levels: [Int] = []
        for _ in 0..<30 {
            levels.append(try await bench.ring.battery().percent)
            try await bench.pass(.seconds(60))
        }
        let sags = levels.map { 80 - $0 }
        #expect(sags.allSatisfy { 0...2 ~= $0 || 10...17 ~= $0 }, "\(levels)")
        #expect(sags.contains { $0 < 5 } && sags.contains { $0 >= 10 })
        #expect(zip(levels, levels.dropFirst()).contains { $0 < $1 }, "without a charger")
    }

    @Test(arguments: RingProfile.all)
    func aClockThreeYearsAheadGivesNoDateInTheFuture(_ profile: RingProfile) async throws {
        let bench = try await Self.bench(.clockAhead, profile)
        let today = bench.air.time.wallClock().local.date
        try await bench.pass(.seconds(40 * 3600))
        let history = try await bench.ring.history(days: 30)
        let truth = HistoryTruth(bench.worn.state?.history)
        #expect(truth.faults(of: history).isEmpty)
        #expect(history[.heartRate].allSatisfy { $0.time.date >= today })
        #expect(Set(history[.heartRate].map(\.time.date)).count == 3)
        #expect(history[.activity].allSatisfy { today <= $0.time.date })
        #expect(history[.sleep].allSatisfy { today <= $0.end.date })
        #expect(history.clockShift == nil && bench.ring.clock.wasSet)
        #expect(try #require(history.readAt) <= bench.air.time.wallClock().local)
    }

    /// A ring that dates its activity without a year does not tell that its clock is ahead.
    @Test(arguments: [RingProfile.r10, .r03])
    func aClockAheadThatIsLeftAloneGivesItsOwnDatesOrNone(_ profile: RingProfile) async throws {
        let bench = try await Self.bench(
            .clockAhead, profile, options: RingOptions(clock: .leave))
        let history = try await bench.ring.history(days: 2)
        #expect(HistoryTruth(bench.worn.state?.history).faults(of: history) == [])
        if profile == .r10 {
            #expect(history.clockShift?.days == -1096 && history.isComplete)
            #expect(history[.heartRate].allSatisfy { $0.time.date.year == 2029 && $0.utc == nil })
        } else {
            #expect(history[.heartRate].isEmpty && history[.stress].isEmpty)
            #expect(history.failures.allSatisfy { $0.error.kind == .uncertainDay })
            #expect(!history.isComplete)
        }
    }

    @Test func valuesOfAClockThreeYearsAheadAreOnesOfThisWeek() async throws {
        let plain = try await Self.history([])
        let bench = try await Self.bench(.clockAhead)
        let old = try #require(bench.ring.historyBeforeClockChange)
        let shift = try #require(old.clockShift)
        #expect(old.today.year == plain.today.year + 3)
        #expect(shift.days == -1096 && !shift.mayBeTimeZoneChange)
        let moved = old.moved(byDays: shift.days)
        #expect(moved.today == plain.today)
        #expect(moved[.heartRate].map(\.time.date).min() == plain[.heartRate].first?.time.date)
        // The body of the wearer follows the wearer's clock.
        #expect(
            moved[.heartRate].map(\.value).prefix(500) == plain[.heartRate].map(\.value).prefix(500)
        )
        #expect(moved[.sleep].map(\.end) == plain[.sleep].map(\.end))
    }

    @Test func heartRatesAreStoredWithoutAFinger() async throws {
        let drawer = try await Self.history([], isWorn: false)
        #expect(drawer[.heartRate].isEmpty)
        let history = try await Self.history(.unwornHeartRates, isWorn: false)
        #expect(history[.heartRate].count > 400)
        #expect(history[.heartRate].allSatisfy { 45...105 ~= $0.value })
        #expect(Set(history[.heartRate].map(\.value)).count > 20)
        #expect(history[.stress].isEmpty && history[.activity].isEmpty && history[.sleep].isEmpty)
        let worn = try await Self.history(.unwornHeartRates)
        #expect(worn == (try await Self.history([])))
    }

    @Test func aRefusedLogIsNotSupportedWhateverIsPromised() async throws {
        var refused: Set<HistoryKind> = []
        for seed: UInt64 in 1...8 {
            let bench = try await Self.bench(.refusedAbility, seed: seed)
            let can = bench.ring.capabilities
            #expect(can.stress == true && can.heartRateVariability == true)
            let history = try await bench.ring.history(days: 2)
            #expect(history.isComplete && history.unsupported.count == 1)
            let kind = try #require(history.unsupported.first)
            refused.insert(kind)
            #expect(history.coverage.dates(of: kind, .unsupported).count == 2)
            let request =
                kind == .stress
                ? StressLog.Request(day: .today).frame
                : HeartRateVariabilityLog.Request(day: .today).frame
            #expect(
                bench.worn.state?.answers(to: request) == [Refusal(of: request.opcode).frame])
        }
        #expect(refused == [.stress, .heartRateVariability])
    }

    // MARK: The seed

    @Test func theSeedDecides() async throws {
        let all = RingAnomalies.all.subtracting(.clockAhead)
        let first = try await Self.history(all, seed: 5)
        #expect(try await Self.history(all, seed: 5) == first)
        let other = try await Self.history(all, seed: 6)
        #expect(other[.heartRate] != first[.heartRate] && other[.sleep] != first[.sleep])
    }

    /// Every history of a bad week is dated, in order, and complete but for what a ring refuses.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func badWeeksAreReadAsTheyAre(_ seed: UInt64) async throws {
        let options = VirtualRingOptions.badWeek(seed: seed)
        let profile = RingProfile.all[Int(seed % 5)]
        let bench = try await RingBench.connected(profile, days: 7, seed: seed, device: options)
        let before = bench.worn.state?.history
        let history = try await bench.ring.history()
        let truth = HistoryTruth(before, bench.worn.state?.history)
        let words = "\(profile): \(options.anomalies)"
        #expect(truth.faults(of: history) == [], "\(words)")
        #expect(history.isComplete, "\(words): \(history.failures)")
        let now = bench.air.time.wallClock().local
        #expect(history.today == now.date, "\(words)")
        #expect(history[.heartRate].allSatisfy { $0.time <= now }, "\(words)")
        await bench.ring.disconnect()
    }
}
