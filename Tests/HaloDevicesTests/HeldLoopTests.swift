import HaloProtocol
import HaloTransport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// What a loop holds, what holds it, and what is told to one that begins late.
@Suite(.timeLimit(.minutes(5))) struct HeldLoopTests {
    /// One loop's hold on a measurement that goes on until it is left.
    private static func measurement(of ring: Ring) -> StreamSubscription {
        let reports = ring.reports(of: .heartRate, repeating: true)
        return StreamSubscription(
            ring, .measurement(reports.measurement.quantity), once: reports.isOnce)
    }

    /// A task that is cancelled wants no more reports, whether it waits for one or not. The ring
    /// is told to stop, though what the task looped over is still held.
    @Test(arguments: [true, false])
    func aRingStopsForACancelledTaskThoughItsLoopIsHeld(whileWaiting: Bool) throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let worn = bench.worn
            let held = Self.measurement(of: bench.ring)
            let end = await RingCancellationTests.cancel(after: .seconds(3), on: air) {
                _ = try await held.next()
                #expect(worn.state?.measurement != nil)
                if !whileWaiting { withUnsafeCurrentTask { $0?.cancel() } }
                while try await held.next() != nil {}
            }
            #expect(end == nil)
            try await bench.pass(.seconds(3))
            #expect(worn.state?.measurement == nil)
            #expect(bench.ring.connectionState == .connected)
            withExtendedLifetime(held) {}
        }
    }

    /// A loop that is left is let go of at once, and not when the ring has stopped.
    @Test func aLoopThatIsLeftIsHeldByNobody() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            weak var observer: StreamObserver?
            do {
                let loop = Self.measurement(of: bench.ring)
                observer = loop.observer
                _ = try await loop.next()
                #expect(observer != nil)
                withExtendedLifetime(loop) {}
            }
            #expect(observer == nil)
            let count = bench.ring.core.update { $0.openObservers.count + $0.streams.count }
            #expect(count == 0)
            try await bench.pass(.seconds(3))
            #expect(bench.worn.state?.measurement == nil)
        }
    }

    @Test func aLoopOverStatesKeepsTheRing() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r10, days: 1))
            do {
                let states = try await Ring.connect(over: air).connectionStates
                    .makeAsyncIterator()
                try await air.clock.sleep(for: .seconds(10))
                #expect(worn.isConnected)
                withExtendedLifetime(states) {}
            }
            try await air.clock.sleep(for: .seconds(10))
            #expect(!worn.isConnected)
        }
    }

    /// A loop that begins during the first attempt is told of that, and one that begins during a
    /// later one which it is.
    @Test func aLoopOverStatesIsToldWhichAttemptIsUnderWay() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            var options = HeartRateSensorOptions()
            options.reconnect = ReconnectPolicy(
                firstDelay: .seconds(1), factor: 1, attemptTimeout: .seconds(5))
            let core = HeartRateSensorCore(strap.identity, air, options)
            #expect(core.connectionState == .connecting)
            let early = Box<Mailbox<ConnectionState>?>(nil)
            let moment = air.time.now() + .milliseconds(20)
            _ = air.time.schedule(at: moment) { early.value = core.listenToStates() }
            try await core.connect(within: .seconds(30))
            let told = try #require(early.value)
            #expect(try await told.next()?.element == .connecting)
            #expect(try await told.next()?.element == .connected)
            early.value = nil

            let sensor = HeartRateSensor(core)
            strap.moveAway()
            var attempts: [Int] = []
            for _ in 0..<80 {
                try await air.clock.sleep(for: .milliseconds(500))
                let phase = core.update { $0.phase }
                guard case .connecting(let attempt) = phase else { continue }
                if attempts.last != attempt { attempts.append(attempt) }
                #expect(sensor.connectionState == .reconnecting(attempt: attempt))
                var states = sensor.connectionStates.makeAsyncIterator()
                #expect(try await states.next() == .reconnecting(attempt: attempt))
            }
            #expect(attempts.starts(with: [0, 1, 2]))
            core.disconnect()
        }
    }

    /// What a ring's core still has of a link; of an open one, nothing is left out.
    private static func remains(of ring: Ring) -> [String] {
        ring.core.update { state in
            let all: [(String, Bool)] = [
                ("link", state.link != nil), ("attributes", state.attributes != nil),
                ("subscriptions", !state.subscriptions.isEmpty),
                ("link's timer", state.timers[.link] != nil),
                ("session's timer", state.timers[.session] != nil),
                ("calls", !state.calls.isEmpty), ("streams", !state.streams.isEmpty),
                ("failed write", state.failedWrite != nil),
            ]
            return all.filter { $0.1 }.map { $0.0 }
        }
    }

    /// Between a lost link and the next attempt, and after the end, there is nothing of a link.
    @Test func nothingIsLeftOfALostLink() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let loop = Self.measurement(of: ring)
            _ = try await loop.next()
            let before = Self.remains(of: ring)
            #expect(
                before.filter { !$0.hasSuffix("timer") } == [
                    "link", "attributes", "subscriptions", "streams",
                ])
            bench.worn.moveAway()
            for _ in 0..<100 where ring.connectionState.isConnected {
                try await bench.pass(.milliseconds(200))
            }
            #expect(ring.connectionState == .reconnecting(attempt: 0))
            #expect(Self.remains(of: ring) == [])
            #expect(ring.core.update { $0.openObservers.count } == 1)
            await ring.disconnect()
            #expect(Self.remains(of: ring) == [])
            let count = ring.core.update { state in
                state.registrations.count + state.openObservers.count + state.connecting.count
                    + state.stateListeners.sinks.count + state.eventListeners.sinks.count
            }
            #expect(count == 0)
            withExtendedLifetime(loop) {}
        }
    }
}
