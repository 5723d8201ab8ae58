import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The dates of values from rings whose clock was wrong by days: each value has the wearer's true
/// date, or is marked, or left out.
@Suite(.passesTime) struct RingDatesTests {
    /// A ring with a wrong clock, and a ring on the same wearer whose clock was always right, and
    /// which forgets nothing.
    private struct Pair {
        let air: VirtualBluetooth
        let worn: Placed<VirtualRing>
        let right: Placed<VirtualRing>

        init(
            _ profile: RingProfile, clock: VirtualRingOptions.Clock,
            start: CivilDateTime = VirtualBluetooth.defaultStart
        ) {
            air = VirtualBluetooth(seed: 1, startingAt: start, secondsFromUTC: 3600)
            var lasting = profile
            lasting.retention.heartRateDays = 30
            lasting.retention.stressDays = 30
            lasting.retention.heartRateVariabilityDays = 30
            lasting.retention.bloodOxygenDays = 30
            lasting.retention.temperatureDays = 30
            lasting.retention.sleepDays = 30
            lasting.retention.activityDays = 30
            worn = air.add(
                VirtualRing(
                    profile, wearer: Wearer(seed: 4), days: 7,
                    options: VirtualRingOptions(clock: clock)))
            right = air.add(
                VirtualRing(
                    lasting, wearer: Wearer(seed: 4), days: 20,
                    options: VirtualRingOptions(addressTail: 2)))
        }

        func connected(_ earlierClocks: [RingClock] = []) async throws -> Ring {
            var options = RingOptions.keeping()
            options.earlierClocks = earlierClocks
            return try await Ring.connect(to: worn.identity, over: air, options: options)
        }

        /// The memory of the ring whose clock is right, up to now.
        var memory: RingMemory? {
            right.modify { _ in }
            return right.state?.history
        }

        /// Reads a week, and returns the values without a mark that are not true at their date.
        func faults(of ring: Ring) async throws -> (faults: [String], history: RingHistory) {
            let before = memory
            let history = try await ring.history()
            let truth = HistoryTruth(before, memory, slack: 4)
            let faults = truth.faults(of: history.withoutMarks)
            return (faults + history.failures.map(\.description), history)
        }

        func pass(hours: Int) async throws {
            try await air.clock.sleep(for: .seconds(hours * 3600))
            await Task.yield()
        }
    }

    /// Clocks that are wrong by days.
    private static let wrong: [(days: Int, profile: RingProfile)] = [
        (-400, .r10), (-8, .r02), (-3, .r03), (-1, .r12),
        (1, .r02), (3, .r10), (8, .r03), (400, .r12),
    ]

    @Test(arguments: wrong)
    func aValueIsOfItsDateOrMarked(daysAhead: Int, _ profile: RingProfile) async throws {
        let pair = Pair(profile, clock: .off(seconds: daysAhead * 86_400))
        let ring = try await pair.connected()
        var earlier: [RingClock] = []
        for hours in [0, 5, 26, 30] {
            try await pair.pass(hours: hours)
            let (faults, history) = try await pair.faults(of: ring)
            #expect(faults.isEmpty, "after \(hours) hours: \(faults.prefix(3)), \(faults.count)")
            #expect(history.clockShift == nil)
            #expect(hours == 0 || !history[.heartRate].isEmpty, "new values are not left out")
            earlier = ring.clocks
        }
        await ring.disconnect()
        // Another program run knows it from the clocks that the app has stored.
        let next = try await pair.connected(earlier)
        let (faults, history) = try await pair.faults(of: next)
        #expect(faults.isEmpty, "\(faults.prefix(3)), \(faults.count)")
        #expect(!history[.heartRate].isEmpty)
        await next.disconnect()
    }

