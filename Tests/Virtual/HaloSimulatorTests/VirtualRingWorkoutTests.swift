import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Workouts while they run, and as they are stored.
@Suite(.passesTime) struct VirtualRingWorkoutTests {
    private var bench = RingBench.connected(.r10, days: 0)

    private static func reports(_ frames: [Frame]) throws -> [WorkoutProgress.Reply] {
        try frames.filter { $0.opcode == WorkoutProgress.opcode }
            .map { try WorkoutProgress.Reply(decoding: $0) }
    }

    private static func list(_ bench: inout RingBench) throws -> [StoredWorkout] {
        let record = try #require(bench.ask(WorkoutList.Request.all).first)
        return try WorkoutList.Reply.answer(record).value?.workouts ?? []
    }

    @Test mutating func theFirstReportComesBeforeTheAnswer() throws {
        bench.send(WorkoutControl.Request(.start, .run).frame)
        bench.advance(by: .milliseconds(500))
        let frames = bench.takeFrames()
        #expect(frames.map(\.opcode) == [WorkoutProgress.opcode, WorkoutControl.opcode])
        #expect(try Self.reports(frames).first?.elapsedSeconds == 0)
    }

    @Test(arguments: [(RingProfile.r10, -8 * 3600), (.r12, 0)])
    func theStartLiesEightHoursBehindOnAnR10Alone(
        _ profile: RingProfile, _ seconds: Int
    ) throws {
        var bench = RingBench.connected(profile, days: 0)
        let answer = bench.ask(WorkoutControl.Request(.start, .run), within: .seconds(1))
        let first = try #require(answer.first)
        let start = try WorkoutControl.Reply(decoding: first).start
        #expect(start == RingBench.start.advanced(bySeconds: seconds))
        let asked = bench.ask(WorkoutControl.Request(.requestStart, .run), within: .seconds(1))
        let second = try #require(asked.first)
        #expect(try WorkoutControl.Reply(decoding: second).start == start)
    }

    @Test mutating func everyTenthSecondIsReportedTwice() throws {
        bench.send(WorkoutControl.Request(.start, .run).frame)
        bench.advance(by: .milliseconds(31_500))
        let reports = try Self.reports(bench.takeFrames())
        let expected: [UInt16] = (0...31 as ClosedRange<UInt16>).flatMap { second -> [UInt16] in
            second > 0 && second.isMultiple(of: 10) ? [second, second] : [second]
        }
        #expect(reports.map(\.elapsedSeconds) == expected)
        #expect(reports.prefix { $0.beatsPerMinute == 0 }.last?.elapsedSeconds == 10)
        #expect(reports.last?.beatsPerMinute ?? 0 > 0)
    }

    @Test mutating func aPauseHoldsTheSecondsAndTheReportsGoOn() throws {
        bench.send(WorkoutControl.Request(.start, .walk).frame)
        bench.advance(by: .milliseconds(5500))
        #expect(bench.ask(WorkoutControl.Request(.pause, .walk)).count == 1)
        bench.advance(by: .seconds(5))
        let paused = try Self.reports(bench.takeFrames())
        #expect(paused.count == 5)
        #expect(paused.allSatisfy { $0.state == .paused && $0.elapsedSeconds == 5 })
        #expect(bench.ask(WorkoutControl.Request(.resume, .walk)).count == 1)
        bench.advance(by: .seconds(2))
        let last = try #require(try Self.reports(bench.takeFrames()).last)
        #expect(last.state == .running && last.elapsedSeconds > 5)
    }

