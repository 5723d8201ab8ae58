import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Apps with several tasks in automatic time: where the program orders what its tasks do, it
/// happens at the same moments in each run, on any number of processors.
@Suite(.passesTime) struct SeveralTasksTests {
    /// What tasks have done, with its moment.
    private actor Diary {
        private(set) var lines: [String] = []

        func note(_ text: String, _ air: VirtualBluetooth) {
            lines.append("\(air.time.now().microseconds) \(text)")
        }
    }

    /// Runs a program many times; returns the different diaries.
    private static func diaries(
        _ program: (VirtualBluetooth, Placed<VirtualRing>, Ring, Diary) async throws -> Void
    ) async throws -> Set<[String]> {
        var diaries: Set<[String]> = []
        for _ in 0..<Thoroughness.scaled(20) {
            let air = VirtualBluetooth(seed: 3)
            let worn = air.add(VirtualRing(.r10))
            let ring = try await Ring.connect(over: air)
            let diary = Diary()
            try await program(air, worn, ring, diary)
            await ring.disconnect()
            await diaries.insert(diary.lines)
        }
        return diaries
    }

    /// The lines that are not in all diaries.
    private static func differences(of diaries: Set<[String]>) -> [[String]] {
        diaries.map { diary in
            diary.filter { line in !diaries.allSatisfy { $0.contains(line) } }
        }
    }

    /// One task measures, a second one follows the connection. The first one moves the ring away
    /// after its third value. The second one sees the loss and each attempt, as if it were alone.
    @Test func aLossIsSeenWhileAnotherTaskMeasures() async throws {
        let diaries = try await Self.diaries { air, worn, ring, diary in
            let measuring = Task {
                var count = 0
                for try await _ in ring.measure(.heartRate) {
                    count += 1
                    guard count == 3 else { continue }
                    await diary.note("away", air)
                    worn.moveAway()
                }
            }
            let following = Task {
                for try await state in ring.connectionStates {
                    await diary.note("\(state)", air)
                    if case .reconnecting(attempt: 4) = state { break }
                }
            }
            try await following.value
            measuring.cancel()
            _ = await measuring.result
        }
        let diary = try #require(diaries.first)
        #expect(diaries.count == 1, "\(Self.differences(of: diaries))")
        let states = diary.map { $0.split(separator: " ", maxSplits: 1)[1] }
        #expect(
            states == ["connected", "away"] + (0...4).map { "reconnecting, attempt \($0)" })
    }

    /// A task that sleeps beside one that measures begins when the program says so, and its sleep
    /// ends at its moment.
    @Test func aSleepBesideAMeasurementEndsAtItsMoment() async throws {
        let diaries = try await Self.diaries { air, _, ring, diary in
            let measuring = Task { for try await _ in ring.measure(.heartRate) {} }
            let sleeping = Task {
                for _ in 0..<3 {
                    await diary.note("sleeps", air)
                    try await air.clock.sleep(for: .seconds(10))
                }
                await diary.note("is awake", air)
            }
            try await sleeping.value
            measuring.cancel()
            _ = await measuring.result
        }
        #expect(diaries.count == 1, "\(Self.differences(of: diaries))")
        let moments = try #require(diaries.first).compactMap { Int($0.prefix { $0 != " " }) }
        #expect(moments.map { $0 - moments[0] } == [0, 10_000_000, 20_000_000, 30_000_000])
    }

    /// Nineteen tasks sleep until their moments, again and again, while one measures.
    @Test func sleepersBesideAMeasurementWakeAtTheirMoments() async throws {
        let diaries = try await Self.diaries { air, _, ring, diary in
            let measuring = Task { for try await _ in ring.measure(.heartRate) {} }
            let start = air.clock.now
            await withThrowingTaskGroup { group in
                for number in 1..<20 {
                    group.addTask {
                        for moment in Self.moments(of: number) {
                            try await air.clock.sleep(until: start.advanced(by: moment))
                            await diary.note("\(number)", air)
                        }
                        try await air.clock.sleep(until: start.advanced(by: .seconds(80)))
                    }
                }
            }
            measuring.cancel()
            _ = await measuring.result
        }
        #expect(diaries.count == 1, "\(Self.differences(of: diaries))")
        let noted = try #require(diaries.first).compactMap { Int($0.prefix { $0 != " " }) }
        let moments = (1..<20).flatMap(Self.moments).map { $0.wholeMicroseconds }.sorted()
        #expect(noted.map { $0 - noted[0] } == moments.map { Int($0 - moments[0]) })
    }

    /// The moments at which a sleeper wakes; no two sleepers have the same.
    private static func moments(of number: Int) -> [Duration] {
        (0..<3).map { .milliseconds(20_000 * $0 + 937 * number) }
    }

    /// While a task waits without end, another one that was never seen before gets in at once.
    @Test func anEndlessWaitLetsOthersIn() async throws {
        let air = VirtualBluetooth(seed: 3)
        let worn = air.add(VirtualRing(.r10))
        let ring = try await Ring.connect(over: air)
        let before = air.time.now()
        let strip = Task {
            worn.moveAway()
            for try await _ in ring.measure(.heartRate) {}
        }
        while worn.isConnected { await Task.yield() }
        let entered = Task {
            worn.comeBack()
            return air.time.now()
        }
        let moment = await entered.value
        strip.cancel()
        _ = await strip.result
        await ring.disconnect()
        #expect(moment.duration(since: before) < .seconds(86_400))
    }
}
