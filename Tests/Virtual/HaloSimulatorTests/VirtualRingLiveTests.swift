import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Measurements that run now.
@Suite(.passesTime) struct VirtualRingLiveTests {
    private typealias Report = (seconds: Double, reply: RealtimeMeasurement.Reply)

    private static func reports(_ bench: inout RingBench, since start: Moment) throws -> [Report] {
        try bench.take().compactMap { piece in
            let frame = try Frame(decoding: piece.bytes)
            guard frame.opcode == RealtimeMeasurement.opcode else { return nil }
            let seconds = Double(piece.moment.microseconds(since: start)) / 1_000_000
            return (seconds, try RealtimeMeasurement.Reply(decoding: frame))
        }
    }

    private static func measure(
        _ profile: RingProfile, _ quantity: RealtimeMeasurement.Quantity, seconds: Int,
        options: VirtualRingOptions = VirtualRingOptions()
    ) throws -> [Report] {
        var bench = RingBench.connected(profile, days: 0, options: options)
        bench.send(RealtimeMeasurement.Request(asVendor: quantity).frame)
        let start = bench.now
        bench.advance(by: .seconds(seconds))
        return try reports(&bench, since: start)
    }

    @Test(arguments: [
        (RealtimeMeasurement.Quantity.heartRate, 16.0, 26.0), (.bloodOxygen, .infinity, 26),
        (.stress, 0.3, 26), (.heartRateVariability, 16, 60),
    ])
    func warmsUpAsAnR12(
        _ quantity: RealtimeMeasurement.Quantity, _ interval: Double, _ value: Double
    ) throws {
        let reports = try Self.measure(.r12, quantity, seconds: 64)
        let first = try #require(reports.first)
        #expect(first.seconds < 0.2)
        let firstInterval = reports.first { $0.reply.beatIntervalMilliseconds != 0 }?.seconds
        #expect(abs((firstInterval ?? .infinity) - interval) < 0.8 || interval.isInfinite)
        #expect((firstInterval == nil) == interval.isInfinite)
        let firstValue = try #require(reports.first { $0.reply.reading != nil })
        #expect(abs(firstValue.seconds - value) < 0.8)
        for (report, next) in zip(reports, reports.dropFirst()) {
            #expect(abs(next.seconds - report.seconds - 0.5) < 0.001)
        }
        #expect(reports.allSatisfy { $0.reply.fault == .noFault })
    }

    @Test func valuesAreThoseOfTheWearer() throws {
        let reports = try Self.measure(.r12, .heartRate, seconds: 40)
        let wearer = Wearer()
        for report in reports {
            guard let beats = report.reply.beatsPerMinute else { continue }
            let time = RingBench.start.advanced(bySeconds: Int(report.seconds))
            let truth = Int(wearer.state(at: time).beatsPerMinute)
            #expect(abs(Int(beats) - truth) <= 2)
            let interval = try #require(report.reply.measuredBeatIntervalMilliseconds)
            #expect(abs(60_000 / Int(interval) - truth) < 25)
        }
        let oxygen = try Self.measure(.r12, .bloodOxygen, seconds: 40)
        #expect(oxygen.contains { ($0.reply.bloodOxygenPercent ?? 0) > 85 })
        let pressure = try Self.measure(.h59, .healthCheck, seconds: 40)
        let check = try #require(pressure.last?.reply)
        #expect(check.beatsPerMinute != nil && check.pressure != nil)
    }

    @Test func aTemperatureIsMeasuredThoughItIsNotMeasuredByItself() throws {
        var bench = RingBench.connected(.r10, days: 0)
        _ = bench.ask(TemperatureSetting.Request.write(.temperature, isOn: false))
        bench.send(RealtimeMeasurement.Request(.temperature).frame)
        let start = bench.now
        bench.advance(by: .seconds(15))
        #expect(try Self.reports(&bench, since: start).contains { $0.reply.reading != nil })
        let none = try Self.measure(.r12, .temperature, seconds: 15)
        #expect(none.allSatisfy { $0.reply.reading == nil })
    }

    @Test func anR02HasNoVariabilityAsItNamesNone() throws {
        let reports = try Self.measure(.r02, .heartRateVariability, seconds: 70)
        #expect(reports.count == 1 && reports.allSatisfy { $0.reply.reading == nil })
    }

