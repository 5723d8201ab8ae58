import Foundation
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTransport

/// The computer's time.
@Suite(.passesTime) struct SystemTimeTests {
    @Test func timeDoesNotGoBack() {
        let time = SystemTime()
        let first = time.now()
        #expect(first >= .origin)
        #expect(time.now() >= first)
    }

    /// The action of a due moment is called, but not within `schedule`, and so not in its turn.
    @Test func dueActionRuns() async {
        let loop = TransportLoop()
        let isInTurn = await withCheckedContinuation { continuation in
            loop.run {
                _ = SystemTime(in: loop).schedule(at: .origin) {
                    continuation.resume(returning: loop.isInside)
                }
            }
        }
        #expect(!isInTurn)
    }

    /// An action for a later moment runs then, and not before.
    @Test func laterActionIsWaitedFor() async {
        let time = SystemTime()
        let moment = time.now() + .milliseconds(2)
        let isInTime = await withCheckedContinuation { continuation in
            _ = time.schedule(at: moment) { continuation.resume(returning: time.now() >= moment) }
        }
        #expect(isInTime)
    }

    /// An app's tasks that compute without a pause hold all threads of their priority. The program
    /// is another one, as those threads are not free for other tests.
    @Test func anActionDoesNotWaitForTheWorkOfAnApp() async {
        await #expect(processExitsWith: .success) {
            Thread {
                let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let count = ProcessInfo.processInfo.activeProcessorCount
                for _ in 0..<count {
                    Task.detached(priority: .medium) {
                        begun.signal()
                        while true { sched_yield() }
                    }
                }
                for _ in 0..<count { begun.wait() }
                _ = SystemTime().schedule(at: .origin) { ended.signal() }
                exit(ended.wait(timeout: .now() + 60) == .success ? EXIT_SUCCESS : EXIT_FAILURE)
            }.start()
            // The thread ends the process.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    /// The sleep of a cancelled action ends, and the action is released without a call.
    @Test func cancelledActionIsNotRun() async {
        let isDone = Locked(false)
        await withCheckedContinuation { continuation in
            let action = Ending { continuation.resume() }
            let timer = SystemTime().schedule(at: .distantFuture) {
                withExtendedLifetime(action) { isDone.withLock { $0 = true } }
            }
            timer.cancel()
        }
        #expect(!isDone.withLock { $0 })
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

/// Tells when it is released.
private final class Ending: Sendable {
    let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    deinit { tell() }
}
