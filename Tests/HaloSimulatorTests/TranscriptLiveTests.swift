import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// A virtual ring warms up and stops as the real one did.
@Suite struct TranscriptLiveTests {
    /// A measurement: when what came first, in seconds since the start, and what the stop brought.
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
                if interval == nil, reply.beatInterval != nil { interval = seconds }
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
}
