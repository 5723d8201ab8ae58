import Foundation
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloDevices
@testable import HaloSimulator

/// A history is one action, which is over only while an answer is waited for: so no virtual time
/// passes between an answer and the next request, whoever else waits.
@Suite(.timeLimit(.minutes(5))) struct HistoryActionTests {
    /// What one client says of its waits and actions.
    private final class Account: Sendable {
        private struct State {
            var actions = 0
            var isReading = false
            var isWaiting = false
            var waits = 0
            /// How often no action was under way between a wait and the next one.
            var gaps = 0
            /// How often none was under way while an answer was waited for.
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
                case .listeningBegins, .listeningEnds: break
                }
            }
        }

        /// Reads a history; says how many waits it had, and how often no action was under way.
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

        /// How many actions are under way.
        var actions: Int { state.withLock { $0.actions } }
    }

    private static func connected(
        _ air: VirtualBluetooth, _ seed: UInt64, _ account: Account
    ) async throws -> Ring {
        let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: seed), days: 1))
        let time = HeardTime(base: air.time, heard: { account.hear($0) })
        return try await Ring.connect(to: worn.identity, over: OtherTime(air: air, time: time))
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

    @Test func aCancelledHistoryGivesItsActionBack() throws {
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
                            ) { _ = try await ring.history(days: 1) }
                            #expect(end == .cancelled)
                        }
                    }
                }
                #expect(accounts.map(\.actions) == [0, 0], "step \(step)")
                try await air.clock.sleep(for: .seconds(12))
            }
            for ring in rings { await ring.disconnect() }
        }
    }

    /// One ring waits, and the app that reads the other one takes its time between two steps.
    @Test func noTimePassesWhileAnAppTakesAStepIn() async throws {
        let looks = Box(0)
        let pacing = VirtualPacing(
            spawn: { body in
                Thread {
                    try? runDeterministically(step: { true }) { await body() }
                }.start()
            },
            now: { .zero },
            pause: { _ in
                looks.change { $0 += 1 }
                usleep(20)
            })
        let air = VirtualBluetooth(
            seed: 5, mode: .automatic,
            startingAt: WallClock(local: VirtualBluetooth.defaultStart, secondsFromUTC: 0),
            faults: .none, pacing: pacing)
        let first = try await RingBench.connected(in: air, seed: 1).ring
        let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 2), days: 1))
        let second = try await Ring.connect(to: worn.identity, over: air)
        // On a thread of its own: while the first one's step takes one of the pool's, and other
        // tests the rest, nobody would wait.
        let (isLeft, isOver) = (Box(false), Box(false))
        Thread {
            try? runDeterministically(step: { usleep(20) == 0 }) {
                while !isLeft.value { _ = try? await second.history(days: 1) }
            }
            isOver.change { $0 = true }
        }.start()
        var steps = 0
        _ = try await first.history(days: 1) { _ in
            let (before, seen) = (air.time.now(), looks.value)
            for _ in 0..<20_000 where looks.value < seen + 40 { usleep(50) }
            guard looks.value >= seen + 40 else { return }
            steps += 1
            #expect(air.time.now() == before)
        }
        isLeft.change { $0 = true }
        while !isOver.value { usleep(50) }
        #expect(steps >= 1)
        await first.disconnect()
        await second.disconnect()
    }
}
