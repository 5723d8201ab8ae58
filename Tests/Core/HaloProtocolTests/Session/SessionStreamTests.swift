import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 8: measurements and raw values.
@Suite(.computes) struct SessionStreamTests {
    private var driver = SessionDriver()

    private let start = RealtimeMeasurement.Request(.heartRate).frame
    private let stop = StopMeasurement.Request(.heartRate).frame

    private func report(
        _ value: UInt8, _ quantity: RealtimeMeasurement.Quantity = .heartRate
    ) -> RealtimeMeasurement.Reply {
        RealtimeMeasurement.Reply(quantity, value: value)
    }

    @Test mutating func theFirstReportStartsAMeasurement() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        #expect(driver.drainWrites() == [start])
        #expect(driver.session.openStreams == [number])
        driver.ring(report(0).frame, report(0).frame, report(61).frame)
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(0)), .measurement(report(0)),
                .measurement(report(61)),
            ])
    }

    @Test mutating func notBeingWornIsAReport() {
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        let reply = RealtimeMeasurement.Reply(.heartRate, fault: .notWorn)
        driver.ring(reply.frame)
        #expect(driver.drainReports() == [.started(nil), .measurement(reply)])
    }

    @Test mutating func aMeasurementEndsWithTheRingsEcho() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(61).frame)
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        #expect(
            driver.drainWrites() == [start, StopMeasurement.Request(.heartRate, value: 61).frame])
        driver.ring(report(62).frame)
        driver.ring(StopMeasurement.Reply(.heartRate, value: 62).frame)
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(61)), .measurement(report(62)),
                .ended(.stopped),
            ])
        driver.wait(.seconds(60))
        #expect(driver.drainWrites() == [])
        #expect(driver.drainReports() == [])
        #expect(driver.session.deadline == nil)
    }

    @Test mutating func aMissingEchoEndsAMeasurementToo() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(0).frame)
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        driver.ring(report(0).frame)
        _ = driver.drainReports()
        driver.wait(.seconds(3))
        #expect(driver.drainReports() == [.ended(.stopped)])
        #expect(driver.drainWrites() == [start, stop])
    }

    @Test mutating func aStreamThatGoesOnIsStoppedAgain() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(0).frame)
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        for _ in 0..<40 {
            driver.ring(report(0).frame)
            driver.wait(.milliseconds(500))
        }
        #expect(driver.drainWrites() == [start, stop, stop, stop])
        #expect(driver.drainReports().last == .ended(.stopped))
        #expect(driver.session.openStreams == [])
    }

    @Test mutating func theEndOfAnotherMeasurementIsNoEcho() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(0).frame)
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        let other = StopMeasurement.Reply(.bloodOxygen).frame
        driver.ring(other)
        #expect(driver.drainEvents() == [.unsolicited(other)])
        #expect(driver.session.openStreams == [number])
    }

    @Test mutating func stoppingBeforeTheRingWasToldSendsNothing() {
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.app { $0.stop(number, at: $1) }
        #expect(driver.drainReports() == [.ended(.stopped)])
        driver.ring(Battery.Reply.level(5))
        driver.wait(.seconds(30))
        #expect(driver.drainWrites() == [Battery.Request().frame])
    }

    @Test mutating func stoppingWhileTheRingBeginsTellsItToStop() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.app { $0.stop(number, at: $1) }
        driver.wait(.milliseconds(9))
        #expect(driver.drainWrites() == [start])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [stop])
        driver.ring(StopMeasurement.Reply(.heartRate).frame)
        #expect(driver.drainReports() == [.ended(.stopped)])
    }

    /// As an R02 does: one zero, nothing for 26 seconds, then values.
    @Test mutating func aRingMayBeQuietUntilItsFirstValue() {
        let number = driver.app { $0.start(.measurement(.heartRate), once: true, at: $1) }
        driver.ring(report(0).frame)
        driver.wait(.seconds(26))
        driver.ring(report(61).frame)
        #expect(driver.drainWrites() == [start])
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(0)), .measurement(report(61)),
            ])
        // After a value the time is short, and so it is for a ring that has repeated its zero.
        driver.wait(.seconds(4))
        #expect(driver.drainWrites() == [StopMeasurement.Request(.heartRate, value: 61).frame])
        driver.ring(StopMeasurement.Reply(.heartRate, value: 61).frame)
        #expect(driver.drainReports() == [.ended(.finished)])
        #expect(driver.session.openStreams.contains(number) == false)
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.wait(.milliseconds(10))
        driver.ring(report(0).frame, report(0).frame)
        driver.wait(.seconds(4))
        #expect(driver.drainWrites() == [start, start])
    }

    @Test mutating func aQuietStreamIsNotToldToContinue() {
        let start = RealtimeMeasurement.Request(.heartRateStream).frame
        let resume = RealtimeMeasurement.Request(.heartRateStream, .resume).frame
        _ = driver.app { $0.start(.measurement(.heartRateStream), at: $1) }
        driver.ring(report(0, .heartRateStream).frame)
        driver.wait(.seconds(19))
        #expect(driver.drainWrites() == [start])
        for _ in 0..<12 {
            driver.ring(report(61, .heartRateStream).frame)
            driver.wait(.seconds(1))
        }
        #expect(driver.drainWrites() == [resume])
    }

    @Test mutating func aMeasurementThatIsNeverReportedIsSilent() {
        _ = driver.app { $0.start(.measurement(.stress), at: $1) }
        driver.wait(.seconds(12))
        #expect(driver.drainWrites().count == 3)
        #expect(driver.drainReports() == [.ended(.silent)])
    }

    @Test mutating func aRefusedMeasurementEnds() {
        _ = driver.app { $0.start(.measurement(.temperature), at: $1) }
        driver.ring(Refusal(of: RealtimeMeasurement.opcode).frame)
        #expect(driver.drainReports() == [.ended(.refused)])
        #expect(driver.drainEvents() == [])
    }

    @Test mutating func aMeasurementThatIsRefusedLaterEndsToo() {
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(0).frame, Refusal(of: RealtimeMeasurement.opcode).frame)
        #expect(driver.drainReports().last == .ended(.refused))
    }

    @Test mutating func aRingThatStopsByItselfIsStartedAgain() {
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(60).frame)
        driver.wait(.seconds(4))
        #expect(driver.drainWrites() == [start, start])
        driver.ring(report(61).frame)
        driver.wait(.seconds(3))
        driver.ring(report(62).frame)
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(60)), .measurement(report(61)),
                .measurement(report(62)),
            ])
        driver.wait(.seconds(20))
        #expect(driver.drainWrites() == [start, start, start])
        #expect(driver.drainReports() == [.ended(.silent)])
    }

    @Test mutating func aSilentSingleMeasurementIsStopped() {
        let number = driver.app { $0.start(.measurement(.heartRate), once: true, at: $1) }
        driver.ring(report(60).frame)
        driver.wait(.seconds(4))
        #expect(
            driver.drainWrites() == [start, StopMeasurement.Request(.heartRate, value: 60).frame])
        #expect(driver.drainReports() == [.started(nil), .measurement(report(60))])
        // The app's own stop changes nothing any more.
        driver.app { $0.stop(number, at: $1) }
        driver.ring(StopMeasurement.Reply(.heartRate, value: 60).frame)
        #expect(driver.drainReports() == [.ended(.finished)])
        driver.wait(.seconds(60))
        #expect(driver.drainWrites() == [])
        #expect(driver.session.deadline == nil)
    }

    @Test mutating func aSilentSingleMeasurementIsFinishedWithoutAReply() {
        _ = driver.app { $0.start(.measurement(.heartRate), once: true, at: $1) }
        driver.ring(report(0).frame, report(0).frame)
        driver.wait(.milliseconds(6_999))
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(0)), .measurement(report(0)),
            ])
        driver.wait(.milliseconds(1))
        #expect(driver.drainReports() == [.ended(.finished)])
        #expect(driver.drainWrites() == [start, stop])
    }

    @Test mutating func aSilentSingleMeasurementEndsWithItsLink() {
        _ = driver.app { $0.start(.measurement(.heartRate), once: true, at: $1) }
        driver.ring(report(0).frame, report(0).frame)
        driver.wait(.seconds(6))
        driver.app { $0.disconnect(at: $1) }
        #expect(driver.drainReports().last == .ended(.disconnected))
    }

    /// Their stop has no reply that could tell more.
    @Test mutating func silentRawSensorsAreFinishedAtOnce() {
        _ = driver.app { $0.start(.rawSensors, once: true, at: $1) }
        let values = RawSensors.Reply(
            .pulse(RawSensors.Optical(value: 5, maximum: 9, minimum: 2, difference: 7)))
        driver.ring(values.frame)
        driver.wait(.seconds(4))
        #expect(driver.drainReports() == [.started(nil), .rawSensors(values), .ended(.finished)])
        #expect(driver.drainWrites() == [RawSensors.Request(.once).frame])
    }

    @Test mutating func aRingThatOnlyPausedIsStoppedNevertheless() {
        _ = driver.app { $0.start(.measurement(.heartRate), once: true, at: $1) }
        driver.ring(report(0).frame, report(0).frame)
        driver.wait(.seconds(5))
        driver.ring(report(61).frame, report(62).frame)
        driver.wait(.seconds(3))
        // It continues, so it is stopped again.
        #expect(driver.drainWrites().count == 3)
        driver.ring(StopMeasurement.Reply(.heartRate, value: 62).frame)
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(0)), .measurement(report(0)),
                .measurement(report(61)), .measurement(report(62)), .ended(.finished),
            ])
    }

    @Test mutating func aStreamGetsKeepAlives() {
        _ = driver.app { $0.start(.measurement(.heartRateStream), at: $1) }
        for _ in 0..<64 {
            driver.ring(report(70, .heartRateStream).frame)
            driver.wait(.milliseconds(500))
        }
        let begin = RealtimeMeasurement.Request(.heartRateStream).frame
        let goOn = RealtimeMeasurement.Request(.heartRateStream, .resume).frame
        #expect(driver.drainWrites() == [begin, goOn, goOn])
    }

    /// A stream of heart rates whose keep-alive waits behind a request without reply.
    private func waiting() -> (driver: SessionDriver, number: StreamNumber) {
        var driver = SessionDriver()
        let number = driver.app { $0.start(.measurement(.heartRateStream), at: $1) }
        driver.ring(report(70, .heartRateStream).frame)
        for _ in 0..<14 {
            driver.wait(.seconds(1))
            driver.ring(report(70, .heartRateStream).frame)
        }
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(2))
        _ = driver.drainWrites()
        _ = driver.drainReports()
        return (driver, number)
    }

    @Test func aRestartedStreamGetsNoKeepAlive() {
        var (driver, _) = waiting()
        driver.wait(.seconds(2))
        driver.ring(Battery.Reply.level(5))
        driver.wait(.seconds(1))
        let begin = RealtimeMeasurement.Request(.heartRateStream).frame
        #expect(driver.drainWrites().filter { $0 != Battery.Request().frame } == [begin])
    }

    @Test func aReplacedStreamGetsNoKeepAlive() {
        var (driver, _) = waiting()
        _ = driver.app { $0.start(.measurement(.bloodOxygen), at: $1) }
        driver.ring(Battery.Reply.level(5))
        driver.wait(.seconds(1))
        let begin = RealtimeMeasurement.Request(.bloodOxygen).frame
        #expect(driver.drainWrites().filter { $0 != Battery.Request().frame } == [begin])
    }

    @Test mutating func anUnknownChannelIsReportedToo() throws {
        _ = driver.app { $0.start(.rawSensors, at: $1) }
        let strange = try frame("A1 09 01 02")
        driver.ring(strange, strange)
        let reply = try RawSensors.Reply(decoding: strange)
        #expect(driver.drainReports() == [.started(nil), .rawSensors(reply), .rawSensors(reply)])
        #expect(driver.drainEvents() == [])
    }

    @Test mutating func anotherMeasurementTakesTheFirstOnesPlace() {
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(60).frame)
        let second = driver.app { $0.start(.measurement(.bloodOxygen), at: $1) }
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites().last == RealtimeMeasurement.Request(.bloodOxygen).frame)
        #expect(driver.drainReports().last == .ended(.replaced))
        #expect(driver.session.openStreams == [second])
        driver.ring(report(61).frame)
        #expect(driver.drainEvents() == [.unsolicited(report(61).frame)])
        driver.ring(report(97, .bloodOxygen).frame)
        #expect(driver.drainReports() == [.started(nil), .measurement(report(97, .bloodOxygen))])
    }

    @Test mutating func requestsGoOnBesideAStream() throws {
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(60).frame)
        driver.wait(.milliseconds(10))
        let log = try stressLog(daysAgo: 1, sample: 9)
        let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        for frame in log.frames { driver.ring(frame, report(61).frame) }
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.drainReports().count == 2 + log.frames.count)
    }

    @Test mutating func rawValuesStreamUntilStopped() {
        let number = driver.app { $0.start(.rawSensors, at: $1) }
        let values = RawSensors.Reply(
            .pulse(RawSensors.Optical(value: 5, maximum: 9, minimum: 2, difference: 7)))
        driver.ring(values.frame)
        driver.ring(bytes: Array(values.frame.bytes), on: .bigData)
        driver.wait(.seconds(1))
        driver.app { $0.stop(number, at: $1) }
        driver.ring(values.frame)
        driver.wait(.milliseconds(300))
        #expect(
            driver.drainReports() == [
                .started(nil), .rawSensors(values), .rawSensors(values), .rawSensors(values),
                .ended(.stopped),
            ])
        #expect(
            driver.drainWrites() == [
                RawSensors.Request(.start).frame, RawSensors.Request(.stop).frame,
            ])
    }

    @Test mutating func aRingWithoutRawValuesRefuses() {
        _ = driver.app { $0.start(.rawSensors, at: $1) }
        driver.ring(Refusal(of: RawSensors.opcode).frame)
        #expect(driver.drainReports() == [.ended(.refused)])
    }

    @Test mutating func theRefusalOfTheGoalsIsNoRawValue() throws {
        _ = driver.app { $0.start(.rawSensors, at: $1) }
        driver.ring(
            RawSensors.Reply(
                .pulse(RawSensors.Optical(value: 5, maximum: 9, minimum: 2, difference: 7))
            ).frame)
        driver.wait(.milliseconds(10))
        let goals = driver.app { $0.send(Goals.Request.read, at: $1) }
        driver.ring(Refusal(of: Goals.opcode).frame)
        #expect(try driver.answer(goals) == .refused)
        #expect(driver.drainReports().count == 2)
        #expect(driver.session.openStreams.count == 1)
    }

    @Test func reportsSayWhatTheyAre() {
        let reply = RealtimeMeasurement.Reply(.heartRate, value: 86)
        #expect("\(StreamReport.measurement(reply))".contains("value: 86 bpm"))
        #expect("\(StreamReport.started(nil))" == "started")
        #expect("\(StreamReport.ended(.silent))" == "ended: the ring fell silent")
    }
}
