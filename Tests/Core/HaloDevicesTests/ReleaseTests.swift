import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// Objects that are released without being closed: their links close, and nothing retains them.
@Suite(.passesTime) struct ReleaseTests {
    @Test func aReleasedRingIsDisconnectedAndFreed() async throws {
        let air = VirtualBluetooth(seed: 5)
        let worn = air.add(VirtualRing(.r10, days: 1))
        weak var connection: DeviceConnection<RingClient>?
        weak var link: BLELink?
        do {
            let ring = try await Ring.connect(over: air)
            (connection, link) = (ring.connection, ring.link)
            _ = try await ring.battery()
            #expect(worn.isConnected)
        }
        try await air.clock.sleep(for: .seconds(10))
        #expect(!worn.isConnected)
        #expect(connection == nil)
        #expect(link == nil)
    }

    @Test func aReleasedStripIsDisconnectedAndFreed() async throws {
        let air = VirtualBluetooth(seed: 5)
        let placed = air.add(VirtualLEDStrip())
        weak var connection: DeviceConnection<LEDStripClient>?
        do {
            let strip = try await LEDStrip.connect(over: air)
            connection = strip.connection
            _ = try await strip.state()
            #expect(placed.isConnected)
        }
        try await air.clock.sleep(for: .seconds(10))
        #expect(!placed.isConnected)
        #expect(connection == nil)
    }

    @Test func aRingReleasedWhileItReconnectsIsFreed() async throws {
        let air = VirtualBluetooth(seed: 5)
        let worn = air.add(VirtualRing(.r10, days: 1))
        weak var connection: DeviceConnection<RingClient>?
        do {
            let ring = try await Ring.connect(over: air)
            connection = ring.connection
            worn.moveAway()
            try await air.clock.sleep(for: .seconds(60))
            #expect(!ring.connectionState.isConnected)
        }
        worn.comeBack()
        try await air.clock.sleep(for: .seconds(300))
        #expect(!worn.isConnected)
        #expect(connection == nil)
    }

    @Test func releasedSequencesEndOnTheRingAndAreFreed() async throws {
        let air = VirtualBluetooth(seed: 5)
        let worn = air.add(VirtualRing(.r10, days: 1))
        weak var connection: DeviceConnection<RingClient>?
        do {
            let ring = try await Ring.connect(over: air)
            connection = ring.connection
            var beats = ring.reports(of: .heartRate).makeAsyncIterator()
            _ = try await beats.next()
            #expect(worn.state?.link?.measurement != nil)
            _ = ring.events.makeAsyncIterator()
            _ = ring.connectionStates.makeAsyncIterator()
            _ = ring.gestures.makeAsyncIterator()
        }
        try await air.clock.sleep(for: .seconds(10))
        #expect(worn.state?.link?.measurement == nil)
        #expect(!worn.isConnected)
        #expect(connection == nil)
    }

    /// The log of a link may ask the ring and close it, also when a next attempt begins.
    @Test func anObserverMayCallTheRing() async throws {
        let air = VirtualBluetooth(seed: 5)
        let worn = air.add(VirtualRing(.r10, days: 1))
        let ring = Locked<Ring?>(nil)
        let attempts = Locked(0)
        var options = RingOptions()
        options.observer = { trace in
            guard trace.kind == .request, trace.operation == .connect else { return }
            let held = ring.withLock { $0 }
            guard let held, !held.connectionState.isConnected else { return }
            let count = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if count == 2 { held.connection.disconnect() }
        }
        let connected = try await Ring.connect(over: air, options: options)
        ring.withLock { $0 = connected }
        worn.moveAway()
        try await air.clock.sleep(for: .seconds(300))
        await #expect(throws: DeviceError.self) { try await connected.waitUntilConnected() }
        #expect(attempts.withLock { $0 } == 2)
        ring.withLock { $0 = nil }
    }

    @Test func aLoopThatIsLeftLeavesNoListener() async throws {
        let air = VirtualBluetooth(seed: 5)
        air.add(VirtualRing(.r10, days: 1))
        let ring = try await Ring.connect(over: air)
        let loops: [@Sendable () async throws -> Void] = [
            { for try await _ in ring.gestures {} },
            { for try await _ in ring.events {} },
            { for try await _ in ring.connectionStates {} },
            { for try await _ in ring.reports(of: .heartRate, repeating: true) {} },
            { for try await _ in try await ring.startWorkout(.walk) {} },
            {
                var gestures = ring.gestures.makeAsyncIterator()
                _ = try await gestures.next()
                _ = try await gestures.next()
            },
        ]
        for (index, loop) in loops.enumerated() {
            for wait in [0, 30, 700, 5_000] {
                let task = Task { try? await loop() }
                try await air.clock.sleep(for: .milliseconds(wait))
                await Task.yield()
                task.cancel()
                _ = await task.value
                try await air.clock.sleep(for: .seconds(15))
                #expect(ring.connection.openCount == 0, "loop \(index), left after \(wait) ms")
            }
        }
    }

