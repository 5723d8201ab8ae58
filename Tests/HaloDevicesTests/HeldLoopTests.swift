import HaloProtocol
import HaloTransport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// What a loop holds, what holds it, and what is told to one that begins late.
@Suite(.timeLimit(.minutes(5))) struct HeldLoopTests {
    /// One loop's hold on a measurement that goes on until it is left.
    private static func measurement(of ring: Ring) -> Loop<RingClient, StreamItem> {
        ring.loop(over: .measurement(.heartRate), once: false)
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
            weak var left: Loop<RingClient, StreamItem>?
            do {
                let loop = Self.measurement(of: bench.ring)
                left = loop
                _ = try await loop.next()
                #expect(left != nil)
                #expect(bench.ring.connection.openCount > 0)
                withExtendedLifetime(loop) {}
            }
            #expect(left == nil)
            #expect(bench.ring.connection.openCount == 0)
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
            let sensor = HeartRateSensor(to: strap.identity, over: air, options)
            #expect(sensor.connectionState == .connecting)
            let early = Box<(any LoopBuffer<ConnectionState>)?>(nil)
            let moment = air.time.now() + .milliseconds(20)
            _ = air.time.schedule(at: moment) {
                early.value = sensor.connection.stateLoop(holding: sensor)
            }
            try await sensor.connection.connect(within: .seconds(30))
            let told = try #require(early.value)
            #expect(try await told.next()?.element == .connecting)
            #expect(try await told.next()?.element == .connected)
            early.value = nil

            strap.moveAway()
            var attempts: [Int] = []
            for _ in 0..<80 {
                try await air.clock.sleep(for: .milliseconds(500))
                let phase = sensor.connection.read { $0.phase }
                guard case .opening(let opening) = phase, let attempt = opening.index else {
                    continue
                }
                if attempts.last != attempt { attempts.append(attempt) }
                #expect(sensor.connectionState == .reconnecting(attempt: attempt))
                var states = sensor.connectionStates.makeAsyncIterator()
                #expect(try await states.next() == .reconnecting(attempt: attempt))
            }
            #expect(attempts.starts(with: [0, 1, 2]))
            sensor.connection.disconnect()
        }
    }

    /// Between a lost link and the next attempt, and after the end, there is nothing of a link.
    @Test func nothingIsLeftOfALostLink() throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let ring = bench.ring
            let loop = Self.measurement(of: ring)
            _ = try await loop.next()
            let before = ring.connection.remains
            #expect(
                before.filter { !$0.hasSuffix("timer") && !$0.hasSuffix("deadline") } == [
                    "link", "subscriptions", "attributes", "streams",
                ])
            bench.worn.moveAway()
            for _ in 0..<100 where ring.connectionState.isConnected {
                try await bench.pass(.milliseconds(200))
            }
            #expect(ring.connectionState == .reconnecting(attempt: 0))
            #expect(ring.connection.remains == [])
            #expect(ring.connection.openCount == 1)
            await ring.disconnect()
            #expect(ring.connection.remains == [])
            #expect(ring.connection.openCount == 0)
            #expect(ring.connection.read { $0.turn.openCount } == 0)
            withExtendedLifetime(loop) {}
        }
    }
}

extension ConnectionTurn {
    /// How much was begun and has not ended.
    var openCount: Int { held.count + waits.count }
}

extension DeviceConnection<RingClient> {
    /// What there is of a link; of an open one, nothing is left out.
    fileprivate var remains: [String] {
        read { state in
            let (open, client) = (state.phase.openLink, state.client)
            let all = [
                ("link", open != nil), ("subscriptions", open?.subscriptions.isEmpty == false),
                ("client's timer", state.clientTimer != nil),
                ("attributes", client.attributes != nil), ("calls", !client.calls.isEmpty),
                ("streams", client.observers.contains { $0.running != nil }),
                ("failed write", client.failedWrite != nil),
                ("session's deadline", client.deadline != nil),
            ]
            return all.filter { $0.1 }.map { $0.0 }
        }
    }

    /// How many loops, requests and waits for the connection have not ended.
    var openCount: Int {
        read { state in
            let client = state.client
            return state.states.count + state.waiters.count + client.calls.count
                + client.observers.count + client.events.count + client.watch.loops.count
        }
    }
}
