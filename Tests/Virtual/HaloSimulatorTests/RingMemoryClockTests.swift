import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// The retention, and the effects of setting the clock.
@Suite(.passesTime) struct RingMemoryClockTests {
    private let wearer = Wearer(seed: 7, restingHeartRate: 58)
    private let noon = WearerWeek.time(WearerWeek.days[6], 43_200)
    private var body: BodyClock

    init() { body = BodyClock(wearer) }

    private mutating func week(_ retention: RingRetention = RingRetention()) -> RingMemory {
        RingMemory(
            retention: retention, wornFor: 7, until: noon, wearerTime: noon, body: &body)
    }

    @Test mutating func daysBeyondTheRetentionAreNotShown() {
        let memory = week()
        let shown = (0...9).map { daysAgo in
            let date = WearerWeek.date(20_779 - UInt32(daysAgo))
            return [
                memory.heartRates(of: date) != nil, memory.stress(of: date) != nil,
                memory.heartRateVariability(of: date) != nil, memory.activity(of: date) != nil,
                memory.totals(of: date) != nil,
            ]
        }
        for (daysAgo, shown) in shown.enumerated() {
            #expect(
                shown == [
                    daysAgo < 4, daysAgo < 4, daysAgo < 4, daysAgo < 7, daysAgo < 7,
                ], "\(daysAgo)")
        }
        #expect(memory.bloodOxygen().map(\.daysAgo) == [2, 1, 0])
        #expect(memory.temperatures().map(\.daysAgo) == [1, 0])
        #expect(memory.heartRates(of: WearerWeek.date(20_780)) == nil)
    }

    @Test mutating func theRetentionIsAsToldAndOddOnesDoNoHarm() {
        var retention = RingRetention()
        retention.heartRateDays = 7
        retention.bloodOxygenDays = 0
        retention.temperatureDays = -3
        retention.sleepDays = -1
        retention.manualHeartRateDays = .min
        retention.workouts = -1
        retention.activityDays = .max
        var memory = week(retention)
        #expect(memory.heartRates(of: WearerWeek.days[0]) != nil)
        #expect(memory.bloodOxygen() == [] && memory.temperatures() == [])
        #expect(memory.sleepPeriods == [] && memory.workouts == [])
        memory.storeManualHeartRate(70)
        #expect(memory.manualHeartRates(of: WearerWeek.days[6]).isEmpty)
    }

    @Test mutating func aNewDayBeginsEmptyAndIsThere() throws {
        var memory = week()
        let midnight = WearerWeek.time(WearerWeek.date(20_780))
        _ = memory.advance(to: midnight, body: &body)
        #expect(memory.heartRates(of: midnight.date)?.allSatisfy { $0 == 0 } == true)
        #expect(memory.totals(of: midnight.date)?.movement == Movement.none)
        #expect(memory.activity(of: midnight.date) == nil)
        #expect(memory.heartRates(of: WearerWeek.days[2]) == nil)
        #expect(memory.heartRates(of: WearerWeek.days[4]) != nil)
    }

    @Test mutating func slotsKeepTheirLabelsWhenTheClockIsSetForward() throws {
        var memory = week()
        let before = try #require(memory.heartRates(of: noon.date))
        memory.setClock(to: noon.advanced(bySeconds: 7200))
        #expect(memory.heartRates(of: noon.date) == before)
        _ = memory.advance(to: noon.advanced(bySeconds: 9000), body: &body)
        let rates = try #require(memory.heartRates(of: noon.date))
        #expect(rates[0..<144] == before[0..<144])
        #expect(rates[144..<168].allSatisfy { $0 == 0 })
        #expect(rates[169..<174].allSatisfy { $0 != 0 })
        // The wearer's time went on as before.
        #expect(memory.wearerTime(memory.now) == noon.advanced(bySeconds: 1800))
        #expect(rates[170] == wearer.state(at: noon.advanced(bySeconds: 617)).beatsPerMinute)
    }

    @Test mutating func slotsAreStoredAnewWhenTheClockIsSetBack() throws {
        var memory = week()
        let before = try #require(memory.heartRates(of: noon.date))
        memory.setClock(to: noon.advanced(bySeconds: -7200))
        let hidden = try #require(memory.heartRates(of: noon.date))
        #expect(hidden[0..<120] == before[0..<120])
        #expect(hidden[121...].allSatisfy { $0 == 0 })
        _ = memory.advance(to: noon.advanced(bySeconds: -3600), body: &body)
        let rates = try #require(memory.heartRates(of: noon.date))
        #expect(rates[125] == wearer.state(at: noon.advanced(bySeconds: 1517)).beatsPerMinute)
        #expect(rates[133...].allSatisfy { $0 == 0 })
    }

    @Test mutating func aMidnightThatPassesTwiceBeginsTheDayTwice() throws {
        var memory = week()
        let nights = memory.sleepPeriods.count
        // The ring's midnight is the wearer's noon, so that there is movement.
        let midnight = WearerWeek.time(WearerWeek.date(20_781))
        let yesterday = WearerWeek.date(20_780)
        memory.setClock(to: midnight.advanced(bySeconds: -1800))
        _ = memory.advance(to: midnight.advanced(bySeconds: 2400), body: &body)
        let first = try #require(memory.totals(of: midnight.date)).movement
        let firstRates = try #require(memory.heartRates(of: midnight.date))
        #expect(first != .none && firstRates[0...7].allSatisfy { $0 != 0 })
        memory.setClock(to: midnight.advanced(bySeconds: -1200))
        #expect(memory.heartRates(of: midnight.date) == nil, "that day is still to come")
        let before = try #require(memory.totals(of: yesterday)).movement
        _ = memory.advance(to: midnight.advanced(bySeconds: 28_800), body: &body)

        let again = memory.wearerTime(midnight)
        let now = memory.wearerTime(memory.now)
        #expect(
            memory.totals(of: midnight.date)?.movement == body.movement(from: again, to: now))
        let more = body.movement(from: again.advanced(bySeconds: -1200), to: again)
        #expect(memory.totals(of: yesterday)?.movement == before + more)
        let rates = try #require(memory.heartRates(of: midnight.date))
        for slot in 0...95 {
            let time = again.advanced(bySeconds: slot * 300 + 17)
            #expect(rates[slot] == wearer.state(at: time).beatsPerMinute)
        }
        #expect(rates[96...].allSatisfy { $0 == 0 })
        let activity = try #require(memory.activity(of: midnight.date))
        let steps = activity.reduce(0) { $0 + Int($1.steps) }
        #expect(steps > 0 && steps == memory.totals(of: midnight.date)?.movement.steps)
        #expect(memory.sleepPeriods.count <= nights + 1)
    }

    @Test(arguments: [(2028, 29), (2027, 28)])
    mutating func theLastOfFebruaryIsADayLikeOthers(year: Int, last: Int) throws {
        let day = try CivilDate(year: year, month: 2, day: last)
        let march = try CivilDate(year: year, month: 3, day: 1)
        #expect(day.advanced(byDays: 1) == march)
        let now = CivilDateTime(march, try CivilTime(hour: 9, minute: 0))
        let memory = RingMemory(wornFor: 3, until: now, wearerTime: now, body: &body)
        let rates = try #require(memory.heartRates(of: day))
        for slot in [0, 100, 287] {
            let time = CivilDateTime(day).advanced(bySeconds: slot * 300 + 17)
            #expect(rates[slot] == wearer.state(at: time).beatsPerMinute)
        }
        #expect(memory.stress(of: day)?.count == 48)
        #expect(memory.bloodOxygen().map(\.date).suffix(2) == [day, march])
        #expect(memory.sleepPeriods.last?.endTime(today: march)?.date == march)
    }

    @Test func eachMidnightOfOneStepBeginsADay() {
        let monday = WearerWeek.time(WearerWeek.monday)
        for retention in [RingRetention.ActivityMinutes.hour, .quarter].map({ minutes in
            var retention = RingRetention()
            retention.activityMinutes = minutes
            return retention
        }) {
            var body = BodyClock(wearer)
            var memory = RingMemory(retention: retention, now: monday, wearerTime: monday)
            _ = memory.advance(to: monday.advanced(bySeconds: 3 * 86_400 + 4_000), body: &body)
            for date in WearerWeek.days.prefix(4) {
                let start = WearerWeek.time(date)
                let end = min(start.advanced(bySeconds: 86_400), memory.now)
                #expect(
                    memory.totals(of: date)?.movement == wearer.movement(from: start, to: end))
            }
            for date in WearerWeek.days[1...2] {
                let night = wearer.night(endingOn: date)
                let nap = wearer.nap(on: date)
                let asleep = [night, nap].compactMap { $0 }
                    .map { $0.minutes - $0.minutes(of: .awake) }
                #expect(memory.totals(of: date)?.sleepMinutes == asleep.reduce(0, +))
            }
        }
    }

    /// A midnight that the clock passes again restarts its day, for any earlier setting of the
    /// clock: movement is not counted twice.
    @Test(arguments: [0, 1, 900, 3600, 4000, 30_000, 86_400, 100_000], [0, 1, 899, 900, 7200])
    mutating func aMidnightThatPassesTwiceBeginsItsDayAnew(before: Int, after: Int) {
        var memory = RingMemory(now: noon, wearerTime: noon)
        let date = WearerWeek.date(20_780)
        let midnight = WearerWeek.time(date)
        _ = memory.advance(to: midnight.advanced(bySeconds: 20 * 3600), body: &body)
        let first = memory.totals(of: date)
        #expect((first?.movement.steps ?? 0) > 1000 && (first?.sleepMinutes ?? 0) > 200)
        memory.setClock(to: midnight.advanced(bySeconds: -before))
        _ = memory.advance(to: midnight.advanced(bySeconds: after), body: &body)
        let truth = wearer.movement(
            from: memory.wearerTime(midnight), to: memory.wearerTime(memory.now))
        #expect(memory.totals(of: date)?.movement == truth)
        #expect(memory.totals(of: date)?.sleepMinutes == 0)
        let steps = memory.activity(of: date)?.first { $0.slot == 0 }?.steps ?? 0
        if after <= 900 { #expect(Int(steps) == truth.steps) }
    }

    @Test mutating func aNightThatIsStoredTwiceIsNotSleptTwice() {
        let night = wearer.night(endingOn: WearerWeek.days[1])
        let next = wearer.night(endingOn: WearerWeek.days[2])
        let evening = WearerWeek.time(WearerWeek.days[0], 64_800)
        var memory = RingMemory(now: evening, wearerTime: evening)
        _ = memory.advance(to: night.end.advanced(bySeconds: 7200), body: &body)
        let date = WearerWeek.days[1]
        #expect(
            memory.totals(of: date)?.sleepMinutes == night.minutes - night.minutes(of: .awake))
        memory.setClock(to: memory.now.advanced(bySeconds: -86_400))
        _ = memory.advance(to: night.end.advanced(bySeconds: 7200), body: &body)
        #expect(memory.totals(of: date)?.sleepMinutes == next.minutes - next.minutes(of: .awake))
    }

    @Test mutating func oldFirmwareShowsStaleSlotsOfAClockSetBack() throws {
        var retention = RingRetention()
        retention.showsStaleSlots = true
        var memory = week(retention)
        let before = memory.heartRates(of: noon.date)
        memory.setClock(to: noon.advanced(bySeconds: -7200))
        #expect(memory.heartRates(of: noon.date) == before)
    }

    @Test mutating func historyOfAClockThatWasNeverSetIsOrphaned() {
        let unset = CivilDateTime(WearerWeek.date(10_957))
        var memory = RingMemory(now: unset, wearerTime: noon)
        _ = memory.advance(to: unset.advanced(bySeconds: 3 * 86_400), body: &body)
        #expect(memory.heartRates(of: WearerWeek.date(10_958)) != nil)
        #expect(memory.sleepPeriods.count == 2)
        let now = noon.advanced(bySeconds: 3 * 86_400)
        memory.setClock(to: now)
        #expect(memory.wearerSecondsAhead == 0)
        #expect(memory.heartRates(of: WearerWeek.date(10_958)) == nil)
        #expect(memory.sleepPeriods == [])
        #expect(memory.heartRates(of: now.date) != nil)
        _ = memory.advance(to: now.advanced(bySeconds: 3600), body: &body)
        #expect(memory.heartRates(of: now.date)?.contains { $0 != 0 } == true)
    }

    @Test mutating func aClockSetBackByYearsStaysUsable() {
        var memory = week()
        let unset = CivilDateTime(WearerWeek.date(10_957))
        memory.setClock(to: unset)
        _ = memory.advance(to: unset.advanced(bySeconds: 20 * 86_400), body: &body)
        #expect(memory.heartRates(of: WearerWeek.date(10_957 + 19)) != nil)
        #expect(memory.heartRates(of: WearerWeek.days[5]) == nil)
    }

    @Test mutating func aVeryLongTimeIsCutToWhatIsKept() {
        let start = CivilDateTime(WearerWeek.date(3_000))
        var memory = RingMemory(now: start, wearerTime: start)
        _ = memory.advance(to: noon, body: &body)
        #expect(memory.now == noon)
        #expect(memory.heartRates(of: WearerWeek.days[4])?.contains(0) == false)
        #expect(memory.activity(of: WearerWeek.days[0]) != nil)
        #expect(memory.sleepPeriods.count == 3)
    }

    /// The first hour of all clocks has its activity too.
    @Test mutating func theFirstHourOfAllClocksIsReported() throws {
        let start = try #require(
            (8..<20).map { WearerWeek.time(WearerWeek.monday, $0 * 3600) }.first {
                wearer.movement(from: $0, to: $0.advanced(bySeconds: 3600)).steps > 0
            })
        var memory = RingMemory(now: CivilDateTime(secondsSince1970: 0), wearerTime: start)
        let events = memory.advance(to: CivilDateTime(secondsSince1970: 3600), body: &body)
        #expect(events.contains { $0.content == .activity && $0.time.secondsSince1970 == 3600 })
    }

    /// At most thirty-one days are kept.
    @Test mutating func aRingIsWornForAMonthAtMost() {
        var retention = RingRetention()
        retention.activityDays = .max
        var memories: [[Bool]] = []
        for days in [31, 32, 5_000, .max] {
            let memory = RingMemory(
                retention: retention, wornFor: days, until: noon, wearerTime: noon, body: &body)
            memories.append(
                (0..<40).map { memory.totals(of: WearerWeek.date(20_779 - $0)) != nil })
        }
        #expect(Set(memories).count == 1)
    }

    @Test mutating func theEndOfAllClocksIsReachedAndKept() {
        let end = CivilDateTime(secondsSince1970: .max)
        let start = end.advanced(bySeconds: -7200)
        var memory = RingMemory(now: start, wearerTime: noon)
        let events = memory.advance(to: end, body: &body)
        #expect(!events.isEmpty && memory.now == end)
        #expect(memory.advance(to: end, body: &body) == [])
        #expect(memory.nextStoreTime(body: &body, settings: .all) == end)
        memory.setClock(to: CivilDateTime(secondsSince1970: 0))
        #expect(memory.advance(to: CivilDateTime(secondsSince1970: 600), body: &body) != [])
    }

    @Test mutating func handMeasuredHeartRatesAreKeptByDayAndBounded() throws {
        var memory = RingMemory(now: noon, wearerTime: noon)
        memory.storeManualHeartRate(89)
        _ = memory.advance(to: noon.advanced(bySeconds: 3600), body: &body)
        memory.storeManualHeartRate(91)
        let today = memory.manualHeartRates(of: noon.date)
        #expect(today.map(\.beatsPerMinute) == [89, 91])
        #expect(today.map(\.time.description) == ["12:00:00", "13:00:00"])
        for _ in 0..<1000 { memory.storeManualHeartRate(92) }
        #expect(memory.manualHeartRates(of: noon.date).count == 64)
        _ = memory.advance(to: noon.advanced(bySeconds: 2 * 86_400), body: &body)
        #expect(memory.manualHeartRates(of: noon.date).count == 64)
        _ = memory.advance(to: noon.advanced(bySeconds: 3 * 86_400), body: &body)
        #expect(memory.manualHeartRates(of: noon.date).isEmpty)
    }

    @Test func workoutsAreKeptTheNewestFirst() {
        var memory = RingMemory(now: noon, wearerTime: noon)
        for number in 0..<14 {
            memory.store(
                RingWorkout(
                    sport: .run, start: noon.advanced(bySeconds: number), seconds: 61,
                    movement: .none, samples: [0, 60, 62, 67]))
        }
        #expect(memory.workouts.count == 10)
        #expect(memory.workouts.first?.start == noon.advanced(bySeconds: 13))
        #expect(memory.workouts.last?.start == noon.advanced(bySeconds: 4))
        #expect(memory.workouts.first.map { $0.heartRates == (60, 63, 67) } == true)
    }

    @Test func aWorkoutWithoutReadingsSaysZeroAndSamplesAreBounded() {
        let workout = RingWorkout(
            sport: .walk, start: noon, seconds: 90, movement: .none,
            samples: [UInt8](repeating: 0, count: 9999))
        #expect(workout.samples.count == RingWorkout.mostSamples)
        #expect(workout.heartRates == (0, 0, 0))
    }

    @Test mutating func exerciseOfTheHistoryIsStoredAsWorkouts() {
        body = BodyClock(Wearer(seed: 5, exerciseDaysPerWeek: 7))
        let memory = week()
        #expect(5...8 ~= memory.workouts.count)
        for workout in memory.workouts {
            #expect([.run, .cycle].contains(workout.sport))
            #expect(workout.samples.count == workout.seconds)
            #expect(workout.heartRates.most > 110)
            #expect((workout.movement.steps > 0) == (workout.sport == .run))
        }
        #expect(memory.workouts.map(\.start) == memory.workouts.map(\.start).sorted(by: >))
    }
}
