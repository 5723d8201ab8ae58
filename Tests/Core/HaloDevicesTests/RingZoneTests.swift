import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The times in UTC of stored values, after the ring's clock was set to another time zone.
@Suite(.passesTime) struct RingZoneTests {
    /// The time zones of a ring's clock, as they were set.
    private struct Truth {
        /// The seconds ahead of UTC, and the time in UTC at which they were set.
        var settings: [(offset: Int, utc: CivilDateTime)]

        /// The last time in UTC at which the ring's clock showed a time.
        func utc(_ time: CivilDateTime) -> CivilDateTime? {
            for index in settings.indices.reversed() {
                let (offset, start) = settings[index]
                let end = index + 1 < settings.count ? settings[index + 1].utc : nil
                let utc = time.advanced(bySeconds: -offset)
                if utc >= start, end.map({ utc < $0 }) ?? true { return utc }
            }
            return nil
        }

        func faults(of history: RingHistory) -> [String] {
            let samples =
                history[.heartRate].map { ($0.time, $0.utc) }
                + history[.stress].map { ($0.time, $0.utc) }
                + history[.heartRateVariability].map { ($0.time, $0.utc) }
                + history[.activity].map { ($0.time, $0.utc) }
                + history[.bloodOxygen].map { ($0.time, $0.utc) }
                + history[.temperature].map { ($0.time, $0.utc) }
                + history[.sleep].flatMap(\.stages).map { ($0.time, $0.utc) }
            return samples.compactMap { time, utc in
                guard let utc, utc != self.utc(time) else { return nil }
                return "\(time) was \(self.utc(time)?.description ?? "never"), not \(utc) in UTC"
            }
        }
    }

    private let distantPast = CivilDateTime(secondsSince1970: 0)

    private func known(_ offset: Int) -> RingOptions {
        var options = RingOptions()
        options.earlierClocks = [RingClock(secondsFromUTC: offset, wasSet: true)]
        return options
    }

