import TestSupport
import Testing

@testable import HaloProtocol

/// Rules 1 to 3: one request at a time, matching, timeouts.
@Suite(.computes) struct SessionRequestTests {
    private var driver = SessionDriver()

    @Test mutating func anAnswerEndsItsRequest() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.drainWrites() == [Battery.Request().frame])
        driver.ring(Battery.Reply.level(64))
        #expect(try driver.answer(pending).value?.percent == 64)
        #expect(driver.completion(pending)?.attempts == 1)
        #expect(driver.session.deadline == nil)
        #expect(driver.drainEvents() == [])
    }

    @Test mutating func oneRequestIsOutAtATimeWithSpacingBetween() throws {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        let second = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        #expect(driver.drainWrites() == [Battery.Request().frame])
        #expect(driver.session.openRequestCount == 2)
        driver.ring(Battery.Reply.level(64))
        #expect(driver.completion(first)?.error == nil)
        driver.wait(.milliseconds(9))
        #expect(driver.drainWrites() == [])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [TodayTotals.Request().frame])
        driver.ring(try frame("48 00 05 79"))
        #expect(try driver.answer(second).value?.steps == 1401)
    }

    /// The ring may still be busy with the cancelled request.
    @Test mutating func theNextRequestKeepsItsDistanceFromACancelledOne() {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        _ = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        driver.wait(.milliseconds(5))
        driver.app { $0.cancel(first.number, at: $1) }
        driver.wait(.milliseconds(299))
        #expect(driver.drainWrites() == [Battery.Request().frame])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [TodayTotals.Request().frame])
    }

    @Test mutating func theStopOfAStreamKeepsTheSpacingAfterAWithdrawnStart() {
        let stream = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.app { $0.stop(stream, at: $1) }
        #expect(driver.drainWrites() == [RealtimeMeasurement.Request(.heartRate).frame])
        driver.wait(.milliseconds(9))
        #expect(driver.drainWrites() == [])
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites() == [StopMeasurement.Request(.heartRate).frame])
    }

    @Test mutating func aRequestWithoutReplyEndsAfterItsSpacing() throws {
        let off = DangerousPowerOff.Request(knowinglySending: .shutDown)
        let pending = driver.app { $0.send(off, at: $1) }
        let next = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.drainWrites() == [off.frame])
        driver.wait(.milliseconds(299))
        #expect(driver.completion(pending) == nil)
        driver.wait(.milliseconds(1))
        #expect(try driver.answer(pending) == .value(Sent()))
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [Battery.Request().frame])
        #expect(driver.completion(next) == nil)
    }

    @Test mutating func aWrittenRequestWithoutReplySucceedsWhenTheLinkEnds() throws {
        let off = DangerousPowerOff.Request(knowinglySending: .shutDown)
        let pending = driver.app { $0.send(off, at: $1) }
        driver.wait(.milliseconds(100))
        driver.app { $0.disconnect(at: $1) }
        #expect(try driver.answer(pending) == .value(Sent()))
        var unwritten = RingSession()
        let other = unwritten.send(off, at: .origin)
        unwritten.disconnect(at: .origin)
        guard case .finished(let completion)? = unwritten.nextEffect() else {
            Issue.record("no end")
            return
        }
        #expect(completion.number == other.number)
        #expect(completion.error?.kind == .disconnected)
        #expect(unwritten.nextEffect() == nil)
    }

    @Test mutating func aFrameOfAnotherCommandAnswersNothing() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        let stray = try frame("48 00 05 79")
        driver.ring(stray)
        #expect(driver.completion(pending) == nil)
        #expect(driver.drainEvents() == [.unsolicited(stray)])
        driver.ring(Battery.Reply.level(50))
        #expect(try driver.answer(pending).value?.percent == 50)
    }

    @Test mutating func aReadingAnswersNoWrite() throws {
        let write = AutoStress.Request.write(ToggleSetting(.on))
        let pending = driver.app { $0.send(write, at: $1) }
        let reading = AutoStress.Reply(.read, reading: ToggleSetting(.off)).frame
        driver.ring(reading)
        #expect(driver.completion(pending) == nil)
        #expect(driver.drainEvents() == [.unsolicited(reading)])
        driver.ring(AutoStress.Reply(.write, echo: ToggleSetting(.on)).frame)
        #expect(try driver.answer(pending).value?.echo == ToggleSetting(.on))
    }

    @Test mutating func aRefusalIsAnAnswer() throws {
        let pending = driver.app { $0.send(DoNotDisturb.Request.read, at: $1) }
        driver.ring(try frame("86 EE"))
        #expect(try driver.answer(pending) == .refused)
        let log = driver.app { session, now in
            session.send(StressLog.Request(day: 2), at: now)
        }
        driver.wait(.milliseconds(10))
        driver.ring(Refusal(of: StressLog.opcode).frame)
        #expect(try driver.answer(log) == .refused)
    }

    @Test mutating func theRefusalOfARequestWithBitSevenIsItsAnswer() throws {
        let pending = driver.app { $0.send(RawSensors.Request(.once), at: $1) }
        driver.ring(Refusal(of: RawSensors.opcode).frame)
        #expect(try driver.answer(pending) == .refused)
        let goals = driver.app { $0.send(Goals.Request.read, at: $1) }
        driver.wait(.milliseconds(10))
        driver.ring(Refusal(of: Goals.opcode).frame)
        #expect(try driver.answer(goals) == .refused)
    }

    @Test mutating func noDataIsAnAnswer() throws {
        let log = driver.app { $0.send(StressLog.Request(day: 2), at: $1) }
        driver.ring(try frame("37 FF"))
        #expect(try driver.answer(log) == .noData)
        let pressure = driver.app { $0.send(BloodPressureData.Request(), at: $1) }
        driver.wait(.milliseconds(10))
        driver.ring(try frame("0D FF"))
        #expect(try driver.answer(pressure) == .noData)
        let workouts = driver.app { $0.send(WorkoutList.Request.all, at: $1) }
        driver.wait(.milliseconds(10))
        driver.ring(BigDataNoData(id: WorkoutList.replyID).frame)
        #expect(try driver.answer(workouts) == .noData)
    }

    @Test mutating func aReadIsSentAgainAsOftenAsTheRulesSay() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(12))
        #expect(driver.drainWrites().count == 3)
        #expect(driver.failure(pending) == .timedOut)
        #expect(driver.completion(pending)?.attempts == 3)
        #expect(driver.session.deadline == nil)
    }

    @Test mutating func aSecondAttemptIsAnswered() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(3100))
        #expect(driver.drainWrites().count == 2)
        driver.ring(Battery.Reply.level(7))
        #expect(try driver.answer(pending).value?.percent == 7)
        #expect(driver.completion(pending)?.attempts == 2)
    }

    @Test mutating func aRequestThatChangesSomethingIsSentOnce() throws {
        let pending = driver.app { $0.send(AutoStress.Request.write(ToggleSetting(.on)), at: $1) }
        driver.wait(.seconds(12))
        #expect(driver.drainWrites().count == 1)
        #expect(driver.failure(pending) == .timedOut)
        #expect(driver.completion(pending)?.attempts == 1)
    }

    @Test func aWholeReplyHasATimeout() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let day = try CivilDate(year: 2026, month: 7, day: 2)
        let pending = driver.app { $0.send(HeartRateLog.Request(day: day), at: $1) }
        let frames = try heartRateLog(day).frames
        for _ in 0..<20 {
            driver.ring(frames[0], frames[1])
            driver.wait(.seconds(2))
        }
        #expect(driver.failure(pending) == .incomplete)
    }

    @Test mutating func aMalformedAnswerIsAnErrorThatSaysWhy() throws {
        let day = try CivilDate(year: 2026, month: 7, day: 2)
        let pending = driver.app { $0.send(WorkoutList.Request.all, at: $1) }
        driver.ring(try BigDataFrame(id: WorkoutList.replyID, payload: [9, 1]))
        #expect(throws: SessionError.self) { try driver.answer(pending) }
        do {
            _ = try driver.answer(pending)
        } catch let error as SessionError {
            #expect(error.kind == .malformed)
            #expect(error.packetError?.packet == WorkoutList.Reply.name)
            #expect(error.description.hasPrefix("The ring's reply is not valid: "))
        }
        let log = driver.app { $0.send(HeartRateLog.Request(day: day), at: $1) }
        driver.wait(.milliseconds(10))
        let broken = try frame("15 00 01 05")
        for _ in 0..<3 {
            driver.ring(broken)
            driver.wait(.milliseconds(3010))
        }
        #expect(driver.failure(log) == .malformed)
        #expect(driver.drainEvents().count == 3)
    }

    @Test mutating func aPendingRequestReadsItsOwnCompletionOnly() throws {
        let battery = driver.app { $0.send(Battery.Request(), at: $1) }
        let totals = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        driver.ring(Battery.Reply.level(7))
        let completion = try #require(driver.completion(battery))
        #expect(throws: SessionError.self) { try totals.answer(completion) }
        #expect(totals.partial(completion) == nil)
    }
}
