import HaloProtocol
import Testing

@testable import HaloTransport

/// The computer's time.
@Suite(.timeLimit(.minutes(20))) struct SystemTimeTests {
    @Test func timeDoesNotGoBack() {
        let time = SystemTime()
        let first = time.now()
        #expect(first >= .origin)
        #expect(time.now() >= first)
    }

    @Test func dueActionRunsInATaskOfTheSpawner() async {
        let work = Locked<[@Sendable () async -> Void]>([])
        let time = SystemTime(
            spawner: TaskSpawner { new in
                work.withLock { $0.append(new) }
                return BLECancellable {}
            })
        let isDone = Locked(false)
        _ = time.schedule(at: .origin) { isDone.withLock { $0 = true } }
        #expect(!isDone.withLock { $0 })
        for task in work.withLock({ $0 }) { await task() }
        #expect(isDone.withLock { $0 })
    }

    /// An action for a later moment runs then, and not before.
    @Test func laterActionIsWaitedFor() async {
        let work = Locked<[@Sendable () async -> Void]>([])
        let time = SystemTime(
            spawner: TaskSpawner { new in
                work.withLock { $0.append(new) }
                return BLECancellable {}
            })
        let moment = time.now() + .milliseconds(2)
        let isInTime = Locked<Bool?>(nil)
        _ = time.schedule(at: moment) {
            let isDue = time.now() >= moment
            isInTime.withLock { $0 = isDue }
        }
        for task in work.withLock({ $0 }) { await task() }
        #expect(isInTime.withLock { $0 } == true)
    }

    @Test func cancelledActionIsNotRun() async {
        let isDone = Locked(false)
        await withTaskGroup(of: Void.self) { group in
            let work = Locked<(@Sendable () async -> Void)?>(nil)
            let time = SystemTime(
                spawner: TaskSpawner { new in
                    work.withLock { $0 = new }
                    return BLECancellable {}
                })
            _ = time.schedule(at: .distantFuture) { isDone.withLock { $0 = true } }
            if let work = work.withLock({ $0 }) { group.addTask { await work() } }
            group.cancelAll()
        }
        #expect(!isDone.withLock { $0 })
    }

    @Test func systemTaskIsCancellable() async {
        let ended = Locked<Bool?>(nil)
        await withCheckedContinuation { continuation in
            TaskSpawner.system.spawn {
                try? await Task.sleep(for: .seconds(86_400), clock: .continuous)
                ended.withLock { $0 = Task.isCancelled }
                continuation.resume()
            }.cancel()
        }
        #expect(ended.withLock { $0 } == true)
    }

    @Test(arguments: [0, 1, 1_767_225_600, 4_294_967_295, Int.max, -1, Int.min])
    func wallClockNeverTraps(_ seconds: Int) {
        let clock = SystemWallClock.at(seconds)
        let expected = seconds.addingReportingOverflow(clock.secondsFromUTC)
        if !expected.overflow {
            #expect(
                clock.local.secondsSince1970 == UInt32(clamping: expected.partialValue))
        }
        #expect((-86_400...86_400).contains(clock.secondsFromUTC))
    }

    /// UTC is used where the library has no local time: years that are too far away.
    @Test(arguments: [Int.max, .min])
    func unknownZoneIsUTC(_ seconds: Int) {
        let clock = SystemWallClock.at(seconds)
        #expect(clock.secondsFromUTC == 0)
        #expect(clock.local.secondsSince1970 == UInt32(clamping: seconds))
    }

    @Test func wallClockShowsThisCentury() {
        #expect((2024...2105).contains(SystemTime().wallClock().local.date.year))
    }
}
