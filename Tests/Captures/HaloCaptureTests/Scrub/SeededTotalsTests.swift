import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// The substitutes for totals.
@Suite(.computes) struct SeededTotalsTests {
    /// Zeros stay zeros, equal totals stay equal, and larger ones stay larger.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func keepsTheOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var totals = SeededTotals()
        let all: [BodyTotal] = [.steps, .calories, .metres, .minutes, .energy]
        let values: [UInt64] = [0, 1, 2, 3, 10, 11, 500, 501, 8_000, 8_000, 1 << 24, 0xFFFF_FFFF]
        for total in all { for value in values { totals.learn(total, value) } }
        totals.draw(&random)
        for total in all {
            let drawn = try values.map { try #require(totals.value(total, $0)) }
            #expect(drawn[0] == 0)
            for ((old, new), (nextOld, nextNew)) in zip(
                zip(values, drawn), zip(values, drawn).dropFirst())
            {
                #expect(old == nextOld ? new == nextNew : new < nextNew)
            }
            // Steps grow by no more than 3.2 times what they were.
            #expect((drawn.last ?? 0) <= 0xFFFF_FFFF * 32 / 10 + UInt64(values.count))
            #expect(totals.value(total, 4) == nil)
        }
        #expect(Set(all.map { totals.value($0, 8_000) }).count > 1)
    }

    @Test func onlyNotedTotalsHaveASubstitute() {
        var random = SplitMix(seed: 1)
        var totals = SeededTotals()
        #expect(totals.value(.steps, 0) == nil)
        totals.learn(.steps, .max)
        totals.draw(&random)
        // A packet has four bytes at most.
        #expect(totals.value(.steps, 0xFFFF_FFFF) != nil && totals.value(.steps, .max) == nil)
        totals.draw(&random)
        #expect(totals.value(.steps, 0xFFFF_FFFF) == nil && totals.value(.steps, 0) == 0)
    }
}