    @Test(arguments: wrong + [(-400, .r03), (400, .r03)])
    func theOldValuesCanBeMovedToTheirDates(
        daysAhead: Int, _ profile: RingProfile
    ) async throws {
        let pair = Pair(profile, clock: .off(seconds: daysAhead * 86_400))
        let before = pair.memory
        let ring = try await pair.connected()
        // Firmware that reports no year cannot say that it is wrong by one.
        if profile.model == "R03", abs(daysAhead) > 300 {
            #expect(ring.historyBeforeClockChange == nil)
            return
        }
        let old = try #require(ring.historyBeforeClockChange)
        let shift = try #require(old.clockShift)
        #expect(shift.days == -daysAhead)
        #expect(shift.lowestSeconds...shift.highestSeconds ~= -daysAhead * 86_400)
        #expect(shift.highestSeconds - shift.lowestSeconds < 25 * 3600)
        #expect(shift.mayBeTimeZoneChange == (abs(daysAhead) == 1))
        let moved = old.moved(byDays: shift.days)
        let faults = HistoryTruth(before, pair.memory).faults(of: moved)
        #expect(faults.isEmpty, "\(faults.prefix(3)), \(faults.count)")
        #expect(moved[.heartRate].count == old[.heartRate].count && old[.heartRate].count > 50)
        #expect(moved[.sleep].count == old[.sleep].count && !old[.sleep].isEmpty)
        #expect(moved.clockShift == nil)
        #expect(moved.today == pair.air.time.wallClock().local.date)
        let read = moved.coverage.dates(of: .heartRate, .read)
        #expect(read == Array(Set(moved[.heartRate].map(\.time.date))).sorted())
        #expect(ring.clocks.last?.shift?.days == shift.days)
        await ring.disconnect()
    }

    @Test func leftOutDaysAreInTheCoverage() async throws {
        let pair = Pair(.r10, clock: .off(seconds: 86_400))
        let ring = try await pair.connected()
        let (_, history) = try await pair.faults(of: ring)
        let today = history.today
        #expect(history.coverage[.heartRate, today] == .wrongClock)
        #expect(history.coverage[.totals, today] == .wrongClock)
        #expect(history.totals == nil && history.isComplete)
        #expect(history[.heartRate].isEmpty && history[.sleep].isEmpty)
        let since = try #require(ring.clock.since)
        #expect(history.uncertainTimes.map(\.lowerBound) == [since])
        let end = try #require(history.uncertainTimes.first?.upperBound)
        #expect(end.date == today.advanced(byDays: 2), "the old clock showed the day before")
        try await pair.pass(hours: 16)
        let (_, next) = try await pair.faults(of: ring)
        #expect(!next.heartRates.isEmpty)
        #expect(next.heartRates.allSatisfy { $0.secondsFromUTC == nil })
        #expect(next.coverage[.totals, next.today] == .read && next.totals != nil)
        #expect(next.coverage[.heartRate, today] == .wrongClock)
        try await pair.pass(hours: 25)
        let (_, later) = try await pair.faults(of: ring)
        #expect(later[.heartRate].first?.secondsFromUTC == nil)
        #expect(later[.heartRate].dropLast().last?.secondsFromUTC == 3600)
        #expect(later.uncertainTimes == history.uncertainTimes)
        try await pair.pass(hours: 24)
        #expect(try await ring.history(days: 1).uncertainTimes.isEmpty)
        await ring.disconnect()
    }

    @Test func aClockThatWasNeverSetPutsNoDayInDoubt() async throws {
        let pair = Pair(.r10, clock: .factory)
        let ring = try await pair.connected()
        let old = try #require(ring.historyBeforeClockChange)
        #expect((old.clockShift?.days ?? 0) > 9000)
        try await pair.pass(hours: 30)
        let (faults, history) = try await pair.faults(of: ring)
        #expect(faults.isEmpty, "\(faults.prefix(3))")
        #expect(history.uncertainTimes.isEmpty && history[.heartRate].count > 20)
        #expect(history.coverage.dates(of: .heartRate, .wrongClock).isEmpty)
        await ring.disconnect()
    }

    @Test(arguments: [-2, 0, 2])
    func aWrongClockThatIsLeftAloneIsReported(daysAhead: Int) async throws {
        let pair = Pair(.r10, clock: .off(seconds: daysAhead * 86_400))
        let ring = try await Ring.connect(
            to: pair.worn.identity, over: pair.air, options: RingOptions(clock: .leave))
        let (faults, history) = try await pair.faults(of: ring)
        #expect(faults.isEmpty, "\(faults.prefix(3))")
        #expect(history.clockShift?.days == (daysAhead == 0 ? nil : -daysAhead))
        #expect(!history[.heartRate].isEmpty)
        // The app sets it then: the read has reported the day.
        try await ring.setClock()
        #expect(ring.clocks.last?.shift?.days == (daysAhead == 0 ? nil : -daysAhead))
        let (faultsAfter, _) = try await pair.faults(of: ring)
        #expect(faultsAfter.isEmpty, "\(faultsAfter.prefix(3))")
        await ring.disconnect()
    }

