import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

extension WorkoutReport {
    /// The whole seconds since the start, without pauses.
    var seconds: Int { Int(elapsed.components.seconds) }
}

@Suite(.passesTime) struct RingWorkoutTests {
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

    /// A gap of the radio that the link survives.
    @Test func aWorkoutSurvivesWhatItsLinkSurvives() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 1)))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            let run = try await ring.startWorkout(.run)
            var reports = run.makeAsyncIterator()
            for _ in 0..<10 { #expect(try await reports.next() != nil) }
            worn.moveAway()
            try await air.clock.sleep(for: .milliseconds(4600))
            worn.comeBack()
            for _ in 0..<10 { #expect(try await reports.next() != nil) }
            #expect(ring.connectionState == .connected && worn.state?.workout != nil)
            run.end()
            while try await reports.next() != nil {}
            #expect(worn.state?.workout == nil)
            await ring.disconnect()
        }
    }

    @Test func aRingWithoutWorkoutsIsAnError() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.refuses, "made up", for: WorkoutControl.opcode)
        let bench = try await RingBench.connected(profile)
        #expect(
            await kind { _ = try await bench.ring.startWorkout(.walk) } == .notSupported)
    }
}
