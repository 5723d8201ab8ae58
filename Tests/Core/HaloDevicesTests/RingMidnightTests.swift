import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Histories that are read while the ring's day changes.
@Suite(.passesTime) struct RingMidnightTests {
    /// Connects to a ring some seconds before midnight.
    private func bench(
        secondsBeforeMidnight seconds: Int, _ profile: RingProfile = .r10, seed: UInt64 = 1,
        day: CivilDate? = nil, device: VirtualRingOptions = VirtualRingOptions(),
        options: RingOptions = .keeping(), faults: FaultPlan = .none
    ) async throws -> RingBench {
        let day = try day ?? CivilDate(year: 2026, month: 1, day: 6)
        let start = CivilDateTime(day).advanced(bySeconds: -300)
        let bench = try await RingBench.connected(
            profile, days: 5, seed: seed, startingAt: start, device: device, options: options,
            faults: faults)
        let now = bench.air.time.now()
        let moment = Moment.origin + .seconds(300 - seconds)
        try await bench.pass(moment.duration(since: now))
        return bench
    }

    private func faults(of bench: RingBench, days: Int = 4) async throws -> [String] {
        let before = bench.worn.state?.history
        let history = try await bench.ring.history(days: days)
        let truth = HistoryTruth(before, bench.worn.state?.history)
        return truth.faults(of: history) + history.failures.map(\.description)
    }

    @Test(arguments: 1...40)
    func noSampleIsOfAnotherDayOrListedTwice(secondsBeforeMidnight seconds: Int) async throws {
        let profiles = [RingProfile.r02, .r03, .r10, .r12, .h59]
        for index in [seconds, seconds + 2] {
            let profile = profiles[index % profiles.count]
            let bench = try await bench(
                secondsBeforeMidnight: seconds, profile, seed: UInt64(index))
            let faults = try await faults(of: bench)
            #expect(faults.isEmpty, "\(profile), \(seconds) s: \(faults)")
        }
    }

    @Test(arguments: [RingProfile.r02, .r03, .r10, .r12], 1...3)
    func repliesThatAreRequestedAgainAreOfOneDay(
        _ profile: RingProfile, seed: UInt64
    ) async throws {
        var rates = FaultRates()
        rates.lostNotifications = 15
        rates.delays = 10
        for seconds in stride(from: 1, through: 25, by: 8) {
            let bench = try await bench(
                secondsBeforeMidnight: seconds, profile, seed: seed,
                faults: FaultPlan(seed: seed &* 100 &+ UInt64(seconds), rates: rates))
            let before = bench.worn.state?.history
            let history = try await bench.ring.history(days: 4)
            let truth = HistoryTruth(before, bench.worn.state?.history)
            // A reply with gaps is a failure, and lacks values at most.
            let faults = truth.faults(of: history).filter { !$0.hasPrefix("totals") }
            #expect(faults.isEmpty, "\(profile), \(seconds) s: \(faults)")
        }
    }

    @Test(arguments: [5 * 3600, -7 * 3600, 3600, 90, 26 * 3600], [8, 16, 30])
    func aClockThatIsLeftAloneIsAskedForItsDay(ahead: Int, seconds: Int) async throws {
        // The ring's midnight is that of the ring's clock, not of the wall clock.
        let ringMidnight = CivilDateTime(try CivilDate(year: 2026, month: 1, day: 6))
        let start = ringMidnight.advanced(bySeconds: -ahead - 300)
        let bench = try await RingBench.connected(
            days: 5, startingAt: start, device: VirtualRingOptions(clock: .off(seconds: ahead)),
            options: RingOptions(clock: .leave))
        let moment = Moment.origin + .seconds(300 - seconds)
        try await bench.pass(moment.duration(since: bench.air.time.now()))
        // Totals of a day that is over cannot be asked for again.
        let faults = try await faults(of: bench).filter { !$0.hasPrefix("totals of today:") }
        #expect(faults.isEmpty, "\(faults)")
    }

