import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// The requests with which a ring watches for gestures: few, only during loops, and anew on each
/// link.
@Suite(.passesTime) struct RingGestureTests {
    /// A ring, with the writes to its camera.
    private struct Watched {
        let bench: RingBench
        let written: Box<[(moment: Moment, action: UInt8)]>

        var actions: [UInt8] { written.value.map(\.action) }
    }

    private func watched(
        _ profile: RingProfile = .r10, options: RingOptions = RingOptions(),
        faults: FaultPlan = .none
    ) async throws -> Watched {
        let written = Box<[(moment: Moment, action: UInt8)]>([])
        var options = options
        options.observer = { trace in
            guard trace.kind == .request, trace.operation == .write, let bytes = trace.bytes,
                bytes.first == Camera.opcode, bytes.count > 1
            else { return }
            written.change { $0.append((trace.moment, bytes[1])) }
        }
        let bench = try await RingBench.connected(
            profile, days: 1, options: options, faults: faults)
        return Watched(bench: bench, written: written)
    }

    private static func watch(_ ring: Ring) -> Task<DeviceError.Kind?, Never> {
        Task { await kind { for try await _ in ring.gestures {} } }
    }

    private static var deaf: RingProfile {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: Camera.opcode)
        return profile
    }

    private static let enter = Camera.Action.enter.rawValue
    private static let keepAlive = Camera.Action.keepAlive.rawValue
    private static let leave = Camera.Action.leave.rawValue

    /// A ring that refuses the camera is left in peace.
    @Test func aRingThatRefusesIsNotAskedAgain() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.refuses, "made up", for: Camera.opcode)
        let watched = try await watched(profile)
        #expect(await Self.watch(watched.bench.ring).value == .notSupported)
        try await watched.bench.pass(.seconds(600))
        #expect(watched.actions == [Self.enter, Self.leave])
        // Somebody else may ask again.
        #expect(await Self.watch(watched.bench.ring).value == .notSupported)
        try await watched.bench.pass(.seconds(60))
        #expect(watched.actions == [Self.enter, Self.leave, Self.enter, Self.leave])
    }

    @Test func aDeafRingReceivesOneRequestAtATime() async throws {
        let watched = try await watched(Self.deaf)
        let bench = watched.bench
        let loop = Self.watch(bench.ring)
        for _ in 0..<60 {
            try await bench.pass(.seconds(10))
            #expect(try await bench.ring.battery().percent > 0)
        }
        #expect(watched.actions.count > 10)
        #expect(watched.actions.allSatisfy { $0 == Self.enter })
        loop.cancel()
        #expect(await loop.value == nil)
        let before = watched.actions.count
        try await bench.pass(.seconds(600))
        #expect(watched.actions.dropFirst(before) == [Self.leave])
    }

    @Test(arguments: 0..<30)
    func aLoopThatIsLeftAtAnyMomentLeavesTheCamera(step: Int) async throws {
        for profile in [RingProfile.r10, Self.deaf] {
            let watched = try await watched(profile)
            let bench = watched.bench
            let loop = Self.watch(bench.ring)
            try await eventually("the loop begins") { !watched.actions.isEmpty }
            try await bench.pass(.milliseconds(step * 487))
            loop.cancel()
            #expect(await loop.value == nil)
            try await bench.pass(.seconds(60))
            #expect(watched.actions.last == Self.leave)
            #expect(watched.actions.filter { $0 == Self.leave }.count == 1)
            #expect(bench.worn.state?.isCameraOpen == false)
        }
    }

    @Test func theCameraIsLeftThoughTheQueueIsFull() async throws {
        var options = RingOptions()
        options.rules.queueLimit = 1
        let watched = try await watched(options: options)
        let (bench, ring) = (watched.bench, watched.bench.ring)
        let loop = Self.watch(ring)
        try await bench.pass(.seconds(5))
        let asking = Task {
            for _ in 0..<40 {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { _ = try? await ring.battery() } }
                }
            }
        }
        try await bench.pass(.milliseconds(200))
        loop.cancel()
        _ = await loop.value
        await asking.value
        try await bench.pass(.seconds(10))
        #expect(watched.actions.last == Self.leave)
        #expect(bench.worn.state?.isCameraOpen == false)
    }

    @Test func gesturesBeginAnewOnEachLink() async throws {
        for step in 0..<20 {
            let loss = Moment.origin + .seconds(20) + .milliseconds(step * 100)
            var options = RingOptions()
            options.clock = .leave
            options.reconnect = ReconnectPolicy(firstDelay: .zero)
            let watched = try await watched(
                options: options, faults: FaultPlan(rules: [FaultRule(.disconnection, .at(loss))]))
            let bench = watched.bench
            let loop = Self.watch(bench.ring)
            try await bench.air.clock.sleep(until: VirtualClock.Instant(loss))
            try await bench.pass(.seconds(10))
            let after = watched.written.value.filter { $0.moment > loss }.map(\.action)
            #expect(after.first == Self.enter, "lost at \(loss)")
            #expect(after.dropFirst().allSatisfy { $0 == Self.keepAlive }, "lost at \(loss)")
            #expect(bench.worn.state?.isCameraOpen == true)
            loop.cancel()
            _ = await loop.value
        }
    }

    @Test func nothingIsScheduledForALoopWhoseRingIsDisconnected() async throws {
        let watched = try await watched()
        let (bench, worn) = (watched.bench, watched.bench.worn)
        var gestures = bench.ring.gestures.makeAsyncIterator()
        _ = bench.air.time.schedule(at: bench.air.time.now() + .seconds(5)) {
            worn.modify { $0.wave() }
        }
        let passing = Task { try? await bench.pass(.seconds(6)) }
        #expect(try await gestures.next() != nil)
        _ = await passing.value
        await bench.ring.disconnect()
        worn.remove()
        try await bench.pass(.seconds(10))
        #expect(bench.air.nextEventTime == nil)
        #expect(await kind { _ = try await gestures.next() } == nil)
    }
}
