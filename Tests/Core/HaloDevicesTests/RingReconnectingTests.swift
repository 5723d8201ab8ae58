import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct RingReconnectingTests {
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
        #expect(error.disconnectReason?.kind == .outOfReach)
        #expect(await kind { try await bench.ring.waitUntilConnected() } == .disconnected)
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
        try await bench.ring.waitUntilConnected()
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
        #expect(error?.disconnectReason?.kind == .outOfReach)
        #expect(error?.sessionError?.kind == .disconnected)
    }

    @Test func eventsSurviveALostLink() async throws {
        let bench = try await RingBench.connected()
        var events = bench.ring.events.makeAsyncIterator()
        bench.worn.moveAway()
        try await bench.pass(.seconds(20))
        bench.worn.comeBack()
        try await bench.ring.waitUntilConnected()
        bench.worn.modify { $0.setBattery(percent: 11) }
        try await bench.pass(.seconds(5))
        await bench.ring.disconnect()
        var heard: [Ring.Event] = []
        while let event = try await events.next() { heard.append(event) }
        #expect(heard.contains(.battery(BatteryCharge(percent: 11, isCharging: false))))
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
        try await ring.waitUntilConnected()
        try await bench.pass(.seconds(60))
        #expect(ring.connectionState.isConnected)
        #expect(!frames.value.isEmpty)
        #expect(!frames.value.contains(where: began.contains), "\(frames.value)")
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
