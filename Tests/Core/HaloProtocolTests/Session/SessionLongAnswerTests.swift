import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 4: replies of many frames.
@Suite(.computes) struct SessionLongAnswerTests {
    private var driver = SessionDriver()

    private let request: HeartRateLog.Request
    private let log: HeartRateLog.Reply

    init() throws {
        let day = try CivilDate(daysSince1970: 20_000)
        request = HeartRateLog.Request(day: day)
        log = try heartRateLog(day, sample: 71)
    }

    @Test mutating func framesAreJoined() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(log.frames)
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.completion(pending)?.received.frames == log.frames)
        #expect(driver.session.deadline == nil)
    }

    @Test mutating func eachFrameRestartsTheFrameTimeout() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        for frame in log.frames.prefix(8) {
            driver.wait(.milliseconds(2900))
            driver.ring(frame)
        }
        driver.ring(Array(log.frames.dropFirst(8)))
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.drainWrites() == [request.frame])
    }

    @Test mutating func aMissingFrameIsAskedForAtOnce() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        var lossy = log.frames
        lossy.remove(at: 5)
        driver.ring(lossy)
        #expect(driver.completion(pending) == nil)
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [request.frame, request.frame])
        // A change since the first reply shows only at the end of the second.
        driver.ring(Array(log.frames.prefix(6)))
        #expect(driver.completion(pending) == nil)
        driver.ring(Array(log.frames.dropFirst(6)))
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.completion(pending)?.attempts == 2)
    }

    /// The stored data changes between two replies, and the first frame of the second is lost: no
    /// answer mixes both, whichever frame of the first is missing.
    @Test(arguments: 1..<24)
    mutating func aSecondAnswerWithoutItsBeginningIsNoMixture(_ missing: Int) throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        let later = try heartRateLog(CivilDate(daysSince1970: 20_000), sample: 72)
        var lossy = log.frames
        lossy.remove(at: missing)
        driver.ring(lossy)
        if driver.completion(pending) == nil, missing == 23 { driver.wait(.seconds(3)) }
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [request.frame, request.frame])
        for frame in later.frames.dropFirst() {
            driver.ring(frame)
            #expect(driver.completion(pending) == nil, "\(frame)")
        }
        driver.wait(.milliseconds(10))
        driver.ring(later.frames)
        #expect(try driver.answer(pending) == .value(later))
        #expect(driver.completion(pending)?.attempts == 3)
    }

    /// The same for activity: its records have an index, so the second reply needs no header.
    @Test(arguments: 1..<4)
    mutating func aSecondActivityWithoutItsHeaderIsNoMixture(_ missing: Int) throws {
        let request = ActivityLog.Request(day: 0)
        let pending = driver.app { $0.send(request, at: $1) }
        var lossy = try activityLog(steps: 100).frames
        let later = try activityLog(steps: 200)
        lossy.remove(at: missing)
        driver.ring(lossy)
        if missing == 3 { driver.wait(.seconds(3)) }
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [request.frame, request.frame])
        for frame in later.frames.dropFirst() {
            #expect(driver.completion(pending) == nil, "\(frame)")
            driver.ring(frame)
        }
        #expect(try driver.answer(pending) == .value(later))
        #expect(driver.completion(pending)?.attempts == 2)
    }

    /// A second reply with the same data completes the first at its end.
    @Test mutating func aSecondAnswerWithoutItsBeginningMayComplete() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        var lossy = log.frames
        lossy.remove(at: 5)
        driver.ring(lossy)
        driver.wait(.milliseconds(10))
        for frame in log.frames.dropFirst() {
            #expect(driver.completion(pending) == nil)
            driver.ring(frame)
        }
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.completion(pending)?.attempts == 2)
    }

    @Test mutating func attemptsCompleteEachOther() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        for lost in [3..<9, 7..<12, 8..<9] as [Range<Int>] {
            var lossy = log.frames
            lossy.removeSubrange(lost)
            driver.ring(lossy)
            driver.wait(.milliseconds(10))
            if driver.completion(pending) != nil { break }
        }
        #expect(driver.completion(pending)?.attempts == 3)
        #expect(driver.failure(pending) == .incomplete)
        #expect(pending.partial(try #require(driver.completion(pending)))?.samples.count == 288)
    }

    @Test mutating func missingFramesAreReported() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        var lossy = log.frames
        lossy.remove(at: 5)
        for _ in 0..<3 {
            driver.ring(lossy)
            driver.wait(.milliseconds(10))
        }
        let completion = try #require(driver.completion(pending))
        #expect(completion.error?.kind == .incomplete)
        #expect(completion.error?.packetError?.kind == .missing)
        #expect(completion.error?.packetError?.expected == 5...5)
        #expect(completion.received.frames == lossy)
        let partial = try #require(pending.partial(completion))
        #expect(partial.samples.count { $0 == 0 } == 13)
        #expect(partial.samples.count { $0 == 71 } == 288 - 13)
        #expect(driver.drainWrites().count == 3)
    }

    @Test mutating func theEndOfALogThatDoesNotComeIsAskedFor() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(Array(log.frames.prefix(20)))
        driver.wait(.milliseconds(3010))
        #expect(driver.drainWrites().count == 2)
        driver.ring(log.frames)
        #expect(try driver.answer(pending) == .value(log))
    }

    @Test mutating func framesThatComeTwiceDoNoHarm() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(log.frames.dropLast().flatMap { [$0, $0] })
        driver.ring(log.frames.suffix(1) + log.frames.suffix(1))
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.completion(pending)?.received.frames == log.frames)
        #expect(driver.drainEvents().count == 1)
        #expect(driver.repeatedEnds == 0)
    }

    @Test mutating func aLogOfAnotherDayIsNotTheAnswer() throws {
        let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        let other = try stressLog(daysAgo: 0, sample: 99)
        let right = try stressLog(daysAgo: 1, sample: 11)
        driver.ring(other.frames)
        #expect(driver.completion(pending) == nil)
        driver.ring(right.frames)
        #expect(try driver.answer(pending) == .value(right))
    }

    @Test mutating func aForeignLogThatLosesItsDayLeavesNothingBehind() throws {
        let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        let other = try stressLog(daysAgo: 0, sample: 99)
        let right = try stressLog(daysAgo: 1, sample: 11)
        driver.ring([other.frames[0]] + other.frames[2...3])
        driver.ring(right.frames)
        #expect(try driver.answer(pending) == .value(right))
    }

    @Test mutating func unaskedFramesMayComeBetween() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        let push = try frame("73 01")
        for frame in log.frames { driver.ring(push, frame) }
        #expect(try driver.answer(pending) == .value(log))
        #expect(driver.drainEvents().count == log.frames.count)
    }

    @Test mutating func otherLongAnswersAreJoinedToo() throws {
        let pending = driver.app { $0.send(DailyTotals.Request(day: 0), at: $1) }
        let frames = [
            try frame("07000025012700002c0000000009f881"),
            try frame("07010025012700000000020000000057"),
        ]
        driver.ring(frames[1])
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites().count == 2)
        driver.ring(frames)
        #expect(try driver.answer(pending).value?.movement.steps == 44)
    }

    @Test mutating func halvesOfTwoAnswersAreNotMixed() throws {
        let pending = driver.app { $0.send(DailyTotals.Request(day: 0), at: $1) }
        let first = try frame("07 00 00 25 01 27 00 00 2C")
        let second = try frame("07 01 00 25 01 27 00 00 09")
        driver.ring(first)
        driver.wait(.seconds(4))
        #expect(driver.drainWrites().count == 2)
        driver.ring(second)
        #expect(driver.completion(pending)?.error != nil || driver.completion(pending) == nil)
        driver.wait(.milliseconds(10))
        driver.ring(try frame("07 00 00 25 01 27 00 00 31"), second)
        #expect(try driver.answer(pending).value?.movement.steps == 49)
    }
}
