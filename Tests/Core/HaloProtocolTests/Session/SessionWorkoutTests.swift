import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 8: workouts.
@Suite(.computes) struct SessionWorkoutTests {
    private var driver = SessionDriver()

    private let key = CivilDateTime(secondsSince1970: 1_785_000_000)

    private func progress(
        _ second: UInt16, _ state: WorkoutProgress.State = .running
    ) -> WorkoutProgress.Reply {
        WorkoutProgress.Reply(
            .run, state, elapsedSeconds: second, beatsPerMinute: 80, steps: 0, metres: 0,
            smallCalories: 0)
    }

    private func running(_ change: (inout SessionRules) -> Void = { _ in }) -> (
        driver: SessionDriver, number: StreamNumber
    ) {
        var driver = SessionDriver(change)
        let number = driver.app { $0.start(.workout(.run), at: $1) }
        driver.ring(WorkoutControl.Reply.started(at: key).frame)
        driver.wait(.milliseconds(10))
        _ = driver.drainReports()
        return (driver, number)
    }

    @Test mutating func theFirstReportMayComeBeforeTheAnswer() {
        _ = driver.app { $0.start(.workout(.run), at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.start, .run).frame])
        driver.ring(progress(0).frame, WorkoutControl.Reply.started(at: key).frame)
        #expect(driver.drainReports() == [.workout(progress(0)), .started(key)])
    }

    @Test mutating func reportsWithoutAnAnswerAreAStart() {
        _ = driver.app { $0.start(.workout(.run), at: $1) }
        for second in 0..<4 as Range<UInt16> {
            driver.ring(progress(second).frame)
            driver.wait(.seconds(1))
        }
        #expect(driver.drainReports().contains(.started(nil)))
        #expect(driver.drainWrites().count == 1)
        #expect(driver.session.openStreams.count == 1)
    }

    @Test func secondsThatComeTwiceWhileItRunsAreReportedOnce() {
        var (driver, _) = running()
        driver.ring(progress(9).frame, progress(10).frame, progress(10).frame)
        driver.ring(progress(11).frame, progress(10).frame, progress(12).frame)
        driver.ring(progress(12, .paused).frame, progress(12, .paused).frame)
        #expect(
            driver.drainReports() == [
                .workout(progress(9)), .workout(progress(10)), .workout(progress(11)),
                .workout(progress(12)), .workout(progress(12, .paused)),
                .workout(progress(12, .paused)),
            ])
    }

    @Test func ofTheSecondsThatWereReportedTheLastFourAreKnown() {
        var (driver, _) = running()
        driver.ring((1...5).map { progress($0).frame })
        #expect(driver.drainReports().count == 5)
        driver.ring((2...5).map { progress($0).frame })
        #expect(driver.drainReports() == [])
        driver.ring(progress(1).frame)
        #expect(driver.drainReports() == [.workout(progress(1))])
    }

    /// Only the last of several steps is sent once the queue is free.
    @Test func onlyTheLastWaitingStepIsSent() {
        var (driver, number) = running()
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        _ = driver.drainWrites()
        for _ in 0..<3 {
            driver.app { $0.pause(number, at: $1) }
            driver.app { $0.resume(number, at: $1) }
        }
        driver.app { $0.pause(number, at: $1) }
        driver.ring(Battery.Reply.level(5))
        driver.wait(.milliseconds(100))
        #expect(driver.drainWrites() == [WorkoutControl.Request(.pause, .run).frame])
        driver.ring(WorkoutControl.Reply.done.frame)
        driver.wait(.milliseconds(100))
        #expect(driver.drainWrites() == [])
    }

    @Test func aPausedWorkoutIsNotSilent() {
        var (driver, number) = running()
        _ = driver.drainWrites()
        driver.app { $0.pause(number, at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.pause, .run).frame])
        driver.ring(WorkoutControl.Reply.done.frame)
        for _ in 0..<20 {
            driver.ring(progress(5, .paused).frame)
            driver.wait(.seconds(1))
        }
        #expect(driver.session.openStreams == [number])
        driver.app { $0.resume(number, at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.resume, .run).frame])
    }

    @Test func aWorkoutEndsWithTheRingsAnswer() {
        var (driver, number) = running()
        _ = driver.drainWrites()
        driver.ring(progress(1).frame)
        driver.app { $0.stop(number, at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.end, .run).frame])
        let stored = RingNotification.Reply(.event(Reported(.workoutStored))).frame
        driver.ring(stored, WorkoutControl.Reply.done.frame)
        #expect(driver.drainReports() == [.workout(progress(1)), .ended(.stopped)])
        #expect(driver.session.deadline == nil)
    }

    @Test func aWorkoutEndsAlthoughALateAnswerMayCome() {
        var (driver, number) = running()
        driver.app { $0.pause(number, at: $1) }
        for second in 0..<4 as Range<UInt16> {
            driver.ring(progress(second).frame)
            driver.wait(.seconds(1))
        }
        _ = driver.drainWrites()
        driver.app { $0.stop(number, at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.end, .run).frame])
    }

    @Test func theAnswerToAStartIsNoneToAnEnd() {
        var (driver, number) = running()
        driver.app { $0.stop(number, at: $1) }
        driver.ring(WorkoutControl.Reply.started(at: key).frame)
        #expect(driver.session.openStreams == [number])
        driver.ring(WorkoutControl.Reply.done.frame)
        #expect(driver.session.openStreams == [])
    }

    /// As long as the link may still be there, the workout may go on.
    @Test func aWorkoutOutOfRangeGoesOn() {
        var (driver, number) = running()
        _ = driver.drainWrites()
        driver.ring(progress(1).frame)
        driver.wait(.seconds(34))
        #expect(driver.drainReports() == [.workout(progress(1))])
        driver.ring(progress(35).frame)
        driver.wait(.seconds(34))
        #expect(driver.drainReports() == [.workout(progress(35))])
        driver.app { $0.stop(number, at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.end, .run).frame])
    }

    /// Nobody could end it later.
    @Test(arguments: [true, false]) func aSilentWorkoutIsEnded(isAnswered: Bool) {
        var (driver, _) = running()
        _ = driver.drainWrites()
        driver.ring(progress(1).frame)
        driver.wait(.seconds(35))
        #expect(driver.drainReports() == [.workout(progress(1))])
        #expect(driver.drainWrites() == [WorkoutControl.Request(.end, .run).frame])
        if isAnswered { driver.ring(WorkoutControl.Reply.done.frame) }
        driver.wait(.seconds(3))
        #expect(driver.drainReports() == [.ended(.silent)])
        #expect(driver.session.openStreams == [])
    }

    @Test func aWorkoutThatTheRingEndedIsFinished() {
        var (driver, _) = running()
        driver.ring(progress(1).frame, progress(2, .ended).frame)
        driver.wait(.seconds(4))
        #expect(driver.drainReports().last == .ended(.finished))
    }

    @Test mutating func aWorkoutIsStartedOnceOnly() {
        _ = driver.app { $0.start(.workout(.run), at: $1) }
        driver.wait(.seconds(20))
        #expect(driver.drainWrites().count == 1)
        #expect(driver.drainReports() == [.ended(.silent)])
    }

    @Test mutating func aRefusedWorkoutEnds() {
        _ = driver.app { $0.start(.workout(.run), at: $1) }
        driver.ring(Refusal(of: WorkoutControl.opcode).frame)
        #expect(driver.drainReports() == [.ended(.refused)])
    }

    @Test func anotherWorkoutEndsTheFirstOnTheRingToo() {
        var (driver, _) = running()
        _ = driver.drainWrites()
        let second = driver.app { $0.start(.workout(.walk), at: $1) }
        #expect(driver.drainWrites() == [WorkoutControl.Request(.end, .run).frame])
        driver.ring(WorkoutControl.Reply.done.frame)
        driver.wait(.milliseconds(10))
        #expect(driver.drainWrites() == [WorkoutControl.Request(.start, .walk).frame])
        #expect(driver.drainReports() == [.ended(.replaced)])
        #expect(driver.session.openStreams == [second])
    }

    @Test mutating func aMeasurementCannotBePaused() {
        let number = driver.app { $0.start(.measurement(.heartRate), at: $1) }
        driver.app { $0.pause(number, at: $1) }
        driver.app { $0.resume(number, at: $1) }
        #expect(driver.drainWrites().count == 1)
    }

    @Test func reportsOfAnotherSportAreEvents() {
        var (driver, _) = running()
        let other = WorkoutProgress.Reply(
            .walk, .running, elapsedSeconds: 1, beatsPerMinute: 0, steps: 0, metres: 0,
            smallCalories: 0)
        driver.ring(other.frame)
        #expect(driver.drainEvents() == [.unsolicited(other.frame)])
    }
}
