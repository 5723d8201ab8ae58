import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RingClockTests {
    @Test func theLocalTimeIsSetAndSamplesSaySo() async throws {
        let bench = try await RingBench.connected(secondsFromUTC: 7200)
        #expect(bench.ring.clock.secondsFromUTC == 7200 && bench.ring.clock.wasSet)
        #expect(bench.ring.readBeforeClockWasSet == nil)
        try await bench.pass(.seconds(1200))
        let sample = try #require(try await bench.ring.heartRates(daysAgo: 0).last)
        #expect(sample.secondsFromUTC == 7200)
        #expect(sample.utc == sample.time.advanced(bySeconds: -7200))
        let shown = try #require(bench.worn.state?.time)
        let local = bench.air.time.wallClock().local
        #expect(shown.advanced(bySeconds: 2) >= local && shown <= local.advanced(bySeconds: 2))
    }

    @Test func anotherDayIsReadBeforeTheClockIsSet() async throws {
        let device = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))
        let bench = try await RingBench.connected(days: 3, device: device)
        let orphans = try #require(bench.ring.readBeforeClockWasSet)
        let today = bench.air.time.wallClock().local.date
        #expect(orphans.today == today.advanced(byDays: -5))
        #expect(orphans.secondsFromUTC == nil)
        #expect(!orphans.heartRates.isEmpty)
        #expect(orphans.heartRates.allSatisfy { $0.secondsFromUTC == nil && $0.utc == nil })
        #expect(bench.ring.clock.wasSet)
        let old = try #require(bench.worn.state?.time)
        #expect(old.date == today)
    }

    @Test func aClockThatNobodyHasSetIsReadToo() async throws {
        let device = VirtualRingOptions(clock: .factory)
        let bench = try await RingBench.connected(days: 2, device: device)
        let orphans = try #require(bench.ring.readBeforeClockWasSet)
        #expect(orphans.today.year == 2000)
        #expect(!orphans.activity.isEmpty)
        #expect(!orphans.heartRates.isEmpty, "they are asked for by the date of the ring")
        #expect(!orphans.sleep.isEmpty)
        #expect(bench.ring.clock.wasSet)
    }

    @Test func firmwareThatForgetsTheYearMeansTheNearestOne() async throws {
        let right = try await RingBench.connected(.r03)
        #expect(right.ring.readBeforeClockWasSet == nil)
        let device = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))
        let wrong = try await RingBench.connected(.r03, device: device)
        let orphans = try #require(wrong.ring.readBeforeClockWasSet)
        let today = wrong.air.time.wallClock().local.date
        #expect(orphans.today == today.advanced(byDays: -5))
        #expect(!orphans.heartRates.isEmpty)
    }

    @Test func aClockThatIsLeftAloneIsNotTouched() async throws {
        let device = VirtualRingOptions(clock: .off(seconds: 1000))
        let bench = try await RingBench.connected(
            secondsFromUTC: 3600, device: device, options: RingOptions(clock: .leave))
        #expect(bench.ring.clock == RingClock(secondsFromUTC: 3600, wasSet: false))
        #expect(bench.ring.readBeforeClockWasSet == nil)
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
    func theZoneIsTheProgramsChoice(_ policy: ClockPolicy, _ seconds: Int) async throws {
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

    @Test func aProgramMayRefuseToWait() async throws {
        let device = VirtualRingOptions(clock: .factory)
        var options = RingOptions()
        options.daysBeforeClockIsSet = 0
        let bench = try await RingBench.connected(days: 2, device: device, options: options)
        #expect(bench.ring.readBeforeClockWasSet == nil)
        #expect(bench.ring.clock.wasSet)
    }
}
