import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// The lifetime of loops, and the first elements of a loop that begins late.
@Suite(.passesTime) struct HeldLoopTests {
    /// A loop over a measurement without an end.
    private static func measurement(of ring: Ring) -> Loop<RingClient, StreamItem> {
        ring.loop(over: .measurement(.heartRate), once: false)
    }

    /// A cancelled task stops the measurement, whether it waits for a report or not, and though its
    /// loop is still retained.
    @Test(arguments: [true, false])
    func aRingStopsForACancelledTaskThoughItsLoopIsRetained(whileWaiting: Bool) throws {
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let worn = bench.worn
            let held = Self.measurement(of: bench.ring)
            let end = await RingCancellationTests.cancel(after: .seconds(3), on: air) {
                _ = try await held.next()
                #expect(worn.state?.link?.measurement != nil)
                if !whileWaiting { withUnsafeCurrentTask { $0?.cancel() } }
                while try await held.next() != nil {}
            }
            #expect(end == nil)
            try await bench.pass(.seconds(3))
            #expect(worn.state?.link?.measurement == nil)
            #expect(bench.ring.connectionState == .connected)
            withExtendedLifetime(held) {}
        }
    }

    /// A loop that is left is freed at once, before the ring has stopped.
    @Test func aLoopThatIsLeftIsFreed() throws {
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
            #expect(bench.worn.state?.link?.measurement == nil)
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

    /// The first element of a loop over states that begins during an attempt is that attempt.
    @Test func aLoopOverStatesBeginsWithTheAttemptUnderWay() throws {
        try virtually { air in
            let strap = air.add(VirtualHeartRateSensor(location: .chest))
            var options = HeartRateSensorOptions()
            options.reconnect = ReconnectPolicy(
                firstDelay: .seconds(1), factor: 1, attemptTimeout: .seconds(5))
            let sensor = HeartRateSensor(to: strap.identity, over: air, options)
            #expect(sensor.connectionState == .connecting)
            let early = Box<Loop<HeartRateSensorClient, ConnectionState>?>(nil)
            let moment = air.time.now() + .milliseconds(20)
            _ = air.time.schedule(at: moment) {
                early.value = sensor.connection.stateLoop(holding: sensor)
            }
            try await sensor.connection.connect(within: .seconds(30))
            let told = try #require(early.value)
            #expect(try await told.next() == .connecting)
            #expect(try await told.next() == .connected)
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

    /// Between a lost link and the next attempt, and after the end, no part of a link is retained.
    @Test func noPartOfALostLinkIsRetained() throws {
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
            #expect(ring.connection.read { $0.operations.openCount } == 0)
            withExtendedLifetime(loop) {}
        }
    }
}

extension DeviceOperations {
    /// The number of operations that have not ended.
    var openCount: Int { underWay.count }
}

extension DeviceConnection<RingClient> {
    /// The parts of a link that are retained.
    fileprivate var remains: [String] {
        read { state in
            let (open, client) = (state.phase.openLink, state.client)
            let all = [
                ("link", open != nil), ("subscriptions", open?.subscriptions.isEmpty == false),
                ("client's timer", state.clientTimer != nil),
                ("attributes", client.attributes != nil),
                ("requests", !client.openRequests.isEmpty),
                ("streams", client.observers.contains { $0.running != nil }),
                ("failed write", client.failedWrite != nil),
                ("session's deadline", client.deadline != nil),
            ]
            return all.filter { $0.1 }.map { $0.0 }
        }
    }

    /// The number of loops, requests and waits for the connection that have not ended.
    var openCount: Int {
        read { state in
            let client = state.client
            return state.states.count + state.waiters.count + client.openRequests.count
                + client.observers.count + client.events.count + client.watch.loops.count
        }
    }
}