    @Test mutating func theStoredWorkoutIsAnnouncedBeforeTheAnswerToItsEnd() throws {
        let answer = try #require(bench.ask(WorkoutControl.Request(.start, .run)).first)
        let start = try WorkoutControl.Reply(decoding: answer).start
        bench.advance(by: .seconds(70))
        _ = bench.take()
        bench.send(WorkoutControl.Request(.end, .run).frame)
        bench.advance(by: .seconds(2))
        let ends = bench.takeFrames().filter { $0.opcode != WorkoutProgress.opcode }
        #expect(
            ends == [
                RingNotification.Reply(.event(Reported(.workoutStored))).frame,
                WorkoutControl.Reply.done.frame,
            ])
        let workout = try #require(try Self.list(&bench).first)
        #expect(workout.start == start && workout.sport == .run)
        #expect(workout.durationSeconds.map { 74...76 ~= $0 } == true)
        #expect(workout.averageBeatsPerMinute.map { $0 > 40 } == true)
        let records = bench.ask(try #require(WorkoutDetail.Request(workout)))
        #expect(records.map(\.id) == [WorkoutDetail.replyID, WorkoutSamples.replyID])
        let samples = try WorkoutSamples.Reply(decoding: try #require(records.last))
        #expect(samples.package == 1 && !samples.samples.contains(0))
        #expect(64...66 ~= samples.samples.count)
    }

    @Test mutating func onlyLaterWorkoutsAreListedAndOthersAreUnknown() throws {
        for _ in 0..<2 {
            bench.send(WorkoutControl.Request(.start, .cycle).frame)
            bench.advance(by: .seconds(65))
            bench.send(WorkoutControl.Request(.end, .cycle).frame)
            bench.advance(by: .seconds(5))
        }
        let all = try Self.list(&bench)
        let starts = all.compactMap(\.start)
        #expect(starts.count == 2 && starts[0] > starts[1])
        let later = bench.ask(WorkoutList.Request(after: starts[1]))
        let found = try WorkoutList.Reply(decoding: try #require(later.first)).workouts
        #expect(found.compactMap(\.start) == [starts[0]])
        let before = bench.ask(WorkoutList.Request(after: starts[1].advanced(bySeconds: -1)))
        #expect(try WorkoutList.Reply(decoding: try #require(before.first)).workouts.count == 2)
        #expect(
            bench.ask(WorkoutList.Request(after: starts[0])) == [
                BigDataNoData(id: WorkoutList.replyID).frame
            ])
        let unknown = WorkoutDetail.Request(sport: Reported(.run), start: starts[0])
        #expect(bench.ask(unknown) == [WorkoutDetail.Reply.unknownWorkout.frame])
    }

    @Test mutating func lessThanAMinuteIsNotStored() throws {
        bench.send(WorkoutControl.Request(.start, .run).frame)
        bench.advance(by: .seconds(20))
        _ = bench.take()
        bench.send(WorkoutControl.Request(.end, .run).frame)
        bench.advance(by: .seconds(2))
        let ends = bench.takeFrames().filter { $0.opcode != WorkoutProgress.opcode }
        #expect(ends == [WorkoutControl.Reply.done.frame])
        #expect(try Self.list(&bench).isEmpty)
    }

    @Test mutating func aWorkoutGoesOnWithoutACentral() throws {
        bench.send(WorkoutControl.Request(.start, .run).frame)
        bench.advance(by: .milliseconds(3500))
        bench.handle(.disconnected)
        bench.jump(to: bench.now + .seconds(600))
        bench.connect()
        _ = bench.take()
        bench.advance(by: .seconds(2))
        let reports = try Self.reports(bench.takeFrames())
        #expect(reports.first.map { 603...605 ~= $0.elapsedSeconds } == true)
        bench.send(WorkoutControl.Request(.end, .run).frame)
        bench.advance(by: .seconds(2))
        _ = bench.take()
        let workout = try #require(try Self.list(&bench).first)
        let records = bench.ask(try #require(WorkoutDetail.Request(workout)))
        #expect(records.count == 4, "a layout and three packages")
    }

    @Test mutating func elevenWorkoutsAreTen() throws {
        for _ in 0..<11 {
            bench.send(WorkoutControl.Request(.start, .run).frame)
            bench.advance(by: .seconds(62))
            bench.send(WorkoutControl.Request(.end, .run).frame)
            bench.advance(by: .seconds(2))
        }
        #expect(try Self.list(&bench).count == 10)
    }
}