    /// A value that was stored ahead of time under an earlier clock stays until it is overwritten:
    /// five seconds after ten, the value of ten is of that clock.
    @Test(arguments: [false, true])
    func aSlotThatIsNotOverIsInNoKnownZone(_ isKnown: Bool) async throws {
        let device = VirtualRingOptions(clock: .off(seconds: isKnown ? 0 : 7200))
        let bench = try await RingBench.connected(
            .r02, device: device, options: isKnown ? known(3600) : RingOptions())
        func pass(to second: Int) async throws {
            let shown = bench.air.time.wallClock().local.secondsSince1970
            try await bench.pass(.seconds(second - Int(shown) % 86_400))
        }
        func value(_ hour: Int) async throws -> TimedSample<Int>? {
            let time = try CivilTime(hour: hour, minute: 0)
            return try await bench.ring.log(.heartRate, daysAgo: 0).last { $0.time.time == time }
        }
        try await pass(to: 10 * 3600 + 5)
        let early = try await value(10)
        if let early { #expect((early.utc != nil) == isKnown) }
        #expect((early == nil) == isKnown, "the ring stores a value some seconds later")
        try await pass(to: 11 * 3600 + 60)
        let late = try #require(try await value(10))
        #expect(late.utc == late.time.advanced(bySeconds: -3600))
    }

    @Test func aSampleThatWasStoredBeforeAJourneyKeepsItsMoment() async throws {
        let bench = try await RingBench.connected(options: known(3600))
        let before = try await bench.ring.history(days: 2)
        let today = bench.air.time.wallClock().local.date
        let midnight = CivilDateTime(today)
        let first = try #require(before[.heartRate].first { $0.time == midnight })
        #expect(first.utc == midnight.advanced(bySeconds: -3600))
        try await bench.ring.setClock(.secondsFromUTC(9 * 3600))
        let after = try await bench.ring.history(days: 2)
        let same = try #require(after.heartRates.first { $0.time == midnight })
        #expect(same.value == first.value && same.utc == first.utc)
    }

    @Test(arguments: [
        ("daylight saving begins", [7200]), ("daylight saving ends", [0]),
        ("forth and back", [7200, 3600]), ("back and forth", [0, 3600]),
        ("west", [-8 * 3600]), ("east", [9 * 3600]),
        ("round the world", [9 * 3600, -8 * 3600, 3600]),
        ("half an hour", [5 * 3600 + 1800, 3600]),
    ])
    func momentsAreRightOrUnknown(_ name: String, _ zones: [Int]) async throws {
        for hours in [1, 5] {
            let bench = try await RingBench.connected(options: known(3600))
            var truth = Truth(settings: [(3600, distantPast)])
            for zone in zones {
                try await bench.pass(.seconds(hours * 3600 + 700))
                truth.settings.append((zone, bench.air.time.wallClock().utc))
                try await bench.ring.setClock(.secondsFromUTC(zone))
                #expect(truth.faults(of: try await bench.ring.history(days: 3)) == [])
            }
            try await bench.pass(.seconds(hours * 3600 + 700))
            let history = try await bench.ring.history(days: 3)
            #expect(truth.faults(of: history) == [], "\(name)")
            let unknown = history[.heartRate].count { $0.utc == nil }
            #expect(unknown * 3 < history[.heartRate].count, "\(name): \(unknown)")
            let clocks = bench.ring.clocks
            #expect(clocks.map(\.secondsFromUTC) == [3600] + zones)

            // Another program that is given these clocks knows as much.
            var options = RingOptions(clock: .set(.secondsFromUTC(zones.last ?? 0)))
            options.earlierClocks = clocks
            await bench.ring.disconnect()
            let next = try await Ring.connect(
                to: bench.worn.identity, over: bench.air.central(named: "next"), options: options)
            let again = try await next.history(days: 3)
            #expect(truth.faults(of: again) == [])
            #expect(again[.heartRate].count { $0.utc == nil } == unknown)
            #expect(next.clocks == clocks)
        }
    }

    @Test func withoutEarlierClocksTimesInUTCAreUnknown() async throws {
        let bench = try await RingBench.connected(.r10)
        try await bench.pass(.seconds(3 * 3600))
        let since = try #require(bench.ring.clock.since)
        let history = try await bench.ring.history(days: 3)
        let (old, new) = (
            history[.heartRate].filter { $0.time < since },
            history[.heartRate].filter { $0.time >= since }
        )
        #expect(old.count > 100 && old.allSatisfy { $0.utc == nil })
        #expect(new.count > 30 && new.allSatisfy { $0.secondsFromUTC == 3600 })
        #expect(history[.sleep].allSatisfy { $0.secondsFromUTC == nil })
        #expect(history.secondsFromUTC == 3600)
    }

    @Test(arguments: [7200, 0])
    func daylightSavingDoesNotChangeARingUntilItIsSet(zone: Int) async throws {
        let bench = try await RingBench.connected(options: known(3600))
        let start = bench.air.time.wallClock().utc
        bench.air.setZone(secondsFromUTC: zone)
        try await bench.pass(.seconds(3 * 3600))
        var truth = Truth(settings: [(3600, distantPast)])
        let connected = try await bench.ring.history(days: 2)
        #expect(bench.ring.clock.secondsFromUTC == 3600)
        #expect(truth.faults(of: connected) == [])
        #expect(connected.heartRates.allSatisfy { $0.secondsFromUTC == 3600 })
        let shown = try #require(connected.readAt)
        let passed = Int(shown.secondsSince1970) - Int(start.secondsSince1970)
        #expect((passed - 4 * 3600).magnitude < 10)

        bench.worn.moveAway()
        try await bench.pass(.seconds(3600))
        bench.worn.comeBack()
        try await bench.ring.waitUntilConnected()
        let clock = bench.ring.clock
        #expect(clock.secondsFromUTC == zone && clock.wasSet)
        truth.settings.append((zone, clock.utc(of: try #require(clock.since))))
        try await bench.pass(.seconds(3 * 3600))
        let set = try await bench.ring.history(days: 2)
        #expect(truth.faults(of: set) == [])
        #expect(set.heartRates.contains { $0.secondsFromUTC == zone })
        #expect(set.heartRates.contains { $0.secondsFromUTC == 3600 })
    }

    @Test func aClockThatTheRingHasNotConfirmedIsInDoubt() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: SetTime.opcode)
        var options = known(3600)
        options.clock = .set(.secondsFromUTC(7200))
        let bench = try await RingBench.connected(profile, options: options)
        #expect(!bench.ring.clock.wasSet)
        let since = try #require(bench.ring.clock.since)
        try await bench.pass(.seconds(2 * 3600))
        let history = try await bench.ring.history(days: 2)
        let truth = Truth(settings: [(3600, distantPast)])
        #expect(truth.faults(of: history) == [])
        #expect(
            history[.heartRate].allSatisfy {
                $0.secondsFromUTC == ($0.time < since.advanced(bySeconds: -300) ? 3600 : nil)
            })
        #expect(await kind { try await bench.ring.setClock(.utc) } == .timedOut)
        #expect(bench.ring.clock.secondsFromUTC == 0 && !bench.ring.clock.wasSet)
    }

    @Test func aClockThatIsLeftAloneIsWhatTheAppAssumes() async throws {
        let bench = try await RingBench.connected(options: RingOptions(clock: .leave))
        let history = try await bench.ring.history(days: 3)
        #expect(history[.heartRate].allSatisfy { $0.secondsFromUTC == 3600 })
        #expect(Truth(settings: [(3600, distantPast)]).faults(of: history) == [])
        #expect(bench.ring.clocks == [RingClock(secondsFromUTC: 3600, wasSet: false)])
    }
}
