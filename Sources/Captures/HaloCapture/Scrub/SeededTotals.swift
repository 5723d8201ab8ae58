import HaloProtocol
import HaloTransport

/// Substitutes for totals, which keep their order and their equality.
///
/// Each difference between two totals of the capture is scaled by a random factor, and all
/// differences of a quantity by a common one: otherwise a capture of many small steps would still
/// reveal their sum.
struct SeededTotals: Sendable {
    private var seen: [BodyTotal: Set<UInt64>] = [:]
    private var scale: [BodyTotal: [UInt64: UInt64]] = [:]

    private static let percent: ClosedRange<UInt64> = 40...160
    /// The maximum total of a packet, which has at most four bytes.
    private static let mostTotal = UInt64(UInt32.max)

    mutating func learn(_ total: BodyTotal, _ value: UInt64) {
        seen[total, default: []].insert(min(value, Self.mostTotal))
    }

    mutating func draw(_ random: inout SplitMix) {
        for total in BodyTotal.allCases {
            let percent = random.remainder(in: Self.percent)
            var drawn: [UInt64: UInt64] = [0: 0]
            var last: (old: UInt64, new: UInt64) = (0, 0)
            for value in (seen[total] ?? []).sorted() where value > 0 {
                let most = max(1, (value - last.old) * 2 * percent / 100)
                last = (value, last.new + random.remainder(in: 1...most))
                drawn[value] = last.new
            }
            scale[total] = drawn
        }
        seen = [:]
    }

    /// Returns the substitute for a total; `nil` for a total that was not recorded.
    func value(_ total: BodyTotal, _ value: UInt64) -> UInt64? { scale[total]?[value] }
}
