internal import HaloProtocol

extension SleepSpan {
    /// The seconds from waking until the ring stores the sleep; a guess.
    private static let delay: Int64 = 1800
    /// The shortest stored sleep in minutes; a guess.
    private static let leastMinutes = 20

    /// The time of storing, in seconds of the wearer's clock.
    var due: Int64 { Int64(end.secondsSince1970) + Self.delay }

    /// The part of the sleep that a ring records when it was worn in these spans: from the first to
    /// the last worn minute, with the gaps as awake. `nil` if less than ``leastMinutes`` remains.
    func clipped(to worn: [Range<Int64>]) -> SleepSpan? {
        let start = Int64(start.secondsSince1970)
        let end = start + Int64(minutes) * 60
        if worn.contains(where: { $0.lowerBound <= start && end <= $0.upperBound }) {
            return self
        }
        var recorded: [Stretch] = []
        var begin: Int64?
        var minute = start
        for stretch in stages {
            for _ in 0..<stretch.minutes {
                let isWorn = worn.contains {
                    $0.lowerBound <= minute && minute + 60 <= $0.upperBound
                }
                if isWorn && begin == nil { begin = minute }
                if begin != nil { recorded.append(isWorn ? stretch.stage : .awake, minutes: 1) }
                minute += 60
            }
        }
        while recorded.last?.stage == .awake { recorded.removeLast() }
        guard let begin else { return nil }
        let span = SleepSpan(
            start: CivilDateTime(secondsSince1970: UInt32(clamping: begin)), stages: recorded,
            isNap: isNap)
        return span.minutes >= Self.leastMinutes ? span : nil
    }
}