    @Test(arguments: 1...30)
    func theHistoryBeforeTheClockChangeIsOfOneDay(secondsBeforeMidnight seconds: Int) async throws {
        let ringMidnight = CivilDateTime(try CivilDate(year: 2026, month: 1, day: 6))
        let ahead = -5 * 86_400 - 3 * 3600
        let start = ringMidnight.advanced(bySeconds: -ahead - seconds - 2)
        let air = VirtualBluetooth(seed: 3, startingAt: start)
        let device = VirtualRingOptions(clock: .off(seconds: ahead))
        let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 3), days: 5, options: device))
        let before = try #require(worn.state?.history)
        // The ring's memory is compared under its old clock: no value is stored anew.
        var after = before
        var body = BodyClock(Wearer(seed: 3), at: start)
        after.advance(
            to: before.now.advanced(bySeconds: 120), body: &body, worn: true, settings: .all
        ) { _ in }
        let ring = try await Ring.connect(over: air, options: .keeping())
        let old = try #require(ring.historyBeforeClockChange)
        #expect(!old[.stress].isEmpty && !old[.sleep].isEmpty)
        let faults = HistoryTruth(before, after).faults(of: old)
        #expect(faults.filter { !$0.hasPrefix("totals") }.isEmpty, "\(faults)")
        #expect(old.failures.allSatisfy { $0.kind == .totals }, "\(old.failures)")
    }

    @Test(arguments: 1...8)
    func aSingleLogIsOfTheDayThatWasAskedFor(secondsBeforeMidnight seconds: Int) async throws {
        let bench = try await bench(secondsBeforeMidnight: seconds)
        let before = bench.worn.state?.history
        let day = bench.air.time.wallClock().local.date
        for daysAgo in 0...2 {
            let stress = try await bench.ring.log(.stress, daysAgo: daysAgo)
            let activity = try await bench.ring.log(.activity, daysAgo: daysAgo)
            let truth = HistoryTruth(before, bench.worn.state?.history)
            var history = RingHistory(today: day, readAt: nil, secondsFromUTC: nil)
            history[.stress] = stress
            history[.activity] = activity
            #expect(truth.faults(of: history).isEmpty)
            #expect(Set(stress.map(\.time.date)).count <= 1)
        }
    }

    @Test(arguments: [
        (2028, 2, 29), (2028, 3, 1), (2027, 3, 1), (2026, 1, 1), (2027, 1, 1), (2096, 2, 29),
    ])
    func leapDaysAndEndsOfYearsAreDaysLikeOthers(year: Int, month: Int, day: Int) async throws {
        let date = try CivilDate(year: year, month: month, day: day)
        for (profile, seconds) in zip(RingProfile.all, [2, 9, -3600 * 9, 21, 5]) {
            let bench = try await bench(secondsBeforeMidnight: seconds, profile, day: date)
            let faults = try await faults(of: bench)
            #expect(faults.isEmpty, "\(profile), \(seconds) s: \(faults)")
            #expect(bench.ring.historyBeforeClockChange == nil, "\(profile)")
        }
    }

    @Test(arguments: [-3, 2])
    func aClockSetByAnotherProgramIsNoticed(days: Int) async throws {
        let bench = try await RingBench.connected(days: 7)
        let before = bench.worn.state?.history
        bench.worn.modify { $0.shiftClock(bySeconds: days * 86_400) }
        let history = try await bench.ring.history(days: 4)
        let truth = HistoryTruth(before, bench.worn.state?.history)
        #expect(truth.faults(of: history) == [])
        let today = bench.air.time.wallClock().local.date
        #expect(history.today == (days < 0 ? today.advanced(byDays: days) : history.today))
        if days < 0 {
            #expect(history.secondsFromUTC == nil && history.readAt == nil)
            #expect(history[.heartRate].allSatisfy { $0.utc == nil })
        }
    }

    @Test(arguments: [4, 8, 12, 16])
    func theRingsMidnightMayPassTwice(step: Int) async throws {
        let bench = try await bench(secondsBeforeMidnight: 10)
        let worn = bench.worn
        let before = worn.state?.history
        try await bench.pass(.seconds(20))
        let between = worn.state?.history
        let history = try await bench.ring.history(days: 4) { progress in
            // Another program sets the clock back, and midnight comes again.
            if progress.step == step { worn.modify { $0.shiftClock(bySeconds: -30) } }
        }
        let truth = HistoryTruth(before, between, worn.state?.history)
        let faults = truth.faults(of: history).filter { !$0.hasPrefix("totals") }
        #expect(faults.isEmpty, "\(faults)")
    }

    @Test func aLinkLostDuringTheRequestForTheDayIsReported() async throws {
        var options = RingOptions(clock: .leave)
        options.reconnect = .never
        let bench = try await RingBench.connected(options: options)
        bench.worn.moveAway()
        let error = await #expect(throws: DeviceError.self) {
            try await bench.ring.log(.heartRate, daysAgo: 1)
        }
        #expect(error?.kind == .disconnected && error?.disconnectReason != nil)
    }

    @Test func aSlotThatBeginsNowIsKept() async throws {
        // Old firmware whose clock was set back has a value in the slot already.
        var profile = RingProfile.r10
        profile.retention.showsStaleSlots = true
        let bench = try await RingBench.connected(profile, days: 2)
        let shown = try #require(bench.worn.state?.time)
        let next = (shown.secondsSince1970 / 300 + 1) * 300
        try await bench.pass(.seconds(Int64(next - shown.secondsSince1970) + 18))
        let value = try #require(
            bench.worn.state?.history.heartRates(of: shown.date)?[Int(next % 86_400 / 300)])
        #expect(value != 0)
        let slot = CivilDateTime(secondsSince1970: next)
        let utc = bench.air.time.wallClock().utc
        let offset = Int(next) - Int(utc.secondsSince1970)
        let moment = bench.air.time.now()
        try await bench.ring.setClock(.secondsFromUTC(offset))
        #expect(bench.air.time.now() < moment + .seconds(1), "its clock still shows that second")
        let samples = try await bench.ring.log(.heartRate, daysAgo: 0)
        #expect(bench.ring.clock.since == slot)
        #expect(samples.last?.time == slot && samples.last?.value == Int(value))
    }
}
