import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 5: late replies.
@Suite(.computes) struct SessionLateAnswerTests {
    private var driver = SessionDriver()

    @Test func aLateReplyIsAnEventAndEndsNoRequest() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(4))
        #expect(driver.failure(first) == .timedOut)
        let second = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.drainWrites().count == 1)
        driver.ring(Battery.Reply.level(11))
        #expect(driver.drainEvents() == [.late(Battery.Reply.level(11))])
        #expect(driver.completion(second) == nil)
        driver.ring(Battery.Reply.level(11))
        #expect(driver.completion(second) == nil)
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [Battery.Request().frame])
        driver.ring(Battery.Reply.level(22))
        #expect(try driver.answer(second).value?.percent == 22)
    }

    @Test func theSameCommandWaitsUntilALateAnswerCannotCome() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(4))
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(5999))
        #expect(driver.drainWrites().count == 1)
        driver.wait(.milliseconds(1))
        #expect(driver.drainWrites().count == 1)
    }

    @Test func whatWaitedWhileTheAppSleptIsLateAllTheSame() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(4))
        let second = driver.app { $0.send(Battery.Request(), at: $1) }
        _ = driver.drainWrites()
        driver.sleep(.seconds(60))
        driver.ring(try frame("48 00 05 79"), Battery.Reply.level(11))
        #expect(driver.drainEvents().last == .late(Battery.Reply.level(11)))
        #expect(driver.drainWrites() == [])
        driver.wait(.milliseconds(310))
        #expect(driver.drainWrites() == [Battery.Request().frame])
        driver.ring(Battery.Reply.level(22))
        #expect(try driver.answer(second).value?.percent == 22)
    }

    @Test mutating func aCallerThatIsAlwaysLateMakesProgress() {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        for _ in 0..<20 where driver.completion(pending) == nil {
            driver.sleep(.seconds(5))
            driver.ring(bytes: [])
        }
        #expect(driver.failure(pending) == .timedOut)
    }

    @Test func otherCommandsOvertake() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(4))
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        let totals = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        #expect(driver.drainWrites() == [Battery.Request().frame, TodayTotals.Request().frame])
        driver.ring(try frame("48 00 05 79"))
        #expect(try driver.answer(totals).value?.steps == 1401)
    }

    @Test func aLateLogIsWaitedOutAsAWhole() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        _ = driver.app { $0.send(StressLog.Request(day: 3), at: $1) }
        driver.wait(.seconds(4))
        let second = driver.app { $0.send(StressLog.Request(day: 4), at: $1) }
        let late = try stressLog(daysAgo: 3, sample: 99).frames
        driver.ring(Array(late.dropLast()))
        #expect(driver.drainWrites().count == 1)
        driver.ring(late.suffix(1) + [])
        #expect(driver.drainEvents() == late.map { .late($0) })
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [StressLog.Request(day: 4).frame])
        let right = try stressLog(daysAgo: 4, sample: 11)
        driver.ring(right.frames)
        #expect(try driver.answer(second) == .value(right))
    }

    @Test mutating func aLateAnswerToAnEarlierAttemptIsTheAnswer() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(3020))
        #expect(driver.drainWrites().count == 2)
        driver.ring(Battery.Reply.level(33))
        #expect(try driver.answer(pending).value?.percent == 33)
        driver.ring(Battery.Reply.level(34))
        #expect(driver.drainEvents() == [.late(Battery.Reply.level(34))])
    }

    @Test mutating func aDuplicateReplyIsNotTwoReplies() throws {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(3020))
        driver.ring(Battery.Reply.level(33), Battery.Reply.level(33))
        #expect(try driver.answer(first).value?.percent == 33)
        let second = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(500))
        #expect(driver.drainWrites().count == 2)
        driver.ring(Battery.Reply.level(44))
        #expect(driver.completion(second) == nil)
        driver.wait(.milliseconds(10))
        driver.ring(Battery.Reply.level(55))
        #expect(try driver.answer(second).value?.percent == 55)
    }

    /// "No data" of one day is the same frame as that of another. A fast ring sends both within a
    /// tenth of a second, and no request after them waits for a late reply.
    @Test(arguments: [10, 40, 85]) mutating func equalRepliesToTwoRequestsAreTwoReplies(
        _ milliseconds: Int
    ) throws {
        let days = (0..<8).map { day in
            driver.app { $0.send(ActivityLog.Request(day: DaysAgo(day)), at: $1) }
        }
        let nothing = ActivityLog.Part.noData(
            ActivityLogPart.Header(recordCount: 0, energyUnit: Reported(.smallCalories))
        ).frame
        for day in days {
            driver.wait(.milliseconds(milliseconds))
            #expect(driver.drainWrites().count == 1)
            driver.ring(nothing)
            #expect(try driver.answer(day) == .noData)
            driver.wait(.milliseconds(10))
        }
    }

    /// A frame that comes twice is not the reply to a request of another command.
    @Test func aDuplicateAfterAnotherCommandIsNoSecondLateReply() {
        var driver = SessionDriver {
            $0.attempts = 2
            $0.lateReplyTimeout = .seconds(60)
        }
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(7))
        #expect(driver.failure(first) == .timedOut)
        driver.ring(Battery.Reply.level(11))
        driver.wait(.milliseconds(10))
        _ = driver.app { $0.send(AutoStress.Request.read, at: $1) }
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(20))
        #expect(driver.drainWrites().count == 3)
        driver.ring(Battery.Reply.level(11))
        driver.ring(Refusal(of: AutoStress.opcode).frame)
        driver.wait(.seconds(5))
        #expect(!driver.drainWrites().contains(Battery.Request().frame))
    }

    @Test mutating func theTailOfALogThatWasRequestedTwiceIsNoReply() throws {
        let first = try stressLog(daysAgo: 1, sample: 11)
        let second = try stressLog(daysAgo: 2, sample: 22)
        let one = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        let two = driver.app { $0.send(StressLog.Request(day: 2), at: $1) }
        var lossy = first.frames
        lossy.remove(at: 2)
        driver.ring(lossy)
        driver.wait(.milliseconds(10))
        // The last frame has overtaken another one of the second reply.
        driver.ring(Array(first.frames.prefix(3)) + [first.frames[4]])
        #expect(try driver.answer(one) == .value(first))
        driver.wait(.milliseconds(20))
        driver.ring(first.frames[3])
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites().last == StressLog.Request(day: 2).frame)
        driver.ring(second.frames)
        #expect(try driver.answer(two) == .value(second))
    }

    @Test mutating func theFirstFrameOfTheNextAnswerSaysThatTheOneBeforeIsOver() throws {
        let log = try stressLog(daysAgo: 1, sample: 11)
        let one = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        let two = driver.app { $0.send(StressLog.Request(day: 2), at: $1) }
        driver.ring(Array(log.frames.prefix(3)))
        driver.wait(.milliseconds(3010))
        driver.ring(log.frames)
        #expect(try driver.answer(one) == .value(log))
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites().last == StressLog.Request(day: 2).frame)
        #expect(driver.completion(two) == nil)
    }

    /// Of two late replies the first is one malformed frame, the second is complete.
    @Test func aBrokenFirstFrameBeginsALateAnswerToo() throws {
        var driver = SessionDriver { $0.attempts = 2 }
        let first = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        driver.wait(.milliseconds(6020))
        #expect(driver.failure(first) == .timedOut)
        _ = driver.app { $0.send(StressLog.Request(day: 2), at: $1) }
        #expect(driver.drainWrites().count == 2)
        let late = try stressLog(daysAgo: 1, sample: 11).frames
        driver.ring([try frame("37 00 01 1E")] + late)
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [StressLog.Request(day: 2).frame])
    }

    @Test mutating func theReplyToACancelledRequestIsWaitedOut() throws {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.app { $0.cancel(first.number, at: $1) }
        #expect(driver.failure(first) == .cancelled)
        let second = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(400))
        #expect(driver.drainWrites().count == 1)
        driver.ring(Battery.Reply.level(11))
        #expect(driver.completion(second) == nil)
        #expect(driver.drainEvents() == [.late(Battery.Reply.level(11))])
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites().count == 1)
        driver.ring(Battery.Reply.level(12))
        #expect(try driver.answer(second).value?.percent == 12)
    }

    @Test func aLateRecordIsAnEvent() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let pending = driver.app { $0.send(FileList.Request(), at: $1) }
        driver.wait(.seconds(4))
        #expect(driver.failure(pending) == .timedOut)
        let late = BigDataNoData(id: FileList.replyID).frame
        driver.ring(late, late)
        #expect(driver.drainEvents() == [.lateRecord(late), .unsolicitedRecord(late)])
    }
}
