import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// No reconnecting after the program has closed the link itself: for rings and straps alike, at
/// every moment of a link's life.
@Suite(.passesTime) struct ClosedLinkTests {
    @Test func aRingWhoseLinkIsClosedStaysDisconnected() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        var states = ring.connectionStates.makeAsyncIterator()
        var events = ring.events.makeAsyncIterator()
        var reports = ring.reports(of: .heartRate, repeating: true).makeAsyncIterator()
        #expect(try await reports.next() != nil)
        await ring.link?.disconnect()
        try await bench.pass(.seconds(120))
        #expect(!bench.worn.isConnected)
        #expect(ring.link == nil)
        #expect(ring.connectionState.error?.disconnectReason?.kind == .local)
        var last: ConnectionState?
        while let state = try await states.next() { last = state }
        #expect(last?.error?.disconnectReason?.kind == .local)
        while try await events.next() != nil {}
        while try await reports.next() != nil {}
        let asked = await #expect(throws: DeviceError.self) { _ = try await ring.battery() }
        #expect(asked?.disconnectReason?.kind == .local)
        #expect(await kind { try await ring.waitUntilConnected() } == .disconnected)
    }

    @Test func aLoopOverALostDeviceThrowsOnce() async throws {
        var options = RingOptions()
        options.reconnect = .never
        let bench = try await RingBench.connected(options: options)
        bench.worn.moveAway()
        try await bench.pass(.seconds(60))
        var events = bench.ring.events.makeAsyncIterator()
        await #expect(throws: DeviceError.self) { _ = try await events.next() }
        #expect(try await events.next() == nil)
    }

    @Test func requestsEndWithTheReasonOfTheClosedLink() async throws {
        let bench = try await RingBench.connected()
        let (air, ring) = (bench.air, bench.ring)
        let link = try #require(ring.link)
        let cut = air.time.schedule(at: air.time.now() + .milliseconds(40)) { link.close() }
        let error = await #expect(throws: DeviceError.self) {
            while true { _ = try await ring.history(days: 1) }
        }
        cut.cancel()
        #expect(error?.kind == .disconnected)
        #expect(error?.disconnectReason?.kind == .local)
    }

    @Test func aStrapWhoseLinkIsClosedStaysDisconnected() async throws {
        let air = VirtualBluetooth(seed: 2)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        var states = sensor.connectionStates.makeAsyncIterator()
        var beats = sensor.measurements.makeAsyncIterator()
        #expect(try await beats.next() != nil)
        await sensor.link?.disconnect()
        try await air.clock.sleep(for: .seconds(120))
        #expect(!strap.isConnected)
        #expect(sensor.connectionState.error?.disconnectReason?.kind == .local)
        while try await beats.next() != nil {}
        var last: ConnectionState?
        while let state = try await states.next() { last = state }
        #expect(last?.error?.disconnectReason?.kind == .local)
    }

    /// Loses the link, and closes the next one some time after its first possible moment.
    private func closeTheNextLink<Device>(
        after delay: Duration, on air: VirtualBluetooth, _ placed: Placed<Device>,
        _ link: @escaping @Sendable () -> BLELink?, _ state: () -> ConnectionState
    ) async throws -> ConnectionState? {
        try await air.clock.sleep(until: VirtualClock.Instant(Self.loss))
        let closed = Box<Bool>(false)
        let before = Box<ConnectionState?>(nil)
        _ = air.time.schedule(at: Self.loss + .seconds(1) + delay) {
            guard let link = link() else { return }
            closed.value = true
            link.close()
        }
        try await air.clock.sleep(for: .seconds(1) + delay - .microseconds(1))
        before.value = state()
        try await air.clock.sleep(for: .seconds(120))
        guard closed.value else { return nil }
        #expect(!placed.isConnected, "closed after \(delay)")
        #expect(
            state().error?.disconnectReason?.kind == .local, "closed after \(delay): \(state())")
        return before.value
    }

    private static let loss = Moment.origin + .seconds(20)
    private static let faults = FaultPlan(rules: [FaultRule(.disconnection, .at(loss))])

    @Test func aRingsLinkIsClosedAtEveryMomentOfReconnecting() async throws {
        var duringPreparing = 0
        var afterwards = 0
        for step in 0..<40 {
            let bench = try await RingBench.connected(days: 1, faults: Self.faults)
            let ring = bench.ring
            let state = try await closeTheNextLink(
                after: .milliseconds(step * 131), on: bench.air, bench.worn, { ring.link },
                { ring.connectionState })
            guard let state else { continue }
            if state.isConnected { afterwards += 1 } else { duringPreparing += 1 }
        }
        #expect(duringPreparing > 5)
        #expect(afterwards > 5)
    }

    @Test func aStrapsLinkIsClosedAtEveryMomentOfReconnecting() async throws {
        var duringPreparing = 0
        var afterwards = 0
        for step in 0..<40 {
            let air = VirtualBluetooth(seed: 2, faults: Self.faults)
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            let sensor = try await HeartRateSensor.connect(over: air)
            let state = try await closeTheNextLink(
                after: .milliseconds(step * 121), on: air, strap, { sensor.link },
                { sensor.connectionState })
            guard let state else { continue }
            if state.isConnected { afterwards += 1 } else { duringPreparing += 1 }
        }
        #expect(duringPreparing > 5)
        #expect(afterwards > 5)
    }

    @Test func aClientIsDisconnectedAtEveryMomentOfReconnecting() async throws {
        for step in 0..<30 {
            let bench = try await RingBench.connected(days: 1, faults: Self.faults)
            try await bench.air.clock.sleep(until: VirtualClock.Instant(Self.loss))
            try await bench.pass(.seconds(1) + .milliseconds(step * 59))
            await bench.ring.disconnect()
            try await bench.pass(.seconds(120))
            #expect(!bench.worn.isConnected, "step \(step)")
            #expect(
                bench.ring.connectionState.error?.disconnectReason?.kind == .local, "step \(step)")
        }
    }
}

extension ConnectionState {
    /// The error of a connection that stays closed; `nil` of any other.
    var error: DeviceError? {
        if case .disconnected(let error) = self { error } else { nil }
    }
}
