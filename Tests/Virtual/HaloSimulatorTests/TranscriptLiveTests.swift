import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A virtual ring warms up and stops as the real one did.
@Suite(.passesTime) struct TranscriptLiveTests {
    /// The course of a measurement: the times of first events in seconds since the start, and the
    /// effects of the stop.
    private struct Course {
        var interval: Double?
        var value: Double?
        var reports = 0
        var stop: (seconds: Double, request: [UInt8])?
        var ends: [UInt8] = []
        var isEchoZero = false

        mutating func note(_ bytes: [UInt8], after seconds: Double) throws {
            let frame = try Frame(decoding: bytes)
            let isStop = frame.opcode == StopMeasurement.opcode
            guard isStop || frame.opcode == RealtimeMeasurement.opcode else { return }
            if stop != nil { ends.append(frame.opcode) }
            if isStop {
                isEchoZero = try StopMeasurement.Reply(decoding: frame).value == 0
            } else if stop == nil {
                reports += 1
                let reply = try RealtimeMeasurement.Reply(decoding: frame)
                // Also before the first heart rate, where it is not trusted.
                if interval == nil, reply.beatIntervalMilliseconds != 0 {
                    interval = seconds
                }
                if value == nil, reply.reading != nil { value = seconds }
            }
        }
    }

    private static func captured(_ quantity: RealtimeMeasurement.Quantity) throws -> Course {
        let capture = try #require(RingFixture.capture("Sessions/QRingR12Sync.halo"))
        var course = Course()
        var time: UInt64 = 0
        var start: UInt64?
        for line in capture.lines {
            if case .elapsed(let microseconds) = line { time += microseconds }
            guard let packet = line.packet, packet.channel == .uart else { continue }
            guard packet.bytes[1] == quantity.rawValue else { continue }
            let isStart = packet.bytes[0] == RealtimeMeasurement.opcode
            let isStop = packet.bytes[0] == StopMeasurement.opcode
            if packet.direction != .fromDevice {
                if isStart { start = time }
                let seconds = Double(time - (start ?? time)) / 1_000_000
                if isStop { course.stop = (seconds, packet.bytes) }
            } else if let start, isStart || isStop {
                try course.note(packet.bytes, after: Double(time - start) / 1_000_000)
            }
        }
        return course
    }

    @Test(arguments: [
        RealtimeMeasurement.Quantity.heartRate, .bloodOxygen, .stress, .heartRateVariability,
    ])
    func anR12MeasuresAsCaptured(_ quantity: RealtimeMeasurement.Quantity) throws {
        let theirs = try Self.captured(quantity)
        let stop = try #require(theirs.stop)
        var bench = RingBench.connected(.r12, days: 0)
        bench.advance(by: .seconds(10))
        _ = bench.take()
        let start = bench.now
        bench.send(RealtimeMeasurement.Request(asVendor: quantity).frame)
        bench.advance(by: .milliseconds(Int(stop.seconds * 1000)))
        var ours = Course()
        for piece in bench.take() {
            let seconds = Double(piece.moment.microseconds(since: start)) / 1_000_000
            try ours.note(piece.bytes, after: seconds)
        }
        ours.stop = stop
        bench.write(stop.request, to: RingServices.uartWrite)
        bench.advance(by: .seconds(2))
        for piece in bench.take() { try ours.note(piece.bytes, after: stop.seconds) }

        // The transcript has whole seconds.
        #expect((ours.interval == nil) == (theirs.interval == nil))
        #expect(abs((ours.interval ?? 0) - (theirs.interval ?? 0)) <= 1.2)
        let value = try #require(theirs.value)
        #expect(abs((ours.value ?? 0) - value) <= 2.1)
        #expect(abs(ours.reports - theirs.reports) <= 4, "\(ours.reports) \(theirs.reports)")
        #expect(ours.ends == theirs.ends)
        #expect(ours.isEchoZero == theirs.isEchoZero)
    }

    /// The packets of one kind in the transcript of an R10.
    private static func captured(_ channel: CaptureChannel, _ kind: UInt8) throws -> [[UInt8]] {
        let capture = try #require(RingFixture.capture("Sessions/R10Workout.halo"))
        return capture.lines.compactMap(\.packet).filter {
            $0.direction == .fromDevice && $0.channel == channel
                && $0.bytes[channel == .uart ? 0 : 1] == kind
        }.map(\.bytes)
    }

    @Test func anR10CountsAndStoresItsWorkoutAsCaptured() throws {
        // Eight hours later than what the ring calls the start.
        let time = CivilDateTime(
            try CivilDate(year: 2026, month: 9, day: 6),
            try CivilTime(hour: 2, minute: 16, second: 6))
        var bench = RingBench.connected(.r10, days: 0, at: time)
        bench.send(WorkoutControl.Request(.start, .run).frame)
        bench.advance(by: .milliseconds(75_500))
        let ours = bench.takeFrames().map { Array($0.bytes) }
        let acks = try Self.captured(.uart, WorkoutControl.opcode)
        let reports = try Self.captured(.uart, WorkoutProgress.opcode)
        #expect(ours.first == reports.first, "second 0 comes before the answer")
        #expect(ours.dropFirst().first == acks.first)
        for report in reports {
            let same = ours.filter { $0[0] == report[0] && $0[3...4] == report[3...4] }
            #expect(same.count == (report[4] > 0 && report[4] % 10 == 0 ? 2 : 1))
            #expect(same.allSatisfy { ($0[5] == 0) == (report[5] == 0) }, "\(report[4]) s")
        }
        bench.send(WorkoutControl.Request(.end, .run).frame)
        bench.advance(by: .milliseconds(300))
        let end = bench.takeFrames().map { Array($0.bytes) }
        #expect(end == (try Self.captured(.uart, RingNotification.opcode)) + acks.suffix(1))

        let list = try #require(try Self.captured(.bigData, WorkoutList.replyID).first)
        let stored = try #require(
            bench.ask(WorkoutList.Request(after: CivilDateTime(secondsSince1970: 0))).first)
        // The length, the sport, and start, duration and distance with their tags.
        #expect(stored.bytes.count == list.count)
        #expect(stored.bytes[6..<23] == list[6..<23])
        let request = try #require(
            try WorkoutList.Reply(decoding: stored).workouts.first.flatMap(
                WorkoutDetail.Request.init))
        let records = bench.ask(request).map(\.bytes)
        #expect(records.first == (try Self.captured(.bigData, WorkoutDetail.replyID).first))
        let samples = try Self.captured(.bigData, WorkoutSamples.replyID)
        #expect(records.dropFirst().map(\.count) == samples.map(\.count))
    }
}
