internal import HaloProtocol

/// A night or a nap that a ring is going to store.
struct PendingSleep: Sendable {
    /// As it is in truth.
    let span: SleepSpan
    let isNap: Bool

    /// How long after waking a ring has understood the sleep; a guess.
    private static let delay: Int64 = 1800
    /// Less than this is not stored; a guess.
    private static let leastMinutes = 20

    /// When it is stored, in seconds of the wearer's clock.
    var due: Int64 { Int64(span.end.secondsSince1970) + Self.delay }

    /// What a ring knows of it that was worn at these times: from the first whole minute worn to
    /// the last, awake in between where it was not.
    func clipped(to worn: [Range<Int64>]) -> SleepSpan? {
        let start = Int64(span.start.secondsSince1970)
        let end = start + Int64(span.minutes) * 60
        if worn.contains(where: { $0.lowerBound <= start && end <= $0.upperBound }) {
            return span
        }
        var stages: [SleepSpan.Stretch] = []
        var begin: Int64?
        var minute = start
        for stretch in span.stages {
            for _ in 0..<stretch.minutes {
                let isWorn = worn.contains {
                    $0.lowerBound <= minute && minute + 60 <= $0.upperBound
                }
                if isWorn && begin == nil { begin = minute }
                if begin != nil { Self.add(isWorn ? stretch.stage : .awake, to: &stages) }
                minute += 60
            }
        }
        while stages.last?.stage == .awake { stages.removeLast() }
        guard let begin, stages.reduce(0, { $0 + Int($1.minutes) }) >= Self.leastMinutes
        else { return nil }
        return SleepSpan(
            start: CivilDateTime(secondsSince1970: UInt32(clamping: begin)), stages: stages)
    }

    private static func add(_ stage: SleepStage, to stages: inout [SleepSpan.Stretch]) {
        guard let last = stages.last, last.stage == stage, last.minutes < .max else {
            stages.append(SleepSpan.Stretch(stage, minutes: 1))
            return
        }
        stages[stages.count - 1] = SleepSpan.Stretch(stage, minutes: Int(last.minutes) + 1)
    }
}

extension BodyClock {
    /// The night or nap that a ring stores next after a second of the wearer's clock.
    mutating func nextSleep(after second: Int64) -> PendingSleep? {
        guard let time = UInt32(exactly: second) else { return nil }
        let sleeps = sleeps(around: CivilDateTime(secondsSince1970: time))
        return sleeps.filter { $0.due > second }.min { $0.due < $1.due }
    }
}

extension SlotSeries {
    /// The byte that a slot holds, and what is said of it.
    func value(of state: BodyState) -> (UInt8, StoredEvent.Content) {
        switch self {
        case .heartRate: (state.beatsPerMinute, .heartRate(state.beatsPerMinute))
        case .stress: (state.stress, .stress(state.stress))
        case .variability:
            (state.variabilityMilliseconds, .variability(state.variabilityMilliseconds))
        case .bloodOxygen: (state.bloodOxygenPercent, .bloodOxygen(state.bloodOxygenPercent))
        case .temperature: temperature(state)
        case .hourEnd: (0, .activity)
        }
    }

    private func temperature(_ state: BodyState) -> (UInt8, StoredEvent.Content) {
        let byte = SkinTemperature.byte(tenthsOfCelsius: state.skinTemperatureTenths)
        return (byte, .temperature(byte))
    }
}