    @Test func aCancelledWaitForALinkIsForgotten() async throws {
        let air = VirtualBluetooth(seed: 5)
        let worn = air.add(VirtualRing(.r10, days: 1))
        let placed = air.add(VirtualHeartRateSensor(location: .chest))
        let ring = try await Ring.connect(to: worn.identity, over: air)
        let strap = try await HeartRateSensor.connect(to: placed.identity, over: air)
        worn.moveAway()
        placed.moveAway()
        try await air.clock.sleep(for: .seconds(20))
        let waits: [@Sendable () async throws -> Void] = [
            { try await ring.waitUntilConnected() }, { try await strap.waitUntilConnected() },
        ]
        for wait in waits {
            for _ in 0..<5 {
                let end = await RingCancellationTests.cancel(after: .seconds(1), on: air, wait)
                #expect(end == .cancelled)
            }
        }
        #expect(ring.connection.read { $0.waiters.count } == 0)
        #expect(strap.connection.read { $0.waiters.count } == 0)
    }

    @Test func aSequenceThatIsHeldKeepsTheRing() async throws {
        let air = VirtualBluetooth(seed: 5)
        let worn = air.add(VirtualRing(.r10, days: 1))
        var events = try await Ring.connect(over: air).events.makeAsyncIterator()
        try await air.clock.sleep(for: .seconds(10))
        #expect(worn.isConnected)
        withExtendedLifetime(events) {}
        events = try await Ring.connect(over: VirtualBluetooth.withRing()).events
            .makeAsyncIterator()
        try await air.clock.sleep(for: .seconds(10))
        #expect(!worn.isConnected)
    }

    @Test func aReleasedSensorIsDisconnectedAndFreed() async throws {
        let air = VirtualBluetooth(seed: 5)
        let placed = air.add(VirtualHeartRateSensor(location: .chest))
        weak var connection: DeviceConnection<HeartRateSensorClient>?
        do {
            let strap = try await HeartRateSensor.connect(over: air)
            connection = strap.connection
            var beats = strap.measurements.makeAsyncIterator()
            _ = try await beats.next()
            #expect(placed.isConnected)
        }
        try await air.clock.sleep(for: .seconds(10))
        #expect(!placed.isConnected)
        #expect(connection == nil)
    }

    /// The link is lost at the moment at which a loop begins.
    @Test func aLoopMayBeginWhileATimerRings() async throws {
        let wall = Box(Duration.zero)
        let isConnecting = Box(true)
        let air = VirtualBluetooth(
            seed: 5, mode: .automatic,
            startingAt: WallClock(local: VirtualBluetooth.defaultStart, secondsFromUTC: 0),
            faults: .none,
            pacing: VirtualPacing(
                spawn: { body in if isConnecting.value { Task { await body() } } },
                now: { wall.value }, pause: { _ in await Task.yield() }))
        let placed = air.add(VirtualHeartRateSensor(location: .chest))
        let strap = try await HeartRateSensor.connect(over: air)
        isConnecting.value = false
        air.time.waiting(.listeningBegins)
        placed.moveAway()
        #expect(strap.connectionState.isConnected)
        wall.value += .seconds(100)
        let beats = strap.measurements.makeAsyncIterator()
        #expect(!strap.connectionState.isConnected)
        withExtendedLifetime(beats) {}
        air.time.waiting(.listeningEnds)
    }

    @Test func aRingWhoseServicesChangeAllTheTimeFillsNoMemory() async throws {
        let air = VirtualBluetooth(seed: 5)
        air.add(VirtualRing(.r10, days: 1))
        let ring = try await Ring.connect(over: air)
        let count = { ring.connection.read { $0.phase.openLink?.subscriptions.count } }
        #expect(count() == 2)
        for _ in 0..<20 {
            let generation = try #require(ring.connection.read { $0.phase.openLink?.generation })
            ring.connection.receive(.servicesChanged, air.time.now(), generation)
            _ = try await ring.battery()
        }
        try await air.clock.sleep(for: .seconds(5))
        #expect(count() == 2)
        #expect(ring.connection.read { $0.operations.openCount } < 8)
    }
}

extension VirtualBluetooth {
    fileprivate static func withRing() -> VirtualBluetooth {
        let air = VirtualBluetooth(seed: 6)
        air.add(VirtualRing(.r10, days: 1))
        return air
    }
}
