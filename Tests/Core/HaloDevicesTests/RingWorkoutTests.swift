import HaloDevices
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloSimulator

extension WorkoutReport {
    /// The whole seconds since the start, without pauses.
    var seconds: Int { Int(elapsed.components.seconds) }
}

@Suite(.timeLimit(.minutes(20))) struct RingWorkoutTests {
    @Test func aReleasedWorkoutEnds() async throws {
        let bench = try await RingBench.connected()
        var run: LiveWorkout? = try await bench.ring.startWorkout(.walk)
        #expect(run?.sport == .walk)
        #expect(bench.worn.state?.workout != nil)
        run = nil
        try await bench.pass(.seconds(2))
        #expect(bench.worn.state?.workout == nil)
    }

    @Test func aLostLinkEndsTheSequenceWithItsReason() async throws {
        let bench = try await RingBench.connected()
        let run = try await bench.ring.startWorkout(.walk)
        bench.air.setAdapterState(.poweredOff)
        let error = await #expect(throws: DeviceError.self) { for try await _ in run {} }
        #expect(error?.kind == .disconnected)
        #expect(error?.disconnectReason?.kind == .adapterGone)
    }

    @Test func aRingWithoutWorkoutsIsAnError() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.refuses, "made up", for: WorkoutControl.opcode)
        let bench = try await RingBench.connected(profile)
        #expect(
            await kind { _ = try await bench.ring.startWorkout(.walk) } == .notSupported)
    }
}
