import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// A program that sets a ring's clock while it reads.
@Suite(.passesTime) struct RingClockWhileReadingTests {
    @Test(arguments: Array(stride(from: 50, through: 3050, by: 250)))
    func whatIsReadOnBothSidesHasTheRingsDays(milliseconds: Int) throws {
        // A ring that never reports its day: only the app knows that it has changed.
        var profile = RingProfile.r10
        profile.commands = profile.commands
            .with(.refuses, "made up", for: ActivityLog.opcode)
            .with(.refuses, "made up", for: DailyTotals.opcode)
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        let worn = air.add(VirtualRing(profile, wearer: Wearer(seed: 1), days: 5))
        let before = try #require(worn.state?.history)
        let history = try runDeterministically(step: { air.step() }) {
            let ring = try await Ring.connect(over: air)
            async let reading = ring.history(days: 4)
            try await air.clock.sleep(for: .milliseconds(milliseconds))
            try await ring.setClock(.secondsFromUTC(-11 * 3600))
            return try await reading
        }
        let after = try #require(worn.state?.history)
        #expect(after.now.date < before.now.date)
        #expect(history.failures.isEmpty, "\(history.failures)")
        #expect(!history[.bloodOxygen].isEmpty && !history[.stress].isEmpty)
        for sample in history[.bloodOxygen] {
            let held = [before, after].contains { memory in
                memory.bloodOxygen().contains {
                    $0.date == sample.time.date
                        && Int($0.values[sample.time.time.hour]) == sample.value.highestPercent
                }
            }
            #expect(held, "\(sample)")
        }
        for sample in history[.stress] {
            let held = [before, after].contains { memory in
                let slot = sample.time.time.minuteOfDay / 30
                return memory.stress(of: sample.time.date).map { Int($0[slot]) } == sample.value
            }
            #expect(held, "\(sample)")
        }
    }
}
