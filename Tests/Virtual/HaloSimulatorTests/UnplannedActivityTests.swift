import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// Walks and sleeps that the wearer's plan does not have: ``VirtualRing/walk(minutes:)`` and
/// ``VirtualRing/fallAsleep(minutes:)``.
@Suite(.passesTime) struct UnplannedActivityTests {
    private var bench = Self.bench()

    private static let wearer = Wearer(seed: 7, restingHeartRate: 58)
    /// Half a day and more without a walk and without sleep.
    private static let calm: (start: CivilDateTime, minutes: Int) = longestCalm()

    /// The longest time of a month in which the wearer is awake, and does not move.
    private static func longestCalm() -> (CivilDateTime, Int) {
        var body = BodyClock(wearer)
        var best = (start: RingBench.start, minutes: 0)
        var date = RingBench.start.date
        for _ in 0..<30 {
            // The hours in which nobody sleeps by night.
            var start = CivilDateTime(date).advanced(bySeconds: 9 * 3600)
            let evening = CivilDateTime(date).advanced(bySeconds: 20 * 3600)
            var times = body.exertions(on: date).map { (start: $0.start, end: $0.end) }
            times += body.naps(on: date).map { ($0.start, $0.end) }
            times.append((evening, evening))
            for time in times.sorted(by: { $0.start < $1.start }) where time.end > start {
                let seconds = Int(time.start.secondsSince1970) - Int(start.secondsSince1970)
                if seconds / 60 > best.minutes { best = (start, seconds / 60) }
                start = max(start, time.end)
            }
            date = date.advanced(byDays: 1) ?? date
        }
        return best
    }

    /// A ring whose wearer has just become calm.
    private static func bench(after minutes: Int = 5) -> RingBench {
        let start = calm.start.advanced(bySeconds: minutes * 60)
        return RingBench(VirtualRing(.r10, wearer: wearer, days: 1), at: start)
    }

    private func steps(_ bench: RingBench) -> Int {
        bench.ring.history.totals(of: Self.calm.start.date)?.movement.steps ?? -1
    }

    private func slots(_ bench: RingBench) -> Int {
        let all = bench.ring.history.activity(of: Self.calm.start.date) ?? []
        return all.reduce(0) { $0 + Int($1.steps) }
    }

    @Test mutating func theWearerIsCalmForAnHour() {
        #expect(Self.calm.minutes >= 90)
        let before = steps(bench)
        bench.pass(seconds: 30 * 60)
        #expect(before >= 0 && steps(bench) == before)
        #expect(bench.ring.history.napPeriods == [])
    }

    // MARK: Walks

    @Test mutating func aWalkCountsSteps() throws {
        let (before, slotsBefore) = (steps(bench), slots(bench))
        bench.modify { $0.walk(minutes: 10) }
        #expect(steps(bench) == before)
        var last = before
        for _ in 0..<10 {
            bench.pass(seconds: 60)
            let now = steps(bench)
            #expect(90...130 ~= now - last)
            last = now
        }
        // The walk ends.
        bench.pass(seconds: 20 * 60)
        #expect(950...1200 ~= last - before && steps(bench) == last)
        #expect(slots(bench) - slotsBefore == last - before)
        let totals = try #require(bench.ring.history.totals(of: Self.calm.start.date))
        #expect(totals.movement.activeSeconds >= 600 && totals.movement.millimetres > 500_000)
    }

    @Test func aWalkIsReportedAndRaisesTheHeartRate() {
        var body = BodyClock(Self.wearer)
        let start = Self.calm.start.advanced(bySeconds: 300)
        let later = start.advanced(bySeconds: 9 * 60)
        let calm = body.state(at: later).heartRate16
        body.walk(from: start, minutes: 10)
        #expect(body.state(at: later).activity == .walking)
        #expect(body.state(at: later).stepsPerMinute > 90)
        #expect(body.state(at: later).heartRate16 > calm + 16 * 10)
        #expect(body.state(at: start.advanced(bySeconds: -1)).activity != .walking)
        #expect(body.state(at: start.advanced(bySeconds: 601)).activity != .walking)
        // The change is remembered while other days are asked for.
        _ = body.state(at: start.advanced(bySeconds: 3 * 86_400))
        #expect(body.state(at: later).activity == .walking)
    }

    @Test mutating func aSecondWalkGoesOnWithTheFirst() {
        let before = steps(bench)
        bench.modify { $0.walk(minutes: 10) }
        bench.pass(seconds: 5 * 60)
        // Who moves already goes on.
        bench.modify { $0.walk(minutes: 60) }
        bench.pass(seconds: 20 * 60)
        let once = steps(bench) - before
        #expect(950...1200 ~= once)
        bench.modify { $0.walk(minutes: 10) }
        bench.pass(seconds: 20 * 60)
        #expect(1900...2400 ~= steps(bench) - before)
    }

