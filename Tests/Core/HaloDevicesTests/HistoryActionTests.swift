import Foundation
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// A history is one action, which pauses only while it waits for a reply. No virtual time passes
/// between a reply and the next request, even if other tasks wait.
@Suite(.passesTime) struct HistoryActionTests {
    /// The waits and actions of one client.
    private final class Account: Sendable {
        private struct State {
            var actions = 0
            var isReading = false
            var isWaiting = false
            var waits = 0
            /// The number of times without an action between a wait and the next one.
            var gaps = 0
            /// The number of times without an action during a wait for a reply.
            var rests = 0
        }

        private let state = Locked(State())

        func hear(_ change: WaitChange) {
            state.withLock { state in
                switch change {
                case .begins:
                    state.isWaiting = true
                    state.waits += 1
                case .ends: state.isWaiting = false
                case .actionBegins: state.actions += 1
                case .actionEnds:
                    state.actions -= 1
                    guard state.actions == 0, state.isReading else { return }
                    if state.isWaiting { state.rests += 1 } else { state.gaps += 1 }
                case .listeningBegins, .listeningEnds, .sleepBegins, .sleepEnds, .resumes: break
                }
            }
        }

        /// Reads a history; returns the number of its waits, and of the times without an action.
        nonisolated(nonsending) func read(
            _ ring: Ring
        ) async throws -> (waits: Int, rests: Int, gaps: Int) {
            let before = state.withLock { state in
                state.isReading = true
                return state.waits
            }
            defer { state.withLock { $0.isReading = false } }
            _ = try await ring.history(days: 1) { _ in }
            return state.withLock { ($0.waits - before, $0.rests, $0.gaps) }
        }

        /// The number of actions under way.
        var actions: Int { state.withLock { $0.actions } }
    }

    private static func connected(
        _ air: VirtualBluetooth, _ seed: UInt64, _ account: Account
    ) async throws -> Ring {
        let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: seed), days: 1))
        let time = HeardTime(base: air.time, heard: { account.hear($0) })
        return try await Ring.connect(to: worn.identity, over: OtherTime(base: air, time: time))
    }

    @Test func twoRingsAreReadWithoutAGapBetweenSteps() throws {
        try virtually { air in
            let accounts = [Account(), Account()]
            let rings = [
                try await Self.connected(air, 1, accounts[0]),
                try await Self.connected(air, 2, accounts[1]),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (ring, account) in zip(rings, accounts) {
                    group.addTask {
                        let (waits, rests, gaps) = try await account.read(ring)
                        #expect(waits >= 9)
                        #expect(rests >= waits)
                        // The last wait is over, and so is the history.
                        #expect(gaps <= 1)
                    }
                }
                try await group.waitForAll()
            }
            #expect(accounts.map(\.actions) == [0, 0])
            for ring in rings { await ring.disconnect() }
        }
    }

    @Test func aCancelledHistoryEndsItsAction() throws {
        try virtually { air in
            let accounts = [Account(), Account()]
            let rings = [
                try await Self.connected(air, 1, accounts[0]),
                try await Self.connected(air, 2, accounts[1]),
            ]
            for step in 0..<40 {
                await withTaskGroup(of: Void.self) { group in
                    for ring in rings {
                        group.addTask {
                            let end = await RingCancellationTests.cancel(
                                after: .milliseconds(step * 37), on: air
                            ) {
                                // What has come is returned.
                                let history = try await ring.history(days: 1)
                                #expect(!history.isComplete)
                            }
                            #expect(end == .cancelled || end == nil)
                        }
                    }
                }
                #expect(accounts.map(\.actions) == [0, 0], "step \(step)")
                try await air.clock.sleep(for: .seconds(12))
            }
            for ring in rings { await ring.disconnect() }
        }
    }

    /// A read that is cancelled returns what has come, and can be completed later.
    @Test func aCancelledReadIsCompleted() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 1), days: 3))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            let whole = try await ring.history(days: 3)
            var parts = 0
            for step in 1..<40 {
                let result = Locked<RingHistory?>(nil)
                let end = await RingCancellationTests.cancel(
                    after: .milliseconds(step * 97), on: air
                ) {
                    let history = try await ring.history(days: 3)
                    result.withLock { $0 = history }
                }
                guard let part = result.withLock({ $0 }) else {
                    #expect(end == .cancelled)
                    continue
                }
                #expect(end == nil)
                #expect(part.failures.allSatisfy { $0.error.kind == .cancelled })
                guard !part.isComplete else { break }
                parts += 1
                let all = try await ring.retry(part)
                #expect(all.isComplete, "step \(step)")
                let past = { (history: RingHistory) in
                    history[.heartRate].filter { $0.time.date < whole.today }
                }
                #expect(Set(past(part)).isSubset(of: past(whole)))
                #expect(past(all) == past(whole) && all[.sleep] == whole.sleep)
            }
            #expect(parts > 5)
            await ring.disconnect()
        }
    }

    /// A task sleeps, and the app that reads a ring is slow between two steps: nothing lets time
    /// pass for the sleep before the step is over.
    @Test func noTimePassesWhileAnAppHandlesAStep() async throws {
        let running = DispatchGroup()
        let pacing = VirtualPacing(
            spawn: { body in
                running.enter()
                Thread {
                    try? runDeterministically(step: { true }) { await body() }
                    running.leave()
                }.start()
            },
            now: { .zero }, pause: { _ in })
        let air = VirtualBluetooth(
            seed: 5, mode: .automatic,
            startingAt: WallClock(local: VirtualBluetooth.defaultStart, secondsFromUTC: 0),
            faults: .none, pacing: pacing)
        let ring = try await RingBench.connected(in: air, seed: 1).ring
        let sleeping = Task { try await air.clock.sleep(for: .seconds(86_400)) }
        var steps = 0
        _ = try await ring.history(days: 1) { _ in
            let before = air.time.now()
            #expect(running.wait(timeout: .now() + 60) == .success)
            #expect(air.time.now() == before)
            steps += 1
        }
        #expect(steps >= 1)
        sleeping.cancel()
        _ = await sleeping.result
        await ring.disconnect()
    }
}
