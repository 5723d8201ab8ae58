import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The memory is read in order, within the retention.
@Suite(.passesTime) struct VirtualRingHistoryTests {
    private var bench = RingBench.connected(.r10)

    /// The start of a day that already has a morning.
    private static let start = RingBench.start

    @Test mutating func aDayOfHeartRatesIsThatOfTheMemory() throws {
        let frames = bench.ask(HeartRateLog.Request(time: Self.start))
        #expect(frames.map { $0[1] } == Array(0..<24))
        var assembly = HeartRateLog.Assembly()
        var reply: HeartRateLog.Reply?
        for frame in frames { reply = try assembly.receive(frame)?.value ?? reply }
        let memory = try #require(bench.ring.history.heartRates(of: Self.start.date))
        #expect(reply.map { Array($0.samples) } == memory)
        #expect(reply?.day.time == Self.start)
        #expect(reply?.values.suffix(7).allSatisfy { $0 == 0 } == true)
        let now = bench.ring.time.time.minuteOfDay / 5
        #expect(reply?.samples.dropFirst(now + 1).allSatisfy { $0 == 0 } == true)
        #expect(reply?.samples.prefix(now).contains { $0 > 0 } == true)
    }

    @Test func whatIsNotKeptIsNotThere() throws {
        var bench = RingBench.connected(.r10, days: 30)
        let today = Self.start.date
        for (daysAgo, isKept) in [(3, true), (4, false), (6, false)] as [(UInt8, Bool)] {
            let day = try #require(today.daysEarlier(daysAgo))
            let frames = bench.ask(HeartRateLog.Request(day: day))
            #expect(frames.count == (isKept ? 24 : 1))
            if !isKept { #expect(frames == [HeartRateLog.Part(.noData).frame]) }
            let stress = bench.ask(StressLog.Request(day: DaysAgo(daysAgo)))
            #expect(stress.count == (isKept ? 5 : 1))
        }
        let tomorrow = try #require(today.advanced(byDays: 1))
        #expect(bench.ask(HeartRateLog.Request(day: tomorrow)).count == 1)
        #expect(bench.ask(ActivityLog.Request(day: 7)).count == 1)
        #expect(bench.ask(ActivityLog.Request(day: .init(.max))).count == 1)
        let nights = try #require(bench.ask(Sleep.Request.allNights).last)
        #expect(try Sleep.Reply(decoding: nights).nights.map(\.daysAgo) == [2, 1, 0])
        let oxygen = try #require(bench.ask(BloodOxygen.Request.allDays).first)
        #expect(try BloodOxygen.Reply(decoding: oxygen).days.map(\.daysAgo) == [2, 1, 0])
    }

    @Test mutating func activityAddsUpToTheTotals() throws {
        let answer = try bench.join(ActivityLog.Request(day: .today), ActivityLog.Assembly.self)
        let records = try #require(answer?.value?.records)
        let totals = try TodayTotals.Reply(
            decoding: try #require(bench.ask(TodayTotals.Request()).first))
        #expect(records.count > 1)
        #expect(records.allSatisfy { $0.slot % 4 == 0 && $0.date.date == Self.start.date })
        #expect(records.reduce(0) { $0 + UInt32($1.steps) } == totals.steps.value)
        #expect(records.reduce(0) { $0 + UInt32($1.energy) } == totals.smallCalories.value / 10)
    }

    @Test mutating func activityIsToldForTheWantedSlots() throws {
        let request = try ActivityLog.Request(day: .init(1), slots: 40...59)
        let answer = try bench.join(request, ActivityLog.Assembly.self)
        let records = try #require(answer?.value?.records)
        #expect(!records.isEmpty && records.allSatisfy { 40...59 ~= $0.slot })
    }

    @Test(arguments: [RingProfile.r02, .r10, .r12])
    func aDayWithoutActivityNamesNoUnit(_ profile: RingProfile) throws {
        var bench = RingBench.connected(profile, days: 1)
        var captured = [UInt8](repeating: 0, count: 16)
        captured[0...1] = [67, .max]
        captured[15] = 66
        let old = ActivityLog.Request(day: DaysAgo(20))
        #expect(bench.ask(old).map { Array($0.bytes) } == [captured])
        let first = try #require(bench.ask(ActivityLog.Request(day: DaysAgo(1))).first)
        guard case .header(let header) = try ActivityLog.Part(decoding: first) else {
            Issue.record("no header")
            return
        }
        #expect(header.energyUnit == .tensOfSmallCalories)
    }

    @Test func anR03ForgetsTheYear() throws {
        var bench = RingBench.connected(.r03)
        let answer = try bench.join(ActivityLog.Request(day: .today), ActivityLog.Assembly.self)
        let dates = try #require(answer?.value?.records.map(\.date))
        #expect(dates.allSatisfy { $0.year == 0 && $0 != .unset })
    }

    @Test func anR02CountsByTheQuarterAndKnowsTheOldTotals() throws {
        var bench = RingBench.connected(.r02)
        let answer = try bench.join(ActivityLog.Request(day: .init(1)), ActivityLog.Assembly.self)
        let records = try #require(answer?.value?.records)
        #expect(records.contains { $0.slot % 4 != 0 })
        let totals = try bench.join(DailyTotals.Request(day: .init(1)), DailyTotals.Assembly.self)
        let day = try #require(totals?.value)
        #expect(day.day.daysAgo == 1)
        #expect(day.movement.steps.value == records.reduce(0) { $0 + UInt32($1.steps) })
        #expect(day.duration.sleepMinutes > 0)
        let none = try bench.join(DailyTotals.Request(day: .init(20)), DailyTotals.Assembly.self)
        #expect(none?.value?.day == .unknown)
    }

    @Test func nightsAddUpAndNapsComeBeforeThem() throws {
        var bench = RingBench.connected(.r12, days: 7)
        let records = bench.ask(Sleep.Request.allNights)
        #expect(records.map(\.id) == [Nap.replyID, Sleep.replyID])
        let nights = try Sleep.Reply(decoding: try #require(records.last)).nights
        #expect(nights.count == 3 && nights.allSatisfy { $0.isConsistent })
        var other = RingBench.connected(.r10, days: 7)
        #expect(other.ask(Sleep.Request.allNights).map(\.id) == [Sleep.replyID])
        #expect(other.ask(Sleep.Request.allNightsInOneByte).isEmpty)
        #expect(other.ask(Sleep.Request.empty).isEmpty)
        var old = RingBench.connected(.r02, days: 7)
        #expect(old.ask(Sleep.Request.empty).map(\.id) == [Sleep.replyID])
        let today = old.ask(Sleep.Request(days: 0, flag: 1))
        #expect(try Sleep.Reply(decoding: try #require(today.first)).nights.map(\.daysAgo) == [0])
    }

    @Test mutating func temperaturesAreThoseOfToday() throws {
        let record = try #require(bench.ask(TemperatureSeries.Request.today).first)
        let days = try TemperatureSeries.Reply(decoding: record).days
        #expect(days.map(\.daysAgo) == [0])
        #expect(days.first?.values.contains { $0 > 0 } == true)
        let all = try #require(bench.ask(TemperatureSeries.Request(selector: .max)).first)
        #expect(try TemperatureSeries.Reply(decoding: all).days.map(\.daysAgo) == [1, 0])
        var without = RingBench.connected(.r12)
        #expect(without.ask(TemperatureSeries.Request.today).allSatisfy { $0.isSingleZero })
    }

    @Test func recordsAreCutToWhatTheLinkAndTheRingCarry() {
        for (length, most) in [(20, 20), (100, 100), (244, 241), (500, 241)] {
            var bench = RingBench(VirtualRing(.r02, days: 7), at: Self.start)
            bench.connect(maximumLength: length)
            bench.send(BloodOxygen.Request.allDays.frame)
            bench.advance(by: .seconds(4))
            let pieces = bench.take()
            #expect(pieces.dropLast().allSatisfy { $0.bytes.count == most })
            #expect(pieces.reduce(0) { $0 + $1.bytes.count } == 6 + 3 * BloodOxygen.Day.length)
            let moments = Set(pieces.map(\.moment))
            #expect(moments.count == pieces.count, "pieces come one after the other")
        }
    }

    @Test func settingTheClockMovesTheDays() throws {
        var bench = RingBench.connected(.r10, days: 2)
        let today = Self.start.date
        let log = bench.ask(HeartRateLog.Request(day: today))
        let tomorrow = try #require(today.advanced(byDays: 1))
        let time = CivilDateTime(tomorrow, Self.start.time)
        _ = bench.ask(try SetTime.Request(time: time), within: .seconds(1))
        #expect(bench.ring.time.date == tomorrow)
        let again = bench.ask(HeartRateLog.Request(day: today))
        #expect(again.count == log.count)
        let stress = try bench.join(StressLog.Request(day: .init(1)), StressLog.Assembly.self)
        #expect(stress?.value?.samples.contains { $0 > 0 } == true)
        let empty = try bench.join(
            HeartRateLog.Request(day: tomorrow), HeartRateLog.Assembly.self)
        #expect(empty?.value?.samples.contains { $0 > 0 } != true)
    }

    @Test func aClockThatNobodyHasSetShowsTheYear2000() throws {
        let options = VirtualRingOptions(clock: .factory)
        var bench = RingBench.connected(.r10, days: 2, options: options)
        #expect(bench.ring.time.date.year == 2000)
        let frames = bench.ask(HeartRateLog.Request(day: bench.ring.time.date))
        #expect(frames.count == 24)
        #expect(bench.ask(HeartRateLog.Request(day: Self.start.date)).count == 1)
    }

    @Test func aRingThatIsNotWornStoresNothing() throws {
        var bench = RingBench.connected(.r10, days: 0, options: VirtualRingOptions(isWorn: false))
        bench.advance(by: .seconds(4 * 3600))
        _ = bench.take()
        let log = try bench.join(HeartRateLog.Request(time: Self.start), HeartRateLog.Assembly.self)
        #expect(log?.value?.samples.allSatisfy { $0 == 0 } == true)
        bench.modify { $0.putOn() }
        #expect(bench.ring.isWorn)
        bench.advance(by: .seconds(3600))
        let later = try bench.join(
            HeartRateLog.Request(time: Self.start), HeartRateLog.Assembly.self)
        #expect(later?.value?.samples.contains { $0 > 0 } == true)
    }

    @Test mutating func theTruthIsWhatIsAnswered() {
        let request = HeartRateLog.Request(time: Self.start)
        #expect(bench.ring.answers(to: request.frame) == bench.ask(request))
        let record = BloodOxygen.Request.allDays
        #expect(bench.ring.answers(to: record.frame) == bench.ask(record))
    }
}
