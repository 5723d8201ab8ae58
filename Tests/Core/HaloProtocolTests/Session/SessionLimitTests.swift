import TestSupport
import Testing

@testable import HaloProtocol

/// The limits of sessions, on both sides: kept effects, repeated requests, and spacings.
@Suite(.computes) struct SessionLimitTests {
    private var driver = SessionDriver()

    private let request = Battery.Request().frame
    private let begin = RealtimeMeasurement.Request(.heartRate).frame

    private func report(_ value: UInt8) -> RealtimeMeasurement.Reply {
        RealtimeMeasurement.Reply(.heartRate, value: value)
    }

    // MARK: At least one

    @Test(arguments: [-1, 0, 1])
    func atLeastOneEventIsKept(_ limit: Int) throws {
        var rules = SessionRules()
        rules.effectLimit = limit
        var session = RingSession(rules)
        let push = Array(try frame("73 01").bytes)
        for _ in 0..<3 { session.receive(push, on: .uart, at: .origin) }
        var effects: [RingSession.Effect] = []
        while let effect = session.nextEffect() { effects.append(effect) }
        #expect(effects.count == 2)
        #expect(effects.last == .event(.dropped(2)))
    }

    @Test(arguments: [-1, 0, 1])
    func atLeastOneMeasurementIsKept(_ limit: Int) {
        var rules = HeartRateSensorSession.Rules()
        rules.effectLimit = limit
        var session = HeartRateSensorSession(rules)
        for _ in 0..<3 { session.receive([0, 60], at: .origin) }
        var effects: [HeartRateSensorSession.Effect] = []
        while let effect = session.nextEffect() { effects.append(effect) }
        #expect(effects.count == 2)
        #expect(effects.last == .dropped(2))
    }

    @Test(arguments: [-1, 0, 1])
    func atLeastOneRequestMayWait(_ limit: Int) {
        var driver = SessionDriver { $0.queueLimit = limit }
        let requests = (0..<3).map { _ in driver.app { $0.send(Battery.Request(), at: $1) } }
        #expect(requests.map { driver.failure($0) } == [nil, nil, .overloaded])
        #expect(driver.session.openRequestCount == 2)
    }

