import TestSupport
import Testing

@testable import HaloProtocol

/// Rules 9 and 10, and cancellation.
@Suite(.computes) struct SessionBoundsTests {
    @Test func requestsBeyondTheLimitEndAtOnce() {
        var driver = SessionDriver { $0.queueLimit = 3 }
        let requests = (0..<5).map { _ in driver.app { $0.send(Battery.Request(), at: $1) } }
        #expect(driver.failure(requests[4]) == .overloaded)
        #expect(driver.completion(requests[4])?.attempts == 0)
        #expect(requests[..<4].allSatisfy { driver.completion($0) == nil })
        #expect(driver.session.openRequestCount == 4)
    }

    @Test func eventsBeyondTheLimitAreCountedInTheirPlace() throws {
        var rules = SessionRules()
        rules.effectLimit = 4
        var session = RingSession(rules)
        let push = Array(try frame("73 01").bytes)
        for _ in 0..<10 { session.receive(push, on: .uart, at: .origin) }
        let pending = session.send(Battery.Request(), at: .origin)
        for _ in 0..<3 { session.receive(push, on: .uart, at: .origin) }
        session.receive(Array(Battery.Reply.level(1).bytes), on: .uart, at: .origin)
        var effects: [RingSession.Effect] = []
        while let effect = session.nextEffect() { effects.append(effect) }
        #expect(effects.count == 8)
        #expect(effects[4] == .event(.dropped(6)))
        guard case .write(Battery.Request().frame, _) = effects[5] else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects[6] == .event(.dropped(3)))
        guard case .finished(let completion) = effects[7] else {
            Issue.record("\(effects)")
            return
        }
        #expect(try pending.answer(completion).value?.percent == 1)
        session.receive(push, on: .uart, at: .origin)
        #expect(session.nextEffect() != nil)
    }

    @Test func endsOfStreamsAreNeverDropped() {
        var rules = SessionRules()
        rules.effectLimit = 1
        var session = RingSession(rules)
        let number = session.start(.measurement(.heartRate), at: .origin)
        let report = Array(RealtimeMeasurement.Reply(.heartRate).frame.bytes)
        for _ in 0..<5000 { session.receive(report, on: .uart, at: .origin) }
        session.disconnect(at: .origin)
        var effects: [RingSession.Effect] = []
        while let effect = session.nextEffect() { effects.append(effect) }
        #expect(effects.count == 4)
        #expect(effects.first == .stream(number, .started(nil)))
        #expect(effects.last == .stream(number, .ended(.disconnected)))
    }

    @Test func aReplyWithoutEndIsAbandoned() throws {
        var driver = SessionDriver()
        let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        let frames = try stressLog(daysAgo: 1, sample: 9).frames
        for _ in 0..<2000 { driver.ring(frames[0], frames[1]) }
        #expect(driver.failure(pending) == .tooLong)
        #expect(driver.completion(pending)?.received.count == 2)
    }

    @Test func earlierMomentsCountAsTheLatestOne() throws {
        var session = RingSession()
        _ = session.send(Battery.Request(), at: Moment(microseconds: 5_000_000))
        #expect(session.deadline == Moment(microseconds: 8_000_000))
        session.tick(at: .origin)
        #expect(session.deadline == Moment(microseconds: 8_000_000))
        session.receive([], on: .uart, at: Moment(microseconds: .min))
        #expect(session.deadline == Moment(microseconds: 8_000_000))
    }

    @Test func noMomentIsTooLateOrTooEarly() {
        for start in [Moment(microseconds: .min), .distantFuture] {
            var session = RingSession()
            _ = session.send(Battery.Request(), at: start)
            _ = session.start(.measurement(.heartRate), at: start)
            var ticks = 0
            while let deadline = session.deadline, ticks < 100 {
                session.tick(at: deadline)
                ticks += 1
                if let next = session.deadline { #expect(next > deadline) }
            }
            #expect(session.deadline == nil)
            #expect(session.openRequestCount == 0)
            session.tick(at: .distantFuture)
            session.tick(at: Moment(microseconds: .min))
        }
    }

    /// However long time was suspended, a deadline is not beyond the end of the caller's time.
    @Test func everythingEndsAfterTheLongestSuspension() {
        var session = RingSession()
        _ = session.send(Battery.Request(), at: .origin)
        _ = session.start(.measurement(.heartRate), at: .origin)
        session.suspend(at: .origin)
        session.resume(at: .distantFuture - .seconds(1))
        var ticks = 0
        while let deadline = session.deadline, ticks < 100 {
            session.tick(at: deadline)
            ticks += 1
            if let next = session.deadline { #expect(next > deadline) }
        }
        #expect(session.deadline == nil)
        #expect(session.openRequestCount == 0)
    }

    @Test func impossibleRulesDoNoHarm() {
        var rules = SessionRules()
        rules.frameTimeout = .seconds(-1)
        rules.replyTimeout = .zero
        rules.furtherRecordTimeout = .zero
        rules.attempts = -4
        rules.spacing = .seconds(-9)
        rules.spacingWithoutReply = .zero
        rules.lateReplyTimeout = .seconds(Int64.max)
        rules.queueLimit = -1
        rules.effectLimit = -1
        rules.streamTimeout = .zero
        rules.keepAliveInterval = .zero
        var driver = SessionDriver { $0 = rules }
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        _ = driver.app { $0.start(.measurement(.heartRateStream), at: $1) }
        driver.wait(.milliseconds(1))
        #expect(driver.failure(pending) == .timedOut)
        #expect(driver.drainReports() == [.ended(.silent)])
    }

    @Test func aCancelledRequestThatWaitsIsNotSent() {
        var driver = SessionDriver()
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        let second = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        driver.app { $0.cancel(second.number, at: $1) }
        #expect(driver.failure(second) == .cancelled)
        #expect(driver.completion(second)?.attempts == 0)
        driver.ring(Battery.Reply.level(3))
        driver.wait(.seconds(20))
        #expect(driver.drainWrites() == [Battery.Request().frame])
        #expect(driver.completion(first)?.error == nil)
    }

    @Test func cancellingAnEndedRequestHasNoEffect() {
        var driver = SessionDriver()
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.ring(Battery.Reply.level(3))
        driver.app { $0.cancel(pending.number, at: $1) }
        driver.app { $0.cancel(RequestNumber(rawValue: 77), at: $1) }
        #expect(driver.completion(pending)?.error == nil)
        #expect(driver.repeatedEnds == 0)
    }

    /// A log, a setting and a record, each cancelled after every step of the ring.
    @Test func cancellingAtAnyPointLeavesTheSessionUsable() throws {
        let log = try stressLog(daysAgo: 1, sample: 9)
        for step in 0...log.frames.count {
            var driver = SessionDriver()
            let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
            driver.ring(Array(log.frames.prefix(step)))
            driver.app { $0.cancel(pending.number, at: $1) }
            let other = driver.app { $0.send(AutoStress.Request.read, at: $1) }
            let same = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
            driver.ring(Array(log.frames.dropFirst(step)))
            driver.wait(.milliseconds(400))
            #expect(driver.drainWrites().last == AutoStress.Request.read.frame)
            driver.ring(AutoStress.Reply(.read, reading: ToggleSetting(.on)).frame)
            #expect(try driver.answer(other).value?.reading?.isOn == true)
            driver.wait(.milliseconds(10))
            driver.ring(log.frames)
            #expect(try driver.answer(same) == .value(log))
            #expect(driver.failure(pending) == (step == log.frames.count ? nil : .cancelled))
        }
    }
}
