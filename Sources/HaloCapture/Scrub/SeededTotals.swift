import HaloTransport

/// Totals in place of totals: what was equal stays equal, and what was more stays more.
///
/// How much more is drawn for each step between two totals of the capture, and for all steps of
/// a quantity together: a capture of many small steps would tell their sum otherwise.
struct SeededTotals: Sendable {
    private var seen: [BodyTotal: Set<UInt64>] = [:]
    private var scale: [BodyTotal: [UInt64: UInt64]] = [:]

    private static let percent: ClosedRange<UInt64> = 40...160
    /// No total of a packet is larger: they have at most four bytes.
    private static let mostTotal = UInt64(UInt32.max)

    /// Notes a total of the capture.
    mutating func learn(_ total: BodyTotal, _ value: UInt64) {
        seen[total, default: []].insert(min(value, Self.mostTotal))
    }

    /// Draws what stands for the totals that were noted.
    mutating func draw(_ random: inout SplitMix) {
        for total in [BodyTotal.steps, .calories, .metres, .minutes, .energy] {
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

    /// What stands for a total; nothing for one that was not noted.
    func value(_ total: BodyTotal, _ value: UInt64) -> UInt64? { scale[total]?[value] }
}