    /// Who walks at night is up, and sleeps on afterwards.
    @Test func aWalkAtNightIsNoSleep() {
        var body = BodyClock(Self.wearer)
        let night = Self.wearer.night(endingOn: Self.calm.start.date)
        let start = night.start.advanced(bySeconds: night.minutes * 30)
        let begins = body.walk(from: start, minutes: 10)
        #expect(begins)
        for second in stride(from: 0, to: 600, by: 30) {
            let state = body.state(at: start.advanced(bySeconds: second))
            #expect(state.activity == .walking && state.sleepStage == nil)
        }
        for second in [-1, 600] {
            let state = body.state(at: start.advanced(bySeconds: second))
            #expect(state.activity == .asleep && state.sleepStage != nil)
        }
    }

    @Test mutating func aWalkSaysWhetherItBegins() {
        var answers: [Bool] = []
        // The second change comes before the first one takes effect.
        bench.modify { ring in
            for _ in 0..<2 { answers.append(ring.walk(minutes: 10)) }
        }
        bench.pass(seconds: 5 * 60)
        bench.modify { answers.append($0.walk(minutes: 10)) }
        bench.pass(seconds: 6 * 60)
        bench.modify { answers.append($0.walk(minutes: 10)) }
        #expect(answers == [true, false, false, true])
    }

    @Test mutating func aRingThatIsNotWornCountsNoSteps() {
        let before = steps(bench)
        bench.modify { ring in
            ring.takeOff()
            ring.walk(minutes: 10)
        }
        bench.pass(seconds: 15 * 60)
        #expect(steps(bench) == before)
    }

    // MARK: Sleep

    @Test mutating func aSleepIsRecordedAsANap() throws {
        let begun = bench.ring.time
        bench.modify { $0.fallAsleep(minutes: 40) }
        bench.pass(seconds: 45 * 60)
        // A sleep is stored half an hour after waking.
        #expect(bench.ring.history.napPeriods == [])
        bench.pass(seconds: 30 * 60)
        let nap = try #require(bench.ring.history.napPeriods.first)
        #expect(nap.minutes == 40 && nap.isConsistent && nap.daysAgo == 0)
        let start = try #require(nap.startTime(today: begun.date))
        #expect(0...120 ~= Int(start.secondsSince1970) - Int(begun.secondsSince1970))
        #expect(bench.ring.history.napPeriods.count == 1)
    }

    /// The second sleep begins before the ring has stored the first one.
    @Test mutating func everySleepIsRecorded() {
        for _ in 0..<2 {
            bench.modify { $0.fallAsleep(minutes: 30) }
            bench.pass(seconds: 35 * 60)
        }
        bench.pass(seconds: 30 * 60)
        #expect(bench.ring.history.napPeriods.map(\.minutes) == [30, 30])
    }

    @Test mutating func aSleeperSleepsOn() {
        var answers: [Bool] = []
        bench.modify { answers.append($0.fallAsleep(minutes: 40)) }
        bench.pass(seconds: 20 * 60)
        bench.modify { answers.append($0.fallAsleep(minutes: 60)) }
        bench.pass(seconds: 60 * 60)
        #expect(answers == [true, false])
        #expect(bench.ring.history.napPeriods.map(\.minutes) == [40])
    }

    /// A sleep of an hour does not begin at night, and not in the hour before.
    @Test(arguments: [(-70, true), (-600, true), (-50, false), (-1, false), (30, false)])
    func aSleepSaysWhetherItBegins(minutesAfterBedtime: Int, begins: Bool) {
        let bedtime = Self.wearer.night(endingOn: WearerWeek.days[1]).start
        let start = bedtime.advanced(bySeconds: minutesAfterBedtime * 60)
        var bench = RingBench(VirtualRing(.r10, wearer: Self.wearer, days: 0), at: start)
        var answer: Bool?
        bench.modify { answer = $0.fallAsleep(minutes: 60) }
        #expect(answer == begins)
        bench.pass(seconds: 100 * 60)
        #expect(bench.ring.history.napPeriods.map(\.minutes) == (begins ? [60] : []))
    }

    /// The nap of the plan takes place, unless it would begin during another one.
    @Test(arguments: [(before: 120, naps: 2), (20, 1)])
    func aSleepLeavesALaterNap(before: Int, naps: Int) throws {
        let date = try #require(WearerWeek.month.first { Self.wearer.nap(on: $0) != nil })
        let nap = try #require(Self.wearer.nap(on: date))
        var body = BodyClock(Self.wearer)
        let start = nap.start.advanced(bySeconds: -before * 60)
        let begins = body.fallAsleep(at: start, minutes: 30)
        #expect(begins)
        let found = body.naps(on: date)
        #expect(found.count == naps && found.first?.minutes == 30)
        #expect(naps == 1 || found.last == nap)
        // The naps are remembered while other days are asked for.
        _ = body.state(at: start.advanced(bySeconds: 3 * 86_400))
        let later = body.naps(on: date)
        #expect(later == found)
    }

