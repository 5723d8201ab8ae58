import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

@Suite(.passesTime) struct RingMeasuringTests {
    @Test func eachMeasurementHasItsOwnType() async throws {
        let bench = try await RingBench.connected(.r12)
        let ring = bench.ring
        let beat = try #require(try await first(ring.measure(.heartRate)))
        #expect(40...180 ~= beat.beatsPerMinute)
        let oxygen = try #require(try await first(ring.measure(.bloodOxygen)))
        #expect(85...100 ~= oxygen.percent)
        let stress = try #require(try await first(ring.measure(.stress)))
        #expect(1...100 ~= stress.score)
        let variability = try #require(try await first(ring.measure(.heartRateVariability)))
        #expect(5...200 ~= variability.milliseconds)
        let check = try await RingBench.connected(.h59)
        let both = try #require(try await first(check.ring.measure(.healthCheck)))
        #expect(40...180 ~= both.beatsPerMinute)
        #expect(both.bloodPressure != nil)
    }

    private func first<Reading>(
        _ readings: DeviceUpdates<Reading>
    ) async throws -> Reading? {
        for try await reading in readings { return reading }
        return nil
    }

    @Test func theRingEndsAMeasurementAndTheSequenceEndsToo() async throws {
        let bench = try await RingBench.connected()
        var count = 0
        for try await _ in bench.ring.measure(.heartRate) { count += 1 }
        #expect(count > 0)
        #expect(bench.worn.state?.link?.measurement == nil)
    }

    @Test func leavingTheLoopEndsTheMeasurementOnTheRing() async throws {
        let bench = try await RingBench.connected()
        for try await _ in bench.ring.measure(.heartRate) { break }
        try await bench.pass(.seconds(2))
        #expect(bench.worn.state?.link?.measurement == nil)
        #expect(bench.ring.connectionState == .connected)
    }

