import HaloDevices
import TestSupport
import Testing

/// Tables of delays before attempts.
@Suite(.passesTime) struct ReconnectPolicyTests {
    private static func delays(_ policy: ReconnectPolicy, _ count: Int) -> [Duration?] {
        (0..<count).map { policy.delay(beforeAttempt: $0) }
    }

    @Test func theDefaultDoublesUpToAMinute() {
        #expect(ReconnectPolicy() == .untilConnected)
        #expect(
            Self.delays(.untilConnected, 9)
                == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(ReconnectPolicy.untilConnected.attempts == nil)
        #expect(ReconnectPolicy.untilConnected.attemptTimeout == .seconds(20))
    }

    @Test func neverIsNoAttempt() {
        #expect(Self.delays(.never, 3) == [nil, nil, nil])
        #expect(ReconnectPolicy.never.attempts == 0)
    }

    @Test(arguments: [
        // attempts, first, factor, longest, then the delays in milliseconds
        (Int?.none, 100, 3, 1_000, [100, 300, 900, 1_000, 1_000]),
        (nil, 250, 1, 60_000, [250, 250, 250, 250, 250]),
        (nil, 250, 0, 60_000, [250, 250, 250, 250, 250]),
        (nil, 250, -3, 60_000, [250, 250, 250, 250, 250]),
        (nil, 0, 2, 60_000, [0, 100, 100, 100, 100]),
        (nil, -5, 2, 60_000, [0, 100, 100, 100, 100]),
        (nil, 99, 1, 60_000, [99, 100, 100, 100, 100]),
        (nil, 500, 2, 500, [500, 500, 500, 500, 500]),
        (nil, 500, 2, 499, [499, 499, 499, 499, 499]),
        (nil, 500, 2, 0, [0, 100, 100, 100, 100]),
        (nil, 500, 2, -1, [0, 100, 100, 100, 100]),
        (2, 100, 2, 60_000, [100, 200, nil, nil, nil]),
        (1, 100, 2, 60_000, [100, nil, nil, nil, nil]),
        (-1, 100, 2, 60_000, [nil, nil, nil, nil, nil]),
    ])
    func delaysAreATable(
        attempts: Int?, first: Int, factor: Int, longest: Int, expected: [Int?]
    ) {
        let policy = ReconnectPolicy(
            attempts: attempts, firstDelay: .milliseconds(first), factor: factor,
            longestDelay: .milliseconds(longest))
        #expect(Self.delays(policy, 5) == expected.map { $0.map { .milliseconds($0) } })
    }

    /// The delay of a very late attempt is computed at once.
    @Test(arguments: [1, 2, 1_000])
    func aLateAttemptIsComputedAtOnce(factor: Int) {
        for first in [Duration.zero, .nanoseconds(1), .seconds(1)] {
            let policy = ReconnectPolicy(firstDelay: first, factor: factor)
            let least = max(first, .milliseconds(100))
            let expected = factor == 1 || first == .zero ? least : .seconds(60)
            #expect(policy.delay(beforeAttempt: .max) == expected)
        }
    }

    @Test func hugeNumbersDoNoHarm() {
        let policy = ReconnectPolicy(
            firstDelay: .seconds(50), factor: .max, longestDelay: .seconds(Int64.max))
        #expect(policy.delay(beforeAttempt: 0) == .seconds(50))
        #expect(policy.delay(beforeAttempt: 1) == .seconds(Int64.max))
        #expect(policy.delay(beforeAttempt: 9) == .seconds(Int64.max))
        // A third of a second is rounded down: three of them are not quite a second.
        let third = ReconnectPolicy(
            firstDelay: .seconds(1) / 3, factor: 3, longestDelay: .seconds(1))
        #expect(third.delay(beforeAttempt: 1) == .seconds(1))
    }
}
