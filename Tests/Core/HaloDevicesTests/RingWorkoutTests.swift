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
    @Test func aWorkoutReportsEachSecondOnce() async throws {
        let bench = try await RingBench.connected()
        let run = try await bench.ring.startWorkout(.run)
        #expect(run.key != nil)
        var seconds: [Int] = []
        for try await progress in run {
            seconds.append(progress.seconds)
            if progress.seconds == 40 { run.end() }
        }
        #expect(seconds.first == 0)
        #expect(Array(seconds.prefix(41)) == Array(0...40))
        #expect(bench.worn.state?.workout == nil)
    }

    @Test func aPauseStopsTheSeconds() async throws {
        let bench = try await RingBench.connected()
        let run = try await bench.ring.startWorkout(.cycle)
        var progress = run.makeAsyncIterator()
        while let report = try await progress.next(), report.seconds < 5 {}
        run.pause()
        while let report = try await progress.next() {
            if report.state == .paused { break }
        }
        let at = bench.air.time.now()
        try await bench.pass(.seconds(30))
        run.resume()
        while let report = try await progress.next() {
            if report.state == .running, bench.air.time.now() > at + .seconds(31) {
                #expect(report.seconds < 20)
                break
            }
        }
        run.end()
        while try await progress.next() != nil {}
    }

    @Test func aReleasedWorkoutEnds() async throws {
        let bench = try await RingBench.connected()
        var run: WorkoutRun? = try await bench.ring.startWorkout(.walk)
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
        #expect(error?.reason?.kind == .adapterGone)
    }

    @Test func aRingWithoutWorkoutsIsAnError() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.refuses, "made up", for: WorkoutControl.opcode)
        let bench = try await RingBench.connected(profile)
        #expect(
            await kind { _ = try await bench.ring.startWorkout(.walk) } == .notSupported)
    }
}
