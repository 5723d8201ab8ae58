import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// Histories that are read while the ring's day changes.
@Suite(.timeLimit(.minutes(2))) struct RingMidnightTests {
    /// A ring and its client, so many seconds before the ring's clients' midnight.
    private func bench(
        secondsBeforeMidnight seconds: Int, _ profile: RingProfile = .r10, seed: UInt64 = 1,
        day: CivilDate? = nil, device: VirtualRingOptions = VirtualRingOptions(),
        options: RingOptions = RingOptions(), faults: FaultPlan = .none
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
        for (profile, seed) in zip(
            [RingProfile.r02, .r03, .r10, .r12, .h59], [1, 2, 3, 4, 5] as [UInt64])
        {
            let bench = try await bench(
                secondsBeforeMidnight: seconds, profile, seed: seed)
            let faults = try await faults(of: bench)
            #expect(faults.isEmpty, "\(profile), \(seconds) s: \(faults)")
        }
    }
}