    @Test func cancellingTheTaskEndsTheMeasurementOnTheRing() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        let begun = Box(false)
        let task = Task {
            for try await _ in ring.reports(of: .heartRate, repeating: true) {
                begun.value = true
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        try await task.value
        #expect(begun.value)
        try await bench.pass(.seconds(2))
        #expect(bench.worn.state?.link?.measurement == nil)
        #expect(try await ring.battery().percent == 80)
    }

    @Test func requestsAreAnsweredBesideAMeasurement() async throws {
        let bench = try await RingBench.connected()
        var reports = bench.ring.reports(of: .heartRate).makeAsyncIterator()
        for _ in 0..<5 {
            #expect(try await reports.next() != nil)
            #expect(try await bench.ring.battery().percent == 80)
        }
    }

    @Test func droppedReportsAreCountedAndNotKept() async throws {
        var options = RingOptions()
        options.bufferLimit = 8
        let bench = try await RingBench.connected(options: options)
        var reports = bench.ring.reports(of: .heartRate).makeAsyncIterator()
        _ = try await reports.next()
        try await bench.pass(.seconds(20))
        guard case .missed(let count) = try await reports.next() else {
            Issue.record("nothing is missing")
            return
        }
        #expect(count > 20)
        guard case .warmingUp = try await reports.next() else {
            Issue.record("the newest reports are kept")
            return
        }
    }

    @Test func aMeasurementThatARingLacksIsNotSupported() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(
            .refuses, "made up", for: RealtimeMeasurement.opcode)
        let bench = try await RingBench.connected(profile)
        #expect(
            await kind { for try await _ in bench.ring.measure(.heartRate) {} } == .notSupported)
    }

    @Test func rawSensorsAreStreamed() async throws {
        let bench = try await RingBench.connected(.r02)
        var channels: Set<String> = []
        for try await sample in bench.ring.rawSensors {
            switch sample {
            case .bloodOxygenLight: channels.insert("blood oxygen")
            case .pulseLight: channels.insert("pulse")
            case .acceleration: channels.insert("acceleration")
            case .undescribed, .interrupted, .missed: Issue.record("\(sample)")
            }
            if channels.count == 3 { break }
        }
        #expect(channels == ["blood oxygen", "pulse", "acceleration"])
        try await bench.pass(.seconds(3))
        #expect(bench.worn.state?.link?.rawStream == nil)
    }

    @Test func anR08HasTwoChannelsWithoutADescription() async throws {
        let bench = try await RingBench.connected(.r08)
        #expect(bench.ring.dialect.rawSensors.value == true)
        var channels: [Int: [UInt8]] = [:]
        var force: Double?
        for try await sample in bench.ring.rawSensors {
            if case .acceleration(let x, let y, let z) = sample {
                force = (x * x + y * y + z * z).squareRoot()
            }
            guard case .undescribed(let channel, let bytes) = sample else { continue }
            channels[channel] = bytes
            if channels.count == 2 { break }
        }
        #expect(channels == [4: [0, 0, 0, 0, 0, 0, 0x0F, 0xFF], 5: [1, 0x46]])
        #expect(0.5...2 ~= (force ?? 0))
    }

    /// The virtual R02 is quiet while it warms up, as one with firmware 3.00.17.
    @Test func aRingThatIsQuietAtFirstIsMeasured() async throws {
        let bench = try await RingBench.connected(.r02)
        let duration = try await bench.air.duration {
            let beats = try await bench.ring.measureHeartRate().beatsPerMinute
            #expect(40...120 ~= beats)
        }
        #expect(duration > .seconds(25) && duration < .seconds(28))
    }

    @Test func rawSensorsReportALostLink() async throws {
        let bench = try await RingBench.connected(.r02)
        var samples = bench.ring.rawSensors.makeAsyncIterator()
        #expect(try await samples.next() != nil)
        bench.worn.moveAway()
        while let sample = try await samples.next(), sample != .interrupted {}
        bench.worn.comeBack()
        #expect(try await samples.next() != nil)
    }

    /// Connects to a ring that does not answer the requests of streams; returns also its writes.
    private func deafBench() async throws -> (RingBench, Box<[UInt8]>) {
        var profile = RingProfile.r02
        profile.commands = profile.commands.with(
            .silent, "made up", for: RealtimeMeasurement.opcode, StopMeasurement.opcode,
            WorkoutControl.opcode, RawSensors.opcode)
        let frames = Box<[UInt8]>([])
        var options = RingOptions()
        options.observer = { trace in
            guard trace.kind == .request, trace.operation == .write else { return }
            if let first = trace.bytes?.first { frames.change { $0.append(first) } }
        }
        return (try await RingBench.connected(profile, days: 1, options: options), frames)
    }

    private static let streams: [@Sendable (Ring) async throws -> Void] = [
        { for try await _ in $0.reports(of: .heartRate, repeating: true) {} },
        { for try await _ in $0.rawSensors {} },
        { for try await _ in try await $0.startWorkout(.walk) {} },
    ]

    @Test(arguments: streams.indices)
    func aDeafRingEndsALoopInTimeAndReceivesNoMoreRequests(_ index: Int) async throws {
        let (bench, frames) = try await deafBench()
        let start = bench.air.time.now()
        #expect(await kind { try await Self.streams[index](bench.ring) } == .silent)
        #expect(bench.air.time.now().duration(since: start) < .seconds(15))
        frames.value = []
        try await bench.pass(.seconds(600))
        #expect(frames.value.isEmpty)
        #expect(try await bench.ring.battery().percent > 0)
    }

    @Test(arguments: streams.indices)
    func aCancelledLoopOverADeafRingLeavesNoRequests(_ index: Int) async throws {
        let (bench, frames) = try await deafBench()
        let ring = bench.ring
        for step in 0..<100 {
            let task = Task { await kind { try await Self.streams[index](ring) } }
            try await bench.pass(.milliseconds(step * 97))
            task.cancel()
            let end = await task.value
            #expect(end == nil || end == .cancelled || end == .silent)
        }
        try await bench.pass(.seconds(30))
        #expect(frames.value.count < 1_500)
        frames.value = []
        try await bench.pass(.seconds(600))
        #expect(frames.value.isEmpty)
        #expect(try await ring.battery().percent > 0)
    }

    @Test func aWorkoutThatIsPausedAThousandTimesFillsNoQueue() async throws {
        let bench = try await RingBench.connected(.r10, days: 1)
        let run = try await bench.ring.startWorkout(.walk)
        for _ in 0..<1_000 {
            run.pause()
            run.resume()
        }
        #expect(try await bench.ring.battery().percent > 0)
        run.end()
        try await bench.pass(.seconds(5))
        #expect(bench.worn.state?.workout == nil)
    }
}