    /// They cannot be read again: replies with several days are kept whole.
    @Test func allThatComesBeforeTheClockIsSetIsKept() async throws {
        let pair = Pair(.r12, clock: .off(seconds: 3 * 86_400))
        var options = RingOptions.keeping()
        options.daysReadBeforeClockChange = 1
        let ring = try await Ring.connect(
            to: pair.worn.identity, over: pair.air, options: options)
        let old = try #require(ring.historyBeforeClockChange)
        #expect(Set(old[.heartRate].map(\.time.date)) == [old.today])
        #expect(Set(old[.bloodOxygen].map(\.time.date)).count == 3)
        #expect(old[.sleep].filter { !$0.isNap }.count == 3)
        #expect(old.coverage.dates(of: .bloodOxygen, .read) == [old.today])
        await ring.disconnect()
    }

    /// Without a read before, the values are lost, but their dates are not wrong.
    @Test func datesAreRightAlsoIfNoHistoryIsReadBefore() async throws {
        let pair = Pair(.r10, clock: .off(seconds: 3 * 86_400))
        var options = RingOptions.keeping()
        options.daysReadBeforeClockChange = 0
        let ring = try await Ring.connect(
            to: pair.worn.identity, over: pair.air, options: options)
        #expect(ring.historyBeforeClockChange == nil && ring.clock.wasSet)
        #expect(try await pair.faults(of: ring).faults.isEmpty)
        await ring.disconnect()
    }

    /// A journey to the east, with the clock that the app has stored.
    @Test func aKnownZoneIsNoWrongClock() async throws {
        let start = CivilDateTime(try CivilDate(year: 2026, month: 1, day: 6))
            .advanced(bySeconds: 3 * 3600)
        // The ring shows 21:00 of the day before.
        let pair = Pair(.r10, clock: .off(seconds: -6 * 3600), start: start)
        let home = RingClock(secondsFromUTC: 3600 - 6 * 3600, wasSet: true)
        let ring = try await pair.connected([home])
        #expect(ring.clocks.map(\.shift) == [nil, nil])
        #expect(ring.historyBeforeClockChange?.clockShift == nil)
        let history = try await ring.history()
        #expect(history.coverage.dates(of: .heartRate, .wrongClock).isEmpty)
        #expect(history[.heartRate].contains { $0.secondsFromUTC == home.secondsFromUTC })
        await ring.disconnect()
        let stranger = try await pair.connected()
        #expect(stranger.historyBeforeClockChange == nil, "the clock is right by now")
        await stranger.disconnect()
    }

    @Test func shiftsAreDescribed() {
        func text(_ days: Int) -> String {
            "\(ClockShift(days: days, lowestSeconds: 0, highestSeconds: 0))"
        }
        #expect(text(-3) == "3 days ahead")
        #expect(text(1) == "1 day behind")
        #expect(text(.min).hasSuffix("ahead"))
    }
}

extension RingHistory {
    /// The values whose date is not marked as uncertain.
    fileprivate var withoutMarks: RingHistory {
        var history = RingHistory(today: today, readAt: readAt, secondsFromUTC: secondsFromUTC)
        guard clockShift == nil else { return history }
        func isCertain(_ time: CivilDateTime) -> Bool {
            !uncertainTimes.contains { $0.contains(time) }
        }
        history[.heartRate] = heartRates.filter { isCertain($0.time) }
        history[.stress] = stress.filter { isCertain($0.time) }
        history[.heartRateVariability] = heartRateVariability.filter { isCertain($0.time) }
        history[.activity] = activity.filter { isCertain($0.time) }
        history[.bloodOxygen] = bloodOxygen.filter { isCertain($0.time) }
        history[.temperature] = temperatures.filter { isCertain($0.time) }
        history[.sleep] = sleep.filter { isCertain($0.start) }
        history[.workouts] = workouts
        history.totals = isCertain(CivilDateTime(today)) ? totals : nil
        return history
    }
}
