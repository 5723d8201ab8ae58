import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// The memories of a virtual ring before and after a read: each sample has to be in one of them.
struct HistoryTruth {
    let memories: [RingMemory]
    /// The greatest difference of a value: two rings may measure a part of a second apart.
    let slack: Int

    init(_ memories: RingMemory?..., slack: Int = 0) {
        self.memories = memories.compactMap { $0 }
        self.slack = slack
    }

    private func isNear(_ held: Int?, _ value: Int) -> Bool {
        held.map { $0 != 0 && abs($0 - value) <= slack } ?? false
    }

    /// The faults of a history: samples that the ring does not hold at that time, and samples that
    /// are there twice.
    func faults(of history: RingHistory) -> [String] {
        var faults: [String] = []
        check("heart rate", history[.heartRate], &faults) { memory, sample in
            isNear(slot(memory.heartRates(of: sample.time.date), sample.time, 5), sample.value)
        }
        check("stress", history[.stress], &faults) { memory, sample in
            isNear(slot(memory.stress(of: sample.time.date), sample.time, 30), sample.value)
        }
        check("variability", history[.heartRateVariability], &faults) { memory, sample in
            isNear(
                slot(memory.heartRateVariability(of: sample.time.date), sample.time, 30),
                sample.value)
        }
        for sample in history[.activity] where !isHeld(sample) {
            faults.append("activity \(sample) is not what the ring holds")
        }
        checkTimes("activity", history[.activity], &faults)
        check("blood oxygen", history[.bloodOxygen], &faults) { memory, sample in
            let day = memory.bloodOxygen().first { $0.date == sample.time.date }
            return isNear(slot(day?.values, sample.time, 60), sample.value.highestPercent)
        }
        check("temperature", history[.temperature], &faults) { memory, sample in
            let day = memory.temperatures().first { $0.date == sample.time.date }
            guard let byte = slot(day?.values, sample.time, 30) else { return false }
            return abs(Double(byte + 200) / 10 - sample.value) < 0.01 + Double(slack) / 10
        }
        checkSleep(history, &faults)
        if let totals = history.totals, !isTrue(totals, on: history.today) {
            faults.append("totals \(totals) are not those of \(history.today)")
        }
        return faults
    }

    private func check<Value: Sendable>(
        _ kind: String, _ samples: [TimedSample<Value>], _ faults: inout [String],
        _ isHeld: (RingMemory, TimedSample<Value>) -> Bool
    ) {
        for sample in samples where !memories.contains(where: { isHeld($0, sample) }) {
            faults.append("\(kind) \(sample) is not what the ring holds")
        }
        checkTimes(kind, samples, &faults)
    }

    private func checkTimes<Value: Sendable>(
        _ kind: String, _ samples: [TimedSample<Value>], _ faults: inout [String]
    ) {
        let times = samples.map(\.time)
        if Set(times).count != times.count { faults.append("\(kind) is listed twice") }
    }

    /// The activity of a slot grows until the slot is over.
    private func isHeld(_ sample: TimedSample<ActivityAmount>) -> Bool {
        let slots = memories.map { memory in
            memory.activity(of: sample.time.date)?.first {
                Int($0.slot) * 15 == sample.time.time.minuteOfDay
            }
        }
        guard slots.contains(where: { $0 != nil }) else { return sample.value.steps <= slack }
        let steps = slots.map { Int($0?.steps ?? 0) }
        let metres = slots.map { Int($0?.metres ?? 0) }
        return range(steps) ~= sample.value.steps && range(metres) ~= sample.value.metres
    }

    /// Ends of sleep are in whole minutes.
    private func isNear(_ held: CivilDateTime?, _ time: CivilDateTime) -> Bool {
        guard let held else { return false }
        let difference = Int(held.secondsSince1970) - Int(time.secondsSince1970)
        return abs(difference) <= (slack > 0 ? 60 : 0)
    }

    private func range(_ values: [Int]) -> ClosedRange<Int> {
        (values.min() ?? 0) - slack...(values.max() ?? 0) + slack
    }

    private func slot(_ values: [UInt8]?, _ time: CivilDateTime, _ minutes: Int) -> Int? {
        let index = time.time.minuteOfDay / minutes
        guard let values, values.indices.contains(index) else { return nil }
        return Int(values[index])
    }

    private func checkSleep(_ history: RingHistory, _ faults: inout [String]) {
        for record in history[.sleep] {
            let isHeld = memories.contains { memory in
                let held = record.isNap ? memory.napPeriods : memory.sleepPeriods
                return held.contains { isNear($0.endTime(today: memory.now.date), record.end) }
            }
            if !isHeld { faults.append("\(record) is not what the ring holds") }
        }
        // Two nights may have ended at the same time, of different clocks.
        let held = memories.map { memory in
            (memory.napPeriods + memory.sleepPeriods).map {
                $0.endTime(today: memory.now.date)
            }
        }
        for (end, listed) in Dictionary(grouping: history[.sleep], by: \.end) {
            let most = held.map { ends in ends.count { isNear($0, end) } }.max() ?? 0
            if listed.count > most { faults.append("sleep is listed twice") }
        }
    }

    /// Totals grow: they lie between those of the two memories, on a day that both have.
    private func isTrue(_ totals: ActivityTotals, on day: CivilDate) -> Bool {
        let steps = memories.compactMap { $0.totals(of: day)?.movement.steps }
        return !steps.isEmpty && range(steps) ~= totals.steps
    }
}