    /// One source: one zero, then a value each second for minutes, and no "continue" is needed.
    @Test func anR02StreamsWithoutBeingToldToContinue() throws {
        var bench = RingBench.connected(.r02, days: 0)
        bench.send(RealtimeMeasurement.Request(.heartRateStream).frame)
        let start = bench.now
        bench.advance(by: .seconds(300))
        let reports = try Self.reports(&bench, since: start)
        let values = reports.dropFirst()
        #expect(reports.first?.reply.reading == nil)
        #expect(values.allSatisfy { $0.reply.reading != nil })
        #expect(abs((values.first?.seconds ?? 0) - 19) < 1.5 && 278...283 ~= values.count)
    }

    @Test func tellsInItsOwnWayThatItIsNotWorn() throws {
        let options = VirtualRingOptions(isWorn: false)
        let faults = try Self.measure(.r02, .heartRate, seconds: 40, options: options)
        #expect(faults.count > 50 && faults.allSatisfy { $0.reply.fault == .notWorn })
        let zeros = try Self.measure(.r10, .heartRate, seconds: 40, options: options)
        #expect(zeros.count > 50)
        #expect(
            zeros.allSatisfy {
                $0.reply.isWarmingUp && $0.reply.beatIntervalMilliseconds == 0
            })
    }

    @Test func endsByItself() throws {
        let budget = try Self.measure(.r10, .heartRate, seconds: 120)
        #expect(abs((budget.last?.seconds ?? 0) - 60) < 1)
        let values = try Self.measure(.r02, .heartRate, seconds: 120)
        #expect(values.count { $0.reply.reading != nil } == 10)
        let none = try Self.measure(.r10, .bloodPressure, seconds: 120)
        #expect(none.allSatisfy { $0.reply.reading == nil })
    }

    @Test func aStreamGoesOnAsLongAsItIsToldTo() throws {
        var bench = RingBench.connected(.r12, days: 0)
        bench.send(RealtimeMeasurement.Request(.heartRateStream).frame)
        let start = bench.now
        for _ in 0..<4 {
            bench.advance(by: .seconds(20))
            bench.send(RealtimeMeasurement.Request(.heartRateStream, .resume).frame)
        }
        bench.advance(by: .seconds(120))
        let reports = try Self.reports(&bench, since: start)
        #expect(abs((reports.last?.seconds ?? 0) - 120) < 1.5)
        let values = reports.filter { $0.reply.reading != nil }
        #expect(abs((values.first?.seconds ?? 0) - 10) < 1)
    }

    @Test func oneMeasurementReplacesTheOther() throws {
        var bench = RingBench.connected(.r12, days: 0)
        bench.send(RealtimeMeasurement.Request(asVendor: .heartRate).frame)
        bench.advance(by: .seconds(5))
        bench.send(RealtimeMeasurement.Request(asVendor: .bloodOxygen).frame)
        bench.advance(by: .seconds(1))
        _ = bench.take()
        bench.advance(by: .seconds(5))
        let reports = try Self.reports(&bench, since: bench.now)
        #expect(reports.count == 10)
        #expect(reports.allSatisfy { $0.reply.quantity == .bloodOxygen })
    }

    @Test func whateverIsNoPauseAndNoStopStarts() throws {
        for (action, runs) in [
            (0, true), (1, true), (2, false), (4, false), (0x25, true), (99, true),
        ]
            as [(UInt8, Bool)]
        {
            var bench = RingBench.connected(.r10, days: 0)
            bench.send(try Frame(opcode: RealtimeMeasurement.opcode, payload: [1, action]))
            bench.advance(by: .seconds(3))
            #expect(try Self.reports(&bench, since: bench.now).isEmpty != runs, "\(action)")
        }
    }

    @Test func pausesAndGoesOn() throws {
        var bench = RingBench.connected(.r10, days: 0)
        bench.send(RealtimeMeasurement.Request(.heartRate).frame)
        bench.advance(by: .seconds(3))
        bench.send(RealtimeMeasurement.Request(.heartRate, .pause).frame)
        bench.advance(by: .seconds(1))
        _ = bench.take()
        bench.advance(by: .seconds(10))
        #expect(try Self.reports(&bench, since: bench.now).isEmpty)
        bench.send(RealtimeMeasurement.Request(.heartRate, .resume).frame)
        bench.advance(by: .seconds(3))
        #expect(try Self.reports(&bench, since: bench.now).count > 3)
        bench.send(RealtimeMeasurement.Request(.heartRate, .stop).frame)
        bench.advance(by: .seconds(1))
        _ = bench.take()
        bench.advance(by: .seconds(5))
        #expect(try Self.reports(&bench, since: bench.now).isEmpty)
    }

    @Test(arguments: [
        (RealtimeMeasurement.Quantity.heartRate, true), (.bloodOxygen, true), (.stress, false),
        (.heartRateVariability, false),
    ])
    func aStopIsEchoedWithTheRingsOwnValueOrZero(
        _ quantity: RealtimeMeasurement.Quantity, _ hasValue: Bool
    ) throws {
        var bench = RingBench.connected(.r12, days: 0)
        bench.send(RealtimeMeasurement.Request(asVendor: quantity).frame)
        bench.advance(by: .seconds(70))
        bench.send(RealtimeMeasurement.Request(asVendor: quantity).frame)
        bench.advance(by: .seconds(65))
        _ = bench.take()
        bench.send(StopMeasurement.Request(quantity, value: 1).frame)
        bench.advance(by: .seconds(3))
        let frames = bench.takeFrames().filter {
            $0.opcode == StopMeasurement.opcode || $0.opcode == RealtimeMeasurement.opcode
        }
        let echo = try StopMeasurement.Reply(decoding: try #require(frames.last))
        #expect(echo.quantity == quantity)
        let last = frames.dropLast().last.flatMap { try? RealtimeMeasurement.Reply(decoding: $0) }
        if hasValue, let value = last?.reading { #expect(echo.value == value) }
        if !hasValue { #expect(echo.value == 0) }
    }

    /// A quantity without a name is measured, so it also has to end.
    @Test func aStopEndsWhateverWasStarted() throws {
        var bench = RingBench.connected(.r12, days: 0)
        bench.send(try Frame(opcode: RealtimeMeasurement.opcode, payload: [77, 1]))
        bench.advance(by: .seconds(3))
        let stop = try Frame(opcode: StopMeasurement.opcode, payload: [77])
        bench.send(stop)
        bench.advance(by: .seconds(3))
        let frames = bench.takeFrames().filter {
            [RealtimeMeasurement.opcode, StopMeasurement.opcode].contains($0.opcode)
        }
        #expect(frames.count > 5)
        #expect(frames.last == stop)
    }

    @Test func aHeartRateMeasuredByHandIsStored() throws {
        var bench = RingBench.connected(.r12, days: 0)
        bench.send(RealtimeMeasurement.Request(asVendor: .heartRate).frame)
        bench.advance(by: .seconds(30))
        bench.send(StopMeasurement.Request(.heartRate).frame)
        bench.advance(by: .seconds(2))
        let pushes = bench.takeFrames().filter { $0.opcode == RingNotification.opcode }
        #expect(pushes.contains(RingNotification.Reply(.event(Reported(.heartRateStored))).frame))
        let record = try #require(bench.ask(ManualHeartRate.Request.today).first)
        let samples = try ManualHeartRate.Reply(decoding: record).samples
        #expect(samples.count == 1)
        #expect(bench.ask(ManualHeartRate.Request(day: .max)).allSatisfy { $0.isSingleZero })
    }

    @Test func oldFirmwareStreamsOnceASecondForAMinute() throws {
        var bench = RingBench.connected(.r02, days: 0)
        bench.send(LegacyRealtimeHeartRate.Request(.start).frame)
        bench.advance(by: .seconds(30))
        bench.send(LegacyRealtimeHeartRate.Request(.continueAsDigit).frame)
        bench.advance(by: .seconds(200))
        let frames = bench.takeFrames().filter { $0.opcode == LegacyRealtimeHeartRate.opcode }
        #expect(88...91 ~= frames.count)
        let beats = try LegacyRealtimeHeartRate.Reply(decoding: frames[5]).beatsPerMinute
        #expect(beats > 40)
    }

    @Test func rawSensorsComeOnceASecond() throws {
        var bench = RingBench.connected(.r02, days: 0)
        bench.send(RawSensors.Request(.start).frame)
        bench.advance(by: .seconds(10))
        bench.send(RawSensors.Request(.stop).frame)
        bench.advance(by: .seconds(1))
        let replies = try bench.takeFrames().filter { $0.opcode == RawSensors.opcode }
            .map { try RawSensors.Reply(decoding: $0) }
        #expect(29...33 ~= replies.count)
        for reply in replies {
            switch reply.content {
            case .acceleration(let pulled):
                let square = [pulled.x, pulled.y, pulled.z].reduce(0) {
                    $0 + Int($1.counts) * Int($1.counts)
                }
                #expect(300 * 300...800 * 800 ~= square)
            case .pulse(let optical):
                #expect(optical.maximum - optical.minimum == optical.difference)
                #expect(optical.minimum...optical.maximum ~= optical.value)
            case .bloodOxygen: break
            case .undescribed4, .undescribed5, .stopped, .unknown:
                Issue.record("an unknown channel")
            }
        }
        _ = bench.take()
        bench.send(RawSensors.Request(.once).frame)
        bench.advance(by: .seconds(5))
        #expect(bench.takeFrames().count == 3)
    }

    /// All of it is known from an owner of an R08.
    @Test func anR08HasFiveChannelsOfSixteenBits() throws {
        var bench = RingBench.connected(.r08, days: 0)
        let once = try bench.ask(RawSensors.Request(.once)).map {
            try RawSensors.Reply(decoding: $0).content
        }
        #expect(once.map(\.channel.rawValue) == [1, 2, 3, 4, 5])
        let pulled = once.lazy.compactMap { content -> Acceleration? in
            if case .acceleration(let pulled) = content { pulled } else { nil }
        }.first
        let axes = try #require(pulled.map { [$0.x, $0.y, $0.z] })
        let square = axes.reduce(0) { $0 + $1.g * $1.g }
        #expect(axes[0].countsPerG == 8192 && 0.4...2.5 ~= square)
        bench.send(RawSensors.Request(.startBasic).frame)
        bench.advance(by: .seconds(5))
        #expect(bench.takeFrames().count > 20)
        let end = bench.ask(RawSensors.Request(.stopWithReply))
        #expect(end.last == RawSensors.Reply(.stopped).frame)
        bench.advance(by: .seconds(5))
        #expect(!bench.takeFrames().contains { $0.opcode == RawSensors.opcode })
    }

    @Test func touchesAreReportedWhileTheSettingSaysSo() throws {
        var bench = RingBench.connected(.r08, days: 0)
        bench.modify { $0.touch(.tap) }
        #expect(bench.takeFrames().isEmpty)
        let setting = TouchGesture.Setting(.report, parameter: 2)
        let request = TouchGesture.Request.write(setting, to: .touch)
        #expect(bench.ask(request) == [request.frame], "the echo")
        bench.modify { $0.touch(.swipeUp) }
        bench.modify { $0.touch(.longPress) }
        let contents: [RingNotification.Content] = [
            .event(Reported(.undescribed2A)), .touched(Reported(.swipeUp)),
            .touched(Reported(.longPress)),
        ]
        #expect(bench.takeFrames() == contents.map { RingNotification.Reply($0).frame })
        var other = RingBench.connected(.r12, days: 0)
        _ = other.ask(request)
        other.modify { $0.touch(.tap) }
        #expect(other.takeFrames().isEmpty, "it has no touch")
    }

    @Test func anR10WithoutTemperaturesSendsADayWithoutValues() throws {
        let empty = try BigDataFrame(
            id: TemperatureSeries.replyID,
            payload: TemperatureSeries.Reply(
                days: [TemperatureSeries.Day(daysAgo: 0, values: [])]
            ).bytes)
        let bench = RingBench.connected(
            .r10, days: 0, options: VirtualRingOptions(isWorn: false))
        #expect(bench.ring.answers(to: TemperatureSeries.Request.today.frame) == [empty])
    }

    @Test func aWaveTakesAPictureWhileTheCameraIsOpen() throws {
        var bench = RingBench.connected(.r10, days: 0)
        bench.modify { $0.wave() }
        #expect(bench.ask(Camera.Request(.enter)) == [Camera.Reply(.entered).frame])
        bench.modify { $0.wave() }
        #expect(bench.takeFrames() == [Camera.Reply(.gesture).frame])
        #expect(bench.ask(Camera.Request(.keepAlive)) == [Camera.Reply(.nothing).frame])
        #expect(bench.ask(Camera.Request(.leave)) == [Camera.Reply(.finished).frame])
        bench.modify { $0.wave() }
        #expect(bench.takeFrames().isEmpty)
        bench.modify { $0.findPhone() }
        #expect(bench.takeFrames() == [FindPhone.Reply(isOn: true).frame])
    }

    @Test func findingTheDeviceLightsItsLight() {
        var bench = RingBench.connected(.r10, days: 0)
        #expect(!bench.ring.isLit)
        _ = bench.ask(FindDevice.Request(), within: .seconds(3))
        bench.modify { _ in }
        #expect(bench.ring.isLit)
        bench.advance(by: .seconds(20))
        bench.modify { _ in }
        #expect(!bench.ring.isLit)
    }
}
