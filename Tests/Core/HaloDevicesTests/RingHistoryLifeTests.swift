import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Histories that are read around midnight, from rings whose clock is not known, and over links
/// that end, as `Fixtures/Golden/Lives` has them.
@Suite(.passesTime) struct RingHistoryLifeTests {
    /// A time some seconds before a midnight in January.
    private static func midnight(minus seconds: Int) -> CivilDateTime {
        CivilDateTime(secondsSince1970: 20_459 * 86_400).advanced(bySeconds: -seconds)
    }

    /// A history in words: of its samples only their number, the first and the last one.
    private static func words(_ history: RingHistory) -> String {
        let ends = [
            history[.heartRate].first?.time, history[.heartRate].last?.time,
            history[.stress].first?.time, history[.stress].last?.time,
            history[.activity].first?.time, history[.activity].last?.time,
            history[.bloodOxygen].first?.time, history[.bloodOxygen].last?.time,
            history[.sleep].first?.start, history[.sleep].last?.end,
        ].map { $0.map { "\($0)" } ?? "none" }
        let at = history.readAt.map { "\($0)" } ?? "an unknown time"
        let zone = history.secondsFromUTC.map { "\($0)" } ?? "unknown"
        return "\(history), read at \(at), zone \(zone); \(ends.joined(separator: ", "))"
    }

    private static func read(_ ring: Ring, days: Int, _ log: LifeLog) async {
        await log.attempt("history") {
            words(try await ring.history(days: days) { log.note("\($0)") })
        }
    }

    @Test(arguments: [2, 4, 7, 9])
    func midnightPassesWhileAHistoryIsRead(seconds: Int) throws {
        try live("RingMidnight\(seconds)", startingAt: Self.midnight(minus: 20)) { air, log in
            let worn = air.add(VirtualRing(.r10, days: 2))
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            try await air.clock.sleep(
                until: VirtualClock.Instant(.origin + .seconds(20 - seconds)))
            await Self.read(ring, days: 2, log)
            await ring.disconnect()
        }
    }

    @Test(arguments: [0, 6, 600])
    func aClockThatIsLeftAloneIsAskedForItsDay(secondsBeforeItsMidnight seconds: Int) throws {
        let start = Self.midnight(minus: 3600 + seconds)
        try live("RingLeftClock\(seconds)", startingAt: start) { air, log in
            let device = VirtualRingOptions(clock: .off(seconds: 3600))
            let worn = air.add(VirtualRing(.r10, days: 2, options: device))
            let ring = try await Ring.connect(
                to: worn.identity, over: log.bluetooth, options: RingOptions(clock: .leave))
            await Self.read(ring, days: 2, log)
            await log.attempt("stress") { try await ring.log(.stress, daysAgo: 1).count }
            await ring.disconnect()
        }
    }

    /// A ring that was never worn knows no day: only replies with dates are certain.
    @Test func aRingThatKnowsNoDay() throws {
        try live("RingWithoutDay") { air, log in
            var profile = RingProfile.r02
            profile.commands = profile.commands.with(
                .refuses, "made up", for: DailyTotals.opcode)
            let device = VirtualRingOptions(clock: .factory, isWorn: false)
            let worn = air.add(VirtualRing(profile, days: 0, options: device))
            let ring = try await Ring.connect(
                to: worn.identity, over: log.bluetooth, options: RingOptions(clock: .leave))
            await Self.read(ring, days: 1, log)
            await ring.disconnect()
        }
    }

    @Test func anotherProgramSetsTheClockMeanwhile() throws {
        try live("RingClockShifted", startingAt: Self.midnight(minus: 40_000)) { air, log in
            let worn = air.add(VirtualRing(.r10, days: 3))
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            worn.modify { $0.shiftClock(bySeconds: -2 * 86_400) }
            await Self.read(ring, days: 2, log)
            await log.attempt("history") {
                Self.words(
                    try await ring.history(days: 2) { progress in
                        guard progress.step == 8 || progress.step == 12 else { return }
                        log.note("the clock is set")
                        worn.modify { $0.shiftClock(bySeconds: 86_400) }
                    })
            }
            await ring.disconnect()
        }
    }

    @Test func theAppSetsTheClockMeanwhile() throws {
        try live("RingClockSetMeanwhile") { air, log in
            let worn = air.add(VirtualRing(.r10, days: 2))
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await Self.read(ring, days: 2, log) }
                for hours in [1, 9] {
                    await log.pass(.milliseconds(900))
                    await log.attempt("clock") {
                        _ = try await ring.setClock(.secondsFromUTC(hours * 3600))
                    }
                }
                await group.waitForAll()
            }
            log.note("clocks \(ring.clocks)")
            await ring.disconnect()
        }
    }

    @Test func theLinkEndsMeanwhile() throws {
        for step in [1, 7] {
            try live("RingHistoryLost\(step)") { air, log in
                let worn = air.add(VirtualRing(.r12, days: 2))
                var options = RingOptions()
                options.reconnect = .never
                let ring = try await Ring.connect(
                    to: worn.identity, over: log.bluetooth, options: options)
                await log.attempt("history") {
                    Self.words(
                        try await ring.history(days: 2) { progress in
                            log.note("\(progress)")
                            if progress.step == step { worn.moveAway() }
                        })
                }
                await log.attempt("sleep") { try await ring.log(.sleep).count }
            }
        }
    }

    /// Parts that are refused, not answered, or not stored.
    @Test func partsThatAreMissing() throws {
        try live("RingHistoryParts") { air, log in
            var profile = RingProfile.r10
            profile.commands = profile.commands
                .with(.silent, "made up", for: StressLog.opcode)
                .with(.refuses, "made up", for: HeartRateVariabilityLog.opcode)
            profile.records = profile.records.with(
                .silent, "made up", for: Sleep.requestID, WorkoutList.requestID)
            let worn = air.add(VirtualRing(profile, days: 1))
            let ring = try await Ring.connect(to: worn.identity, over: log.bluetooth)
            await Self.read(ring, days: 2, log)
            await log.attempt("stress") { try await ring.log(.stress, daysAgo: 0).count }
            await log.attempt("variability") {
                try await ring.log(.heartRateVariability, daysAgo: 0).count
            }
            await log.attempt("workouts") { try await ring.log(.workouts).count }
            await log.attempt("old day") { try await ring.log(.heartRate, daysAgo: 20).count }
            await ring.disconnect()
        }
    }
}
