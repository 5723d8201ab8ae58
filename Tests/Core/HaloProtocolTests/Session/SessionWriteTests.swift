import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 11, and the end of rule 10: failed writes, and suspended links.
@Suite(.computes) struct SessionWriteTests {
    private var driver = SessionDriver()

    @Test mutating func aFailedWriteEndsTheRequestAtOnce() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        try driver.failLastWrite()
        #expect(driver.failure(pending) == .writeFailed)
        let completion = try #require(driver.completion(pending))
        #expect(completion.attempts == 1)
        #expect(completion.lastWrite == driver.lastWrite)
        driver.wait(.seconds(30))
        #expect(driver.drainWrites().count == 1)
        #expect(driver.repeatedEnds == 0)
    }

    @Test mutating func theSameCommandNeedNotWaitForALateAnswer() throws {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        let second = driver.app { $0.send(Battery.Request(), at: $1) }
        try driver.failLastWrite()
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites().count == 2)
        driver.ring(Battery.Reply.level(22))
        #expect(driver.failure(first) == .writeFailed)
        #expect(try driver.answer(second).value?.percent == 22)
    }

    @Test mutating func anEarlierAttemptMayStillBeAnswered() throws {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(3020))
        try driver.failLastWrite()
        #expect(driver.failure(first) == .writeFailed)
        let second = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(100))
        #expect(driver.drainWrites().count == 2)
        driver.ring(Battery.Reply.level(11))
        #expect(driver.drainEvents() == [.late(Battery.Reply.level(11))])
        #expect(driver.completion(second) == nil)
    }

    @Test mutating func aWriteThatFailsTooLateHarmsNoOtherRequest() throws {
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        let write = try #require(driver.lastWrite)
        driver.app { $0.cancel(first.number, at: $1) }
        let second = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        driver.wait(.milliseconds(400))
        #expect(driver.lastWrite != write)
        driver.fail(write)
        #expect(driver.failure(first) == .cancelled)
        #expect(driver.completion(second) == nil)
        driver.ring(try frame("48 00 05 79"))
        #expect(try driver.answer(second).value?.steps == 1401)
        // A request that was never written has no late reply.
        _ = driver.drainWrites()
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.milliseconds(20))
        #expect(driver.drainWrites() == [Battery.Request().frame])
    }

    @Test mutating func recordsAndRequestsWithoutReplyFailToo() throws {
        let record = driver.app { $0.send(FileList.Request(), at: $1) }
        try driver.failLastWrite()
        #expect(driver.failure(record) == .writeFailed)
        driver.wait(.milliseconds(20))
        let off = DangerousPowerOff.Request(knowinglySending: .shutDown)
        let pending = driver.app { $0.send(off, at: $1) }
        try driver.failLastWrite()
        #expect(driver.failure(pending) == .writeFailed)
    }

    @Test mutating func aStreamWhoseStartFailsEnds() throws {
        _ = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        try driver.failLastWrite()
        #expect(driver.drainReports() == [.ended(.writeFailed)])
        #expect(driver.session.openStreams == [])
        driver.wait(.seconds(60))
        #expect(driver.drainWrites().count == 1)
    }

    @Test mutating func aStreamWhoseEndFailsHasEndedForTheApp() throws {
        let stream = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.ring(try frame("69 01 00 00"))
        driver.wait(.milliseconds(20))
        driver.app { $0.stop(stream, at: $1) }
        try driver.failLastWrite()
        #expect(driver.drainReports().last == .ended(.stopped))
        #expect(driver.session.openStreams == [])
    }

    @Test mutating func anUnknownWriteNumberIsIgnored() {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.fail(WriteNumber(rawValue: 999))
        #expect(driver.completion(pending) == nil)
        driver.app { $0.disconnect(at: $1) }
        driver.fail(WriteNumber(rawValue: 1))
        #expect(driver.failure(pending) == .disconnected)
        #expect(driver.repeatedEnds == 0)
    }

    @Test func timeStandsStillWhileTheLinkCarriesNothing() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(2))
        driver.app { $0.suspend(at: $1) }
        #expect(driver.session.deadline == nil)
        driver.wait(.seconds(60))
        #expect(driver.completion(pending) == nil)
        driver.app { $0.resume(at: $1) }
        #expect(driver.session.deadline == driver.now + .seconds(1))
        driver.wait(.milliseconds(999))
        #expect(driver.completion(pending) == nil)
        driver.wait(.milliseconds(1))
        #expect(driver.failure(pending) == .timedOut)
    }

    @Test mutating func nothingIsSentWhileTimeStandsStill() throws {
        driver.app { $0.suspend(at: $1) }
        driver.app { $0.suspend(at: $1) }
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        let taken = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(5))
        #expect(driver.drainWrites() == [])
        driver.app { $0.cancel(taken.number, at: $1) }
        #expect(driver.failure(taken) == .cancelled)
        driver.app { $0.resume(at: $1) }
        driver.app { $0.resume(at: $1) }
        #expect(driver.drainWrites() == [Battery.Request().frame])
        driver.ring(Battery.Reply.level(22))
        #expect(try driver.answer(pending).value?.percent == 22)
    }

    @Test mutating func aRunningStreamDoesNotFallSilentMeanwhile() throws {
        _ = driver.app { $0.start(.measurement(.heartRate), once: true, at: $1) }
        driver.ring(try frame("69 01 00 00"), try frame("69 01 00 00"))
        _ = driver.drainReports()
        for _ in 0..<3 {
            driver.app { $0.suspend(at: $1) }
            driver.wait(.seconds(10))
            driver.app { $0.resume(at: $1) }
            driver.wait(.seconds(1))
        }
        #expect(driver.drainReports() == [])
        driver.wait(.seconds(1))
        driver.ring(StopMeasurement.Reply(.heartRate).frame)
        #expect(driver.drainReports() == [.ended(.finished)])
    }

    @Test mutating func aSuspendedSessionEndsWithItsLink() {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.app { $0.suspend(at: $1) }
        driver.app { $0.disconnect(at: $1) }
        driver.app { $0.resume(at: $1) }
        #expect(driver.failure(pending) == .disconnected)
        #expect(driver.session.deadline == nil)
    }
}
