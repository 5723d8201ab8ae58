import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Loops over states wait for a change: they ask for nothing meanwhile, and wake up for nothing.
@Suite(.passesTime) struct StatesWaitingTests {
    /// Waits that begin and end, and the uses of the time.
    private struct Counts {
        var begun = 0
        var ended = 0
        var timers = 0
    }

    /// A time that counts.
    private struct CountingTime: ForwardingTime {
        let base: any TransportTime
        let counts = Locked(Counts())

        var clock: any Clock<Duration> {
            counts.withLock { $0.timers += 1 }
            return base.clock
        }
        func schedule(
            at moment: Moment, _ action: @escaping @Sendable () -> Void
        ) -> BLECancellable {
            counts.withLock { $0.timers += 1 }
            return base.schedule(at: moment, action)
        }
        func waiting(_ change: WaitChange) {
            counts.withLock {
                if change == .listeningBegins { $0.begun += 1 }
                if change == .listeningEnds { $0.ended += 1 }
            }
            base.waiting(change)
        }
    }

    /// Waits for the change of a connection that is idle for an hour.
    private static func wait(
        _ states: DeviceUpdates<ConnectionState>, _ time: CountingTime,
        _ air: VirtualBluetooth, change: @escaping @Sendable () -> Void
    ) async throws {
        var first = states.makeAsyncIterator()
        #expect(try await first.next() == .connected)
        let before = time.counts.withLock { $0 }
        let next = Task {
            var iterator = states.makeAsyncIterator()
            _ = try await iterator.next()
            return try await iterator.next()
        }
        try await eventually("a loop that waits") {
            time.counts.withLock { $0.begun } == before.begun + 1
        }
        let timers = time.counts.withLock { $0.timers }
        try await air.clock.sleep(for: .seconds(3600))
        let after = time.counts.withLock { $0 }
        #expect(after.begun == before.begun + 1 && after.ended == before.ended, "it waits once")
        #expect(after.timers == timers, "it does not wake up")
        change()
        #expect(try await next.value?.isConnected == false)
    }

    @Test func aLoopOverTheStatesOfARingWaits() async throws {
        let air = VirtualBluetooth(seed: 1)
        let worn = air.add(VirtualRing(.r10, days: 0))
        let time = CountingTime(base: air.time)
        let ring = try await Ring.connect(
            to: worn.identity, over: OtherTime(base: air, time: time))
        try await Self.wait(ring.connectionStates, time, air) { worn.moveAway() }
        await ring.disconnect()
    }

    @Test func aLoopOverTheStatesOfAStripWaits() async throws {
        let air = VirtualBluetooth(seed: 1)
        let placed = air.add(OddStrip())
        let time = CountingTime(base: air.time)
        let strip = try await LEDStrip.connect(
            to: placed.identity, over: OtherTime(base: air, time: time))
        try await Self.wait(strip.connectionStates, time, air) { placed.moveAway() }
        await strip.disconnect()
    }

    @Test func aLoopOverTheStatesOfAStrapWaits() async throws {
        let air = VirtualBluetooth(seed: 1)
        let worn = air.add(VirtualHeartRateSensor(options: .init()))
        let time = CountingTime(base: air.time)
        let sensor = try await HeartRateSensor.connect(
            to: worn.identity, over: OtherTime(base: air, time: time))
        try await Self.wait(sensor.connectionStates, time, air) { worn.moveAway() }
        await sensor.disconnect()
    }

    /// The status of a strip is requested for loops only: the last one to end ends it.
    @Test func aStripIsAskedNothingAfterALoop() async throws {
        let bench = try await StripBench(logs: true)
        do {
            var states = bench.strip.states.makeAsyncIterator()
            _ = try await states.next()
        }
        try await bench.pass(.seconds(1))
        let count = bench.logged.count
        try await bench.pass(.seconds(3600))
        #expect(bench.logged.count == count)
        try await bench.strip.set(.white)
        try await bench.pass(.seconds(60))
        #expect(bench.logged.count == count + 1)
    }

    /// A loop asks at its beginning and every ten seconds, and no more often.
    @Test func aLoopAsksAtItsInterval() async throws {
        let bench = try await StripBench(logs: true)
        var states = bench.strip.states.makeAsyncIterator()
        _ = try await states.next()
        let count = bench.logged.count
        try await bench.pass(.seconds(600))
        #expect((59...61).contains(bench.logged.count - count))
        withExtendedLifetime(states) {}
    }
}
