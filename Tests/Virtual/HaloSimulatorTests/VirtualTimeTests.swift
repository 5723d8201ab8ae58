import Foundation
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Time in its three modes.
@Suite(.passesTime) struct VirtualTimeTests {
    private let wall = VirtualWall()

    /// An air whose time follows the wall.
    private func air(_ mode: VirtualMode = .automatic) -> VirtualBluetooth {
        VirtualBluetooth(
            seed: 1, mode: mode, startingAt: AirBench.start, faults: .none, pacing: wall.pacing)
    }

    @Test func byHandTimeStandsStillUntilItIsMoved() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        let placed = air.add(AirGadget())
        let ended = VirtualProbe<Bool>()
        _ = air.openLink(to: placed.identity, events: { _ in }) { result in
            ended.add((try? result.get()) != nil)
        }
        #expect(ended.values == [])
        #expect(air.time.now() == .origin)
        air.advance(by: .seconds(1))
        #expect(ended.values == [true])
        #expect(air.time.now() == .origin + .seconds(1))
    }

    @Test func aStepIsOneEvent() {
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        let moments = VirtualProbe<Moment>()
        for seconds in [3, 1, 2] {
            let time = air.time
            _ = time.schedule(at: .origin + .seconds(seconds)) { moments.add(time.now()) }
        }
        #expect(air.step())
        let seconds = (1...3).map { Moment.origin + .seconds($0) }
        #expect(moments.values == [seconds[0]])
        #expect(air.step())
        #expect(air.step())
        #expect(!air.step())
        #expect(moments.values == seconds)
    }

    @Test func aCancelledTimerNeverFires() {
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        let fired = VirtualProbe<Int>()
        let first = air.time.schedule(at: .origin + .seconds(1)) { fired.add(1) }
        _ = air.time.schedule(at: .origin + .seconds(1)) { fired.add(2) }
        first.cancel()
        first.cancel()
        air.advance(by: .seconds(2))
        #expect(fired.values == [2])
    }

    @Test func sleepersWakeInTheirOrder() async throws {
        let air = VirtualBluetooth()
        let order = VirtualProbe<Int>()
        try await withThrowingTaskGroup { group in
            for hours in [5, 1, 4, 2, 3] {
                let deadline = air.clock.now.advanced(by: .seconds(3_600 * hours))
                group.addTask {
                    try await air.clock.sleep(until: deadline)
                    order.add(hours)
                }
            }
            try await group.waitForAll()
        }
        #expect(order.values == [1, 2, 3, 4, 5])
        #expect(air.time.now() == .origin + .seconds(5 * 3_600))
    }

    @Test func aSleepThatIsCancelledEndsAtOnce() async {
        let air = VirtualBluetooth(mode: .manual)
        for isEarly in [true, false] {
            let task = Task { try await air.clock.sleep(for: .seconds(60)) }
            if !isEarly { while air.nextEventTime == nil { await Task.yield() } }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(air.nextEventTime == nil)
        }
    }

    @Test func aSleepIntoThePastIsOverAtOnce() async throws {
        let air = VirtualBluetooth()
        try await air.clock.sleep(for: .seconds(10))
        let before = air.clock.now
        try await air.clock.sleep(until: before.advanced(by: .seconds(-5)))
        #expect(air.clock.now == before)
    }

    /// Two tasks: one sleeps for an hour, the other makes a hundred requests meanwhile.
    @Test func anHoursSleepOfOneTaskLeavesAnotherItsTurns() async throws {
        let air = VirtualBluetooth(seed: 1)
        let placed = air.add(AirGadget())
        let link = try await air.openLink(to: placed.identity)
        async let slept: Void = air.clock.sleep(for: .seconds(3_600))
        for _ in 0..<100 { _ = try await link.readValue(AirGadget.readable, air.time) }
        let asked = air.time.now()
        try await slept
        #expect(asked < .origin + .seconds(60), "the questions took until \(asked)")
        #expect(air.time.now() >= .origin + .seconds(3_600))
    }

    /// Waits for a timer, as for a reply.
    private static func wait(_ duration: Duration, _ air: VirtualBluetooth) async throws {
        let time = air.time
        try await virtualWait(time) { completion in
            _ = time.schedule(at: time.now() + duration) { completion(.success(())) }
        }
    }

    /// Two tasks wait. After its reply, one may make another request before the time of the other
    /// comes, whatever the other one does meanwhile.
    @Test func timeStandsStillForTheTaskWhoseWaitIsOver() async throws {
        let air = air()
        let time = air.time
        let over = VirtualProbe<Int>()
        // Both begin to wait at the same moment.
        time.waiting(.actionBegins)
        let other = Task {
            for number in 1...2 {
                try await Self.wait(.seconds(30), air)
                over.add(number)
            }
        }
        while air.nextEventTime == nil { await Task.yield() }
        wall.limit = .milliseconds(9)
        async let polling: Void = wall.run()
        await withCheckedContinuation { continuation in
            _ = time.schedule(at: .origin + .seconds(1)) {
                time.waiting(.ends)
                continuation.resume()
            }
            time.waiting(.begins)
            time.waiting(.actionEnds)
        }
        time.waiting(.resumes)
        #expect(time.now() == .origin + .seconds(1))
        await polling
        #expect(time.now() == .origin + .seconds(1))
        #expect(over.values == [])
        // This task waits for something else, so that the other one continues in the end.
        wall.limit = .seconds(1)
        await wall.run()
        try await other.value
        #expect(over.values == [1, 2])
        #expect(time.now() == .origin + .seconds(60))
    }

    /// While a task waits without end, each turn has some dozens of events, and yields afterwards.
    @Test func anEndlessWaitIsManySmallSteps() async {
        let air = air()
        let time = air.time
        let fired = VirtualProbe<Int>()
        for number in 0..<1_000 {
            _ = time.schedule(at: .origin + .seconds(number)) { fired.add(number) }
        }
        time.waiting(.begins)
        #expect((1...60).contains(fired.values.count))
        #expect(wall.tasks.values.count == 1)
        await wall.run()
        #expect(fired.values.count == 1_000)
        #expect(wall.now == .zero, "yields take no time")
        time.waiting(.ends)
    }

    /// A task that is alone lets time pass itself. With another one, whose tasks may be ready, the
    /// pool comes first.
    @Test func withAnotherTaskThePoolComesFirst() async {
        for hasListener in [false, true] {
            let air = air()
            let time = air.time
            let fired = VirtualProbe<Int>()
            _ = time.schedule(at: .origin + .seconds(1)) { fired.add(1) }
            if hasListener { time.waiting(.listeningBegins) }
            time.waiting(.begins)
            #expect(fired.values == (hasListener ? [] : [1]))
            await wall.run()
            #expect(fired.values == [1])
            time.waiting(.ends)
            if hasListener { time.waiting(.listeningEnds) }
        }
    }

    @Test func withListenersOnlyTimeFollowsTheWall() async {
        let air = air()
        let fired = VirtualProbe<Moment>()
        let time = air.time
        for seconds in 1...3 {
            _ = time.schedule(at: .origin + .seconds(seconds)) { fired.add(time.now()) }
        }
        #expect(wall.tasks.values.count == 0)
        time.waiting(.listeningBegins)
        #expect(wall.tasks.values.count == 1)
        wall.limit = .milliseconds(2_500)
        await wall.run()
        #expect(fired.values.count == 2)
        #expect(time.now() >= .origin + .milliseconds(2_490))
        time.waiting(.listeningEnds)
        wall.limit = .seconds(100)
        await wall.run()
        // Without listeners the task has ended, and time stands still.
        #expect(fired.values.count == 2)
        #expect(wall.tasks.values.count == 0)
        #expect(time.now() < .origin + .seconds(3))
    }

    /// The task that lets time pass sleeps until the next event, and for a tenth of a second at
    /// most. An event that comes before its sleep is over needs another task.
    @Test func inRealTimeAnEarlierEventIsInTime() async {
        let air = air(.realTime(speed: 2))
        let time = air.time
        let fired = VirtualProbe<Moment>()
        func schedule(_ milliseconds: Int) {
            _ = time.schedule(at: .origin + .milliseconds(milliseconds)) { fired.add(time.now()) }
        }
        schedule(1_000)
        time.waiting(.begins)
        #expect(wall.tasks.values.count == 1)
        await wall.run()
        // The task sleeps until 200 ms of the air.
        for later in [400, 200] { schedule(later) }
        #expect(wall.tasks.values.count == 0)
        schedule(40)
        #expect(wall.tasks.values.count == 1)
        await wall.run()
        schedule(50)
        #expect(wall.tasks.values.count == 0, "the new task is awake in time for this one")
        wall.limit = .milliseconds(150)
        await wall.run()
        #expect(wall.sleeperCount == 1, "the task that was replaced has ended")
        wall.limit = .seconds(10)
        await wall.run()
        let moments = [40, 50, 200, 400, 1_000].map { Moment.origin + .milliseconds($0) }
        #expect(fired.values == moments)
        #expect(wall.sleeperCount == 0)
    }

    @Test func realTimeIsAsFastAsItIsTold() async {
        let air = air(.realTime(speed: 60))
        let time = air.time
        let start = time.now()
        wall.pass(.seconds(2))
        #expect(time.now() == start + .seconds(120))
        let fired = VirtualProbe<Moment>()
        _ = time.schedule(at: start + .seconds(180)) { fired.add(time.now()) }
        time.waiting(.begins)
        wall.limit = .seconds(10)
        await wall.run()
        #expect(fired.values == [start + .seconds(180)])
        // Time that was advanced by hand does not wait for the wall clock.
        air.advance(by: .seconds(3_600))
        let advanced = time.now()
        wall.pass(.seconds(1))
        #expect(time.now() == advanced + .seconds(60))
    }

    /// A listener's time goes on from where a wait has ended, once the task that waited listens
    /// again.
    @Test func afterAWaitTimeFollowsTheWallAgain() async {
        let air = air()
        let time = air.time
        time.waiting(.listeningBegins)
        _ = time.schedule(at: .origin + .seconds(60)) { time.waiting(.ends) }
        await wall.run()
        time.waiting(.begins)
        await wall.run()
        #expect(time.now() == .origin + .seconds(60))
        time.waiting(.resumes)
        wall.pass(.milliseconds(5))
        #expect(time.now() == .origin + .seconds(60), "a task runs")
        time.waiting(.listeningBegins)
        wall.pass(.seconds(2))
        #expect(time.now() == .origin + .seconds(62))
    }

    /// A task that does not wait again holds time for longer while other threads compute: it may be
    /// one of them. But not for ever.
    @Test(arguments: [(computes: 0, asked: 1), (20, 21), (.max, 50)])
    func aTaskThatMayComputeHoldsTime(computes: Int, asked: Int) async throws {
        let questions = Locked(0)
        var pacing = VirtualPacing.system()
        pacing.pause = { _ in await Task.yield() }
        pacing.othersCompute = {
            questions.withLock { $0 += 1 }
            return questions.withLock { $0 <= computes }
        }
        let air = VirtualBluetooth(
            seed: 1, mode: .automatic,
            startingAt: WallClock(local: VirtualBluetooth.defaultStart, secondsFromUTC: 0),
            faults: .none, pacing: pacing)
        let sleeping = Task { try await air.clock.sleep(for: .seconds(2)) }
        try await air.clock.sleep(for: .seconds(1))
        try await sleeping.value
        #expect(questions.withLock { $0 } == asked)
    }

    #if os(Linux)
    @Test func aThreadThatComputesIsFound() {
        let (hasBegun, isOver) = (DispatchSemaphore(value: 0), Locked(false))
        Thread {
            hasBegun.signal()
            while !isOver.withLock({ $0 }) {}
        }.start()
        hasBegun.wait()
        #expect(VirtualPacing.system().othersCompute())
        isOver.withLock { $0 = true }
    }
    #endif
}