    @Test(arguments: [(-4, 1), (0, 1), (1, 1), (2, 2), (3, 3), (16, 16), (17, 16), (.max, 16)])
    func aReadIsSentOnceAtLeastAndSixteenTimesAtMost(_ attempts: Int, _ sent: Int) {
        var driver = SessionDriver { $0.attempts = attempts }
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(60))
        #expect(driver.drainWrites() == Array(repeating: request, count: sent))
        #expect(driver.failure(pending) == .timedOut)
        #expect(driver.completion(pending)?.attempts == sent)
    }

    /// A stream that continues is stopped as often as a read is sent.
    @Test(arguments: [(-4, 1), (0, 1), (1, 1), (2, 2), (3, 3)])
    func theEndOfAMeasurementIsSentAtLeastOnce(_ attempts: Int, _ sent: Int) {
        var driver = SessionDriver { $0.attempts = attempts }
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(0).frame)
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        for _ in 0..<20 {
            driver.ring(report(0).frame)
            driver.wait(.milliseconds(500))
        }
        driver.wait(.seconds(20))
        let end = StopMeasurement.Request(.heartRate).frame
        #expect(driver.drainWrites() == [begin] + Array(repeating: end, count: sent))
        #expect(driver.session.openStreams == [])
    }

    // MARK: Streams

    /// One report may be under way when a measurement is stopped; two show that it goes on.
    @Test(arguments: [(0, 1), (1, 1), (2, 2), (3, 2)])
    mutating func twoReportsAfterTheEndSayThatItGoesOn(_ reports: Int, _ ends: Int) {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(0).frame)
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        for _ in 0..<reports { driver.ring(report(0).frame) }
        driver.wait(.seconds(20))
        let end = StopMeasurement.Request(.heartRate).frame
        #expect(driver.drainWrites() == [begin] + Array(repeating: end, count: ends))
        #expect(driver.drainReports().last == .ended(.stopped))
    }

    @Test(
        arguments: [([61, 0], 61), ([1], 1), ([0], 0), ([61, 1], 1), ([], 0)]
            as [([UInt8], UInt8)])
    mutating func theEndOfAMeasurementSaysTheLastValueThatWasOne(_ values: [UInt8], _ last: UInt8) {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        for value in values { driver.ring(report(value).frame) }
        driver.wait(.milliseconds(500))
        driver.app { $0.stop(number, at: $1) }
        driver.wait(.milliseconds(10))
        let end = StopMeasurement.Request(.heartRate, value: last).frame
        #expect(driver.drainWrites() == [begin, end])
    }

    /// A start that still waits is removed when the ring reports without it.
    @Test mutating func aMeasurementThatReportsAgainIsNotStartedAgain() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(report(60).frame)
        driver.wait(.milliseconds(3900))
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(200))
        driver.ring(report(61).frame)
        driver.ring(Battery.Reply.level(5))
        driver.wait(.seconds(1))
        #expect(driver.drainWrites() == [begin, request])
        #expect(
            driver.drainReports() == [
                .started(nil), .measurement(report(60)), .measurement(report(61)),
            ])
        #expect(driver.session.openStreams == [number])
    }

    // MARK: Time between

    @Test func theNextRequestKeepsItsDistanceFromALateAnswer() {
        var driver = SessionDriver {
            $0.attempts = 1
            $0.lateReplyTimeout = .seconds(60)
        }
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(4))
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.drainWrites() == [request])
        driver.ring(Battery.Reply.level(11))
        driver.wait(.milliseconds(9))
        #expect(driver.drainWrites() == [])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [request])
    }

    /// A late reply does not shorten the spacing after a cancelled request.
    @Test mutating func aLateReplyShortensNoSpacing() {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.app { $0.cancel(first.number, at: $1) }
        _ = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        driver.wait(.milliseconds(100))
        driver.ring(Battery.Reply.level(11))
        driver.wait(.milliseconds(199))
        #expect(driver.drainWrites() == [request])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [TodayTotals.Request().frame])
    }

    /// A tick up to a second late is that of a slow app. A later one is that of a suspended app,
    /// which has 0.3 seconds to pass on the received bytes.
    @Test(arguments: [(1_000_000, 10), (1_000_001, 310)])
    mutating func aSuspendedAppHasAGracePeriod(_ late: Int, milliseconds: Int) {
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.drainWrites() == [request])
        driver.sleep(Duration.seconds(3) + .microseconds(late))
        driver.app { $0.tick(at: $1) }
        driver.wait(.milliseconds(milliseconds - 1))
        #expect(driver.drainWrites() == [])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [request])
    }

    /// Time stands still from the first call of `suspend` to the moment of `resume`; a wait never
    /// gets shorter.
    @Test func timeThatStandsStillIsCountedOnce() {
        var session = RingSession()
        _ = session.send(Battery.Request(), at: .origin)
        session.suspend(at: .origin + .seconds(1))
        session.resume(at: .origin + .milliseconds(500))
        #expect(session.deadline == Moment.origin + .seconds(3))
        session.suspend(at: .origin + .seconds(1))
        session.resume(at: .origin + .seconds(1))
        #expect(session.deadline == Moment.origin + .seconds(3))
        session.suspend(at: .origin + .seconds(1))
        session.suspend(at: .origin + .seconds(2))
        #expect(session.deadline == nil)
        session.resume(at: .origin + .seconds(4))
        session.resume(at: .origin + .seconds(9))
        #expect(session.deadline == Moment.origin + .seconds(6))
    }

    // MARK: Recordings

    /// Packages are numbered from 1 to the announced count.
    @Test(arguments: [0, 1, 3, 4, 255] as [UInt8])
    func onlyAnnouncedPackagesAreAccepted(_ number: UInt8) throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let recording = WorkoutDetail.Request(
            sport: Reported(.run), start: CivilDateTime(secondsSince1970: 1_785_000_000))
        let pending = driver.app { $0.send(recording, at: $1) }
        let layout = WorkoutDetail.Reply(WorkoutDetail.Layout(packageCount: 3)).frame
        driver.ring(layout, try WorkoutSamples.Reply(package: number, samples: [60, 60]).frame)
        driver.wait(.seconds(40))
        let error = driver.completion(pending)?.error
        let isOne = number == 1 || number == 3
        #expect(error?.kind == .incomplete)
        #expect(error?.received.count == (isOne ? 2 : 1))
        #expect((error?.packetError?.kind == .outOfOrder) == !isOne)
    }

    // MARK: Words

    @Test func reasonsHaveWordsOfTheirOwn() {
        let kinds: [SessionError.Kind] = [
            .timedOut, .incomplete, .malformed, .cancelled, .disconnected, .overloaded,
            .otherRequest, .tooLong, .writeFailed,
        ]
        #expect(Set(kinds).count == kinds.count)
    }

    @Test(arguments: [(0, "0 times"), (1, "once"), (2, "2 times"), (3, "3 times")])
    func aCompletionSaysHowOftenItWasSent(_ attempts: Int, _ words: String) {
        let completion = Completion(number: RequestNumber(rawValue: 4), attempts: attempts)
        #expect(completion.description == "#4: The ring has answered. (sent \(words))")
    }
}