    @Test func aSleepLowersTheHeartRate() {
        var body = BodyClock(Self.wearer)
        let start = Self.calm.start.advanced(bySeconds: 300)
        let later = start.advanced(bySeconds: 30 * 60)
        let awake = body.state(at: later).heartRate16
        body.fallAsleep(at: start, minutes: 40)
        #expect(body.state(at: later).activity == .asleep)
        #expect(body.state(at: later).heartRate16 < awake)
        #expect(body.state(at: start.advanced(bySeconds: 42 * 60)).activity != .asleep)
    }

    @Test mutating func aSleepEndsAWalk() throws {
        let before = steps(bench)
        bench.modify { $0.walk(minutes: 30) }
        bench.pass(seconds: 10 * 60)
        bench.modify { $0.fallAsleep(minutes: 30) }
        bench.pass(seconds: 70 * 60)
        // The minute in which the wearer falls asleep is one of the walk.
        #expect(950...1400 ~= steps(bench) - before)
        #expect(bench.ring.history.napPeriods.first?.minutes == 30)
    }

    /// The wearer cannot walk and sleep at once.
    @Test func aWalkDuringASleepIsNeverBoth() {
        var body = BodyClock(Self.wearer)
        let start = Self.calm.start.advanced(bySeconds: 300)
        body.fallAsleep(at: start, minutes: 60)
        body.walk(from: start.advanced(bySeconds: 20 * 60), minutes: 10)
        for minute in 0..<90 {
            let time = start.advanced(bySeconds: minute * 60)
            let state = body.state(at: time)
            let moved = body.movement(from: time, to: time.advanced(bySeconds: 60)).steps
            #expect(state.activity != .asleep || state.stepsPerMinute == 0, "minute \(minute)")
            #expect(state.activity != .asleep || moved == 0, "minute \(minute)")
        }
    }

    @Test func noNightIsInterrupted() {
        let night = Self.wearer.night(endingOn: Self.calm.start.date)
        var body = BodyClock(Self.wearer)
        let middle = night.start.advanced(bySeconds: night.minutes * 30)
        let planned = body.night(endingOn: Self.calm.start.date)
        let begins = body.fallAsleep(at: middle, minutes: 30)
        #expect(!begins)
        let naps = body.naps(on: middle.date)
        #expect(naps.allSatisfy { $0.minutes != 30 })
        #expect(body.night(endingOn: Self.calm.start.date).start == planned.start)
        #expect(body.night(endingOn: Self.calm.start.date).minutes == planned.minutes)
    }

    // MARK: Bounds

    @Test(arguments: [Int.min, -1, 0, 1, 240, 241, 1_000_000, Int.max])
    mutating func anyNumberOfMinutesIsTaken(minutes: Int) {
        let limited = min(max(minutes, 1), 240)
        for hour in [0, 3, 9, 12, 23] {
            let midnight = CivilDateTime(Self.calm.start.date)
            let start = midnight.advanced(bySeconds: hour * 3600 + 3540)
            var walking = RingBench(VirtualRing(.r10, wearer: Self.wearer, days: 1), at: start)
            let before = steps(walking)
            walking.modify { $0.walk(minutes: minutes) }
            walking.pass(seconds: 86_400)
            #expect(steps(walking) >= before || hour == 23)
            var sleeping = RingBench(VirtualRing(.r10, wearer: Self.wearer, days: 1), at: start)
            sleeping.modify { $0.fallAsleep(minutes: minutes) }
            sleeping.pass(seconds: 86_400)
            #expect(sleeping.ring.history.napPeriods.allSatisfy { $0.isConsistent })
            #expect(sleeping.ring.history.sleepPeriods.allSatisfy { $0.isConsistent })
        }
        let before = steps(bench)
        bench.modify { $0.walk(minutes: minutes) }
        bench.pass(seconds: min(limited, 60) * 60)
        #expect(steps(bench) - before >= 90 * min(limited, 60))
    }

    @Test mutating func manyChangesAreTaken() {
        for number in 0..<600 {
            bench.modify { ring in
                if number % 2 == 0 { ring.walk(minutes: number) }
                if number % 3 == 0 { ring.fallAsleep(minutes: number) }
            }
            bench.pass(seconds: 7)
        }
        bench.pass(seconds: 2 * 86_400)
        let memory = bench.ring.history
        #expect(memory.napPeriods.allSatisfy { $0.isConsistent })
        let movement = memory.totals(of: Self.calm.start.date)?.movement
        #expect((movement?.steps ?? 0) > 0 && (movement?.activeSeconds ?? .max) <= 86_400)
    }
}

extension RingBench {
    /// Lets time pass. A ring that has nothing to do sleeps, and hears of it with the next event.
    fileprivate mutating func pass(seconds: Int) {
        advance(by: .seconds(seconds))
        handle(.changed)
    }
}
