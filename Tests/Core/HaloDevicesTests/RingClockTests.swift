import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct RingClockTests {
    @Test func theLocalTimeIsSetAndSamplesHaveIt() async throws {
        let bench = try await RingBench.connected(secondsFromUTC: 7200)
        #expect(bench.ring.clock.secondsFromUTC == 7200 && bench.ring.clock.wasSet)
        #expect(bench.ring.historyBeforeClockChange == nil)
        try await bench.pass(.seconds(1200))
        let sample = try #require(try await bench.ring.log(.heartRate, daysAgo: 0).last)
        #expect(sample.secondsFromUTC == 7200)
        #expect(sample.utc == sample.time.advanced(bySeconds: -7200))
        let shown = try #require(bench.worn.state?.time)
        let local = bench.air.time.wallClock().local
        #expect(shown.advanced(bySeconds: 2) >= local && shown <= local.advanced(bySeconds: 2))
    }

    @Test func aHistoryOfAnotherDayIsReadBeforeTheClockIsSet() async throws {
        let device = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))
        let bench = try await RingBench.connected(days: 3, device: device)
        let earlier = try #require(bench.ring.historyBeforeClockChange)
        let today = bench.air.time.wallClock().local.date
        #expect(earlier.today == today.advanced(byDays: -5))
        #expect(earlier.secondsFromUTC == nil)
        #expect(!earlier[.heartRate].isEmpty)
        #expect(earlier[.heartRate].allSatisfy { $0.secondsFromUTC == nil && $0.utc == nil })
        #expect(bench.ring.clock.wasSet)
        let shown = try #require(bench.worn.state?.time)
        #expect(shown.date == today)
    }

    @Test func theHistoryOfAClockThatWasNeverSetIsReadToo() async throws {
        let device = VirtualRingOptions(clock: .factory)
        let bench = try await RingBench.connected(days: 2, device: device)
        let earlier = try #require(bench.ring.historyBeforeClockChange)
        #expect(earlier.today.year == 2000)
        #expect(!earlier[.activity].isEmpty)
        #expect(!earlier[.heartRate].isEmpty, "they are asked for by the date of the ring")
        #expect(!earlier[.sleep].isEmpty)
        #expect(bench.ring.clock.wasSet)
    }

    @Test func firmwareThatForgetsTheYearMeansTheNearestOne() async throws {
        let right = try await RingBench.connected(.r03)
        #expect(right.ring.historyBeforeClockChange == nil)
        let device = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))
        let wrong = try await RingBench.connected(.r03, device: device)
        let earlier = try #require(wrong.ring.historyBeforeClockChange)
        let today = wrong.air.time.wallClock().local.date
        #expect(earlier.today == today.advanced(byDays: -5))
        #expect(!earlier[.heartRate].isEmpty)
    }

    @Test func aClockThatIsLeftAloneIsNotSet() async throws {
        let device = VirtualRingOptions(clock: .off(seconds: 1000))
        let bench = try await RingBench.connected(
            secondsFromUTC: 3600, device: device, options: RingOptions(clock: .leave))
        #expect(bench.ring.clock == RingClock(secondsFromUTC: 3600, wasSet: false))
        #expect(bench.ring.historyBeforeClockChange == nil)
        let shown = try #require(bench.worn.state?.time)
        let local = bench.air.time.wallClock().local
        #expect(shown > local.advanced(bySeconds: 990))
        #expect(bench.ring.capabilities.gesture != nil)
        #expect(bench.ring.capabilities.stress == nil)
    }

    @Test(arguments: [
        (ClockPolicy.set(.utc), 0), (.set(.secondsFromUTC(-18_000)), -18_000),
        (.set(.local), 3600),
    ])
    func theProgramChoosesTheZone(_ policy: ClockPolicy, _ seconds: Int) async throws {
        let bench = try await RingBench.connected(
            secondsFromUTC: 3600, options: RingOptions(clock: policy))
        #expect(bench.ring.clock.secondsFromUTC == seconds && bench.ring.clock.wasSet)
        let utc = bench.air.time.wallClock().utc
        let shown = try #require(bench.worn.state?.time)
        let difference = Int(shown.secondsSince1970) - Int(utc.secondsSince1970) - seconds
        #expect(abs(difference) <= 2)
    }

    @Test func theClockCanBeSetAnew() async throws {
        let bench = try await RingBench.connected()
        #expect(try await bench.ring.setClock(.utc).stress != nil)
        let clock = bench.ring.clock
        #expect(clock.secondsFromUTC == 0 && clock.wasSet)
        let error = await #expect(throws: DeviceError.self) {
            try await bench.ring.setClock(.secondsFromUTC(-4_000_000_000))
        }
        #expect(error?.kind == .badValue)
        #expect(error?.valueError != nil)
        #expect(bench.ring.clock == clock)
    }

    /// Connects to a ring that is asked for its battery in vain for two seconds.
    private static func slowToReportItsBattery(
        in air: VirtualBluetooth
    ) async throws -> RingBench {
        let slow = RingFault(.delay(.seconds(2)), of: .command(Battery.opcode))
        return try await RingBench.connected(in: air, device: VirtualRingOptions(faults: [slow]))
    }

    /// The task is cancelled at once, or while the request waits for the reply to another.
    @Test(arguments: [0, 500]) func aClockThatIsNotSentLeavesTheRings(_ delay: Int) throws {
        try virtually { air in
            let bench = try await Self.slowToReportItsBattery(in: air)
            let ring = bench.ring
            let (clock, clocks) = (ring.clock, ring.clocks)
            let shown = try #require(bench.worn.state?.time)
            let begun = air.time.now()
            async let charge = ring.battery()
            try await air.clock.sleep(for: .milliseconds(10))
            let end = await RingCancellationTests.cancel(after: .milliseconds(delay), on: air) {
                try await ring.setClock(.secondsFromUTC(-36_000))
            }
            #expect(end == .cancelled)
            _ = try await charge
            try await air.clock.sleep(for: .seconds(20))
            #expect(ring.clock == clock && ring.clocks == clocks)
            _ = try await ring.battery()
            let passed = air.time.now().duration(since: begun).components.seconds
            let later = try #require(bench.worn.state?.time)
            let kept = shown.advanced(bySeconds: Int(passed))
            #expect(abs(Int(later.secondsSince1970) - Int(kept.secondsSince1970)) <= 3)
            await ring.disconnect()
        }
    }

    /// A request that waits for the reply to another one sets the time at which it is written.
    @Test func theTimeIsThatOfTheWrite() throws {
        try virtually { air in
            let bench = try await Self.slowToReportItsBattery(in: air)
            let ring = bench.ring
            async let first = ring.battery()
            async let second = ring.battery()
            async let third = ring.battery()
            try await air.clock.sleep(for: .milliseconds(10))
            try await ring.setClock(.secondsFromUTC(7200))
            _ = try await (first, second, third)
            _ = try await ring.battery()
            let shown = try #require(bench.worn.state?.time)
            let right = air.time.wallClock().utc.advanced(bySeconds: 7200)
            #expect(abs(Int(shown.secondsSince1970) - Int(right.secondsSince1970)) <= 3)
            let since = try #require(ring.clock.since)
            #expect(ring.clock.wasSet && since <= shown)
            await ring.disconnect()
        }
    }

    @Test func aProgramMaySkipTheHistory() async throws {
        let device = VirtualRingOptions(clock: .factory)
        var options = RingOptions()
        options.daysReadBeforeClockChange = 0
        let bench = try await RingBench.connected(days: 2, device: device, options: options)
        #expect(bench.ring.historyBeforeClockChange == nil)
        #expect(bench.ring.clock.wasSet)
    }
}
