import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

@Suite(.timeLimit(.minutes(20))) struct RingReconnectingTests {
    @Test func aLostRingIsReconnected() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        bench.worn.moveAway()
        try await bench.pass(.seconds(30))
        guard case .reconnecting = ring.connectionState else {
            Issue.record("\(ring.connectionState)")
            return
        }
        let error = await #expect(throws: DeviceError.self) { _ = try await ring.battery() }
        #expect(error?.kind == .disconnected)
        #expect(error?.isTransient == true)
        bench.worn.comeBack()
        try await ring.connected()
        #expect(ring.connectionState == .connected)
        #expect(try await ring.battery().percent == 80)
        #expect(ring.clock.wasSet)
    }

    @Test func statesComeInTheirOrder() async throws {
        let bench = try await RingBench.connected()
        var states = bench.ring.connectionStates.makeAsyncIterator()
        bench.worn.moveAway()
        try await bench.pass(.seconds(40))
        bench.worn.comeBack()
        try await bench.ring.connected()
        await bench.ring.disconnect()
        var seen: [ConnectionState] = []
        while let state = try await states.next() { seen.append(state) }
        #expect(seen.first == .connected)
        #expect(seen.contains(.reconnecting(attempt: 0)))
        #expect(seen.contains(.reconnecting(attempt: 1)))
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
        let again = try #require(seen.lastIndex(of: .connected))
        #expect(again == seen.count - 2)
        guard case .disconnected = seen.last else {
            Issue.record("\(seen)")
            return
        }
    }

    @Test func neverMeansNever() async throws {
        var options = RingOptions()
        options.reconnect = .never
        let bench = try await RingBench.connected(options: options)
        bench.worn.moveAway()
        try await bench.pass(.seconds(10))
        guard case .disconnected(let error) = bench.ring.connectionState else {
            Issue.record("\(bench.ring.connectionState)")
            return
        }
        #expect(error.reason?.kind == .outOfReach)
        #expect(await kind { try await bench.ring.connected() } == .disconnected)
    }

    @Test func aPolicyMayLimitTheAttempts() async throws {
        var options = RingOptions()
        options.reconnect = ReconnectPolicy(attempts: 3, attemptTimeout: .seconds(4))
        let bench = try await RingBench.connected(options: options)
        var states = bench.ring.connectionStates.makeAsyncIterator()
        bench.worn.moveAway()
        #expect(await kind { try await bench.ring.connected() } == nil)
        try await bench.pass(.seconds(60))
        var attempts: Set<Int> = []
        var last: ConnectionState?
        while let state = try await states.next() {
            if case .reconnecting(let attempt) = state { attempts.insert(attempt) }
            last = state
        }
        #expect(attempts == [0, 1, 2])
        guard case .disconnected(let error) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(error.bleError?.kind == .timedOut)
    }

    /// One attempt waits for hours; its timeout begins with the link.
    @Test func aPolicyMayWaitForTheDevice() async throws {
        var options = RingOptions()
        options.reconnect = .whenInReach
        let bench = try await RingBench.connected(options: options)
        bench.worn.moveAway()
        try await bench.pass(.seconds(10))
        for _ in 0..<20 {
            try await bench.pass(.seconds(600))
            #expect(bench.ring.connectionState == .reconnecting(attempt: 0))
        }
        bench.worn.comeBack()
        try await bench.ring.connected()
        #expect(bench.ring.connectionState == .connected)
        // Nothing of the attempt is left that would end the link.
        try await bench.pass(.seconds(60))
        #expect(bench.ring.connectionState == .connected)
        await bench.ring.disconnect()
    }

    @Test func requestsEndWithTheLinkAndItsReason() async throws {
        let bench = try await RingBench.connected()
        let (air, ring) = (bench.air, bench.ring)
        let worn = bench.worn
        let cut = air.time.schedule(at: air.time.now() + .milliseconds(40)) { worn.moveAway() }
        let error = await #expect(throws: DeviceError.self) {
            while true { _ = try await ring.history(days: 1) }
        }
        cut.cancel()
        #expect(error?.kind == .disconnected)
        #expect(error?.reason?.kind == .outOfReach)
        #expect(error?.sessionError?.kind == .disconnected)
    }

    @Test func eventsSurviveALostLink() async throws {
        let bench = try await RingBench.connected()
        var events = bench.ring.events.makeAsyncIterator()
        bench.worn.moveAway()
        try await bench.pass(.seconds(20))
        bench.worn.comeBack()
        try await bench.ring.connected()
        bench.worn.modify { $0.setBattery(percent: 11) }
        try await bench.pass(.seconds(5))
        await bench.ring.disconnect()
        var heard: [Ring.Event] = []
        while let event = try await events.next() { heard.append(event) }
        #expect(heard.contains(.battery(BatteryCharge(percent: 11, isCharging: false))))
    }

    @Test func aMeasurementBeginsAnewAfterReconnecting() async throws {
        let bench = try await RingBench.connected()
        var reports = bench.ring.reports(of: .heartRate, repeating: true).makeAsyncIterator()
        _ = try await reports.next()
        bench.worn.moveAway()
        var wasInterrupted = false
        while let report = try await reports.next() {
            if case .interrupted = report {
                wasInterrupted = true
                bench.worn.comeBack()
            }
            if case .reading = report, wasInterrupted { break }
        }
        #expect(wasInterrupted)
        #expect(bench.ring.connectionState == .connected)
    }

    /// Leaves a loop after its first element, before the link is lost or while it is away.
    private func leave<Sequence: AsyncSequence>(
        _ sequence: Sequence, _ bench: RingBench, whileAway: Bool
    ) async throws {
        var loop = sequence.makeAsyncIterator()
        #expect(try await loop.next() != nil)
        guard whileAway else { return }
        bench.worn.moveAway()
        try await bench.pass(.seconds(20))
        #expect(!bench.ring.connectionState.isConnected)
    }

    @Test(arguments: ["measurement", "workout", "raw sensors", "gestures"], [false, true])
    func aLoopThatWasLeftIsNotBegunAgain(_ name: String, whileAway: Bool) async throws {
        let frames = Box<[UInt8]>([])
        var options = RingOptions()
        options.observer = { trace in
            guard trace.kind == .request, trace.operation == .write else { return }
            if let first = trace.bytes?.first { frames.change { $0.append(first) } }
        }
        let bench = try await RingBench.connected(.r02.withWorkouts, days: 1, options: options)
        let (ring, worn) = (bench.ring, bench.worn)
        switch name {
        case "measurement":
            let reports = ring.reports(of: .heartRate, repeating: true)
            try await leave(reports, bench, whileAway: whileAway)
        case "workout":
            try await leave(try await ring.startWorkout(.walk), bench, whileAway: whileAway)
        case "raw sensors":
            try await leave(ring.rawSensors, bench, whileAway: whileAway)
        default:
            let waves = Task {
                while !Task.isCancelled {
                    try? await bench.pass(.seconds(1))
                    worn.modify { $0.wave() }
                }
            }
            try await leave(ring.gestures, bench, whileAway: whileAway)
            waves.cancel()
        }
        let began: Set<UInt8> = [
            RealtimeMeasurement.opcode, WorkoutControl.opcode, RawSensors.opcode, Camera.opcode,
        ]
        #expect(frames.value.contains(where: began.contains))
        worn.moveAway()
        try await bench.pass(.seconds(20))
        #expect(!ring.connectionState.isConnected)
        frames.value = []
        worn.comeBack()
        try await ring.connected()
        try await bench.pass(.seconds(60))
        #expect(ring.connectionState.isConnected)
        #expect(!frames.value.isEmpty)
        #expect(!frames.value.contains(where: began.contains), "\(frames.value)")
    }

    @Test func theClockIsSetAgain() async throws {
        let bench = try await RingBench.connected()
        bench.worn.moveAway()
        try await bench.pass(.seconds(10))
        bench.worn.modify { $0.shiftClock(bySeconds: -600) }
        bench.worn.comeBack()
        try await bench.ring.connected()
        let shown = try #require(bench.worn.state?.time)
        let local = bench.air.time.wallClock().local
        #expect(shown.advanced(bySeconds: 3) >= local)
    }

    @Test func aDisconnectedRingIsNotConnectedToAgain() async throws {
        let bench = try await RingBench.connected()
        bench.worn.moveAway()
        try await bench.pass(.seconds(10))
        await bench.ring.disconnect()
        bench.worn.comeBack()
        try await bench.pass(.seconds(120))
        #expect(!bench.worn.isConnected)
        #expect(!bench.ring.connectionState.isConnected)
    }

    @Test func delaysGrowToTheirLimit() {
        let policy = ReconnectPolicy(firstDelay: .seconds(1), factor: 3, longestDelay: .seconds(20))
        let delays = (0..<6).map { policy.delay(beforeAttempt: $0) }
        #expect(
            delays == [
                .seconds(1), .seconds(3), .seconds(9), .seconds(20), .seconds(20),
                .seconds(20),
            ])
        #expect(policy.delay(beforeAttempt: .max) == .seconds(20))
        #expect(ReconnectPolicy.never.delay(beforeAttempt: 0) == nil)
        let odd = ReconnectPolicy(
            attempts: -1, firstDelay: .seconds(-5), factor: -2, longestDelay: .seconds(-1))
        #expect(odd.delay(beforeAttempt: 0) == nil)
        #expect(
            ReconnectPolicy(firstDelay: .seconds(-5), factor: -2).delay(beforeAttempt: 0) == .zero)
    }
}

extension RingProfile {
    /// A ring that supports workouts, too.
    fileprivate var withWorkouts: RingProfile {
        var profile = self
        profile.commands = profile.commands.with(
            .answers, "made up", for: WorkoutControl.opcode)
        return profile
    }
}
