import Foundation
import HaloDevices
import HaloProtocol
import TestSupport
import Testing

/// The logs of a ring by their names: read by day, read as a whole, and in a history.
@Suite(.passesTime) struct RingLogTests {
    private struct Reads {
        /// The kinds whose entries of one day, or of all days, are not those of the history.
        var wrong: [HistoryKind] = []
        var days: [HistoryKind: Int] = [:]

        nonisolated(nonsending) mutating func check<Entry>(
            _ log: RingLog<Entry>, _ ring: Ring, _ history: RingHistory,
            _ day: (Entry) -> CivilDate?
        ) async throws {
            let all = try await ring.log(log)
            var isRight = all == history[log] && !all.isEmpty
            for daysAgo in [0, 1, 2, 9] {
                let date = history.today.advanced(byDays: -daysAgo)
                let entries = try await ring.log(log, daysAgo: daysAgo)
                isRight = isRight && entries == history[log].filter { day($0) == date }
            }
            if !isRight { wrong.append(log.kind) }
            days[log.kind] = Set(all.map(day)).count
        }
    }

    @Test func aLogIsReadByDayOrAsAWhole() async throws {
        let bench = try await RingBench.connected(days: 9)
        let ring = bench.ring
        // At 04:00 no new value comes while the logs are read.
        try await bench.pass(.seconds(68_000))
        let history = try await ring.history(days: 30)
        var reads = Reads()
        try await reads.check(.heartRate, ring, history) { $0.time.date }
        try await reads.check(.stress, ring, history) { $0.time.date }
        try await reads.check(.heartRateVariability, ring, history) { $0.time.date }
        try await reads.check(.activity, ring, history) { $0.time.date }
        try await reads.check(.bloodOxygen, ring, history) { $0.time.date }
        try await reads.check(.temperature, ring, history) { $0.time.date }
        try await reads.check(.sleep, ring, history) { $0.end.date }
        #expect(reads.wrong == [])
        #expect(reads.days[.heartRate] == 4, "the ring keeps four days: \(reads.days)")
        #expect(try await ring.log(.workouts).isEmpty && history[.workouts].isEmpty)
        await ring.disconnect()
    }

    @Test func entriesPrintWithTheirUnit() throws {
        let time = CivilDateTime(secondsSince1970: 1_767_225_600)
        func sample<Value>(_ value: Value) -> TimedSample<Value> {
            TimedSample(time: time, minutes: 5, value: value)
        }
        let oxygen = BloodOxygenRange(lowestPercent: 95, highestPercent: 97)
        let texts = [
            RingLog.heartRate.text(of: sample(62)), RingLog.stress.text(of: sample(34)),
            RingLog.heartRateVariability.text(of: sample(42)),
            RingLog.activity.text(of: sample(ActivityAmount(steps: 5, metres: 4))),
            RingLog.bloodOxygen.text(of: sample(oxygen)),
            RingLog.temperature.text(of: sample(36.4)),
        ]
        let wanted = ["62 bpm", "34", "42 ms", "5 steps, 4 m", "95–97 %", "36.4 °C"]
        #expect(texts == wanted.map { "2026-01-01 00:00:00: \($0)" })
    }

    /// Files of apps are read by later versions.
    @Test func theEncodedFormHasTheNamesOfItsLists() throws {
        let data = try JSONEncoder().encode(RingHistory(today: .today))
        let members = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let lists = [
            "heartRates", "stress", "heartRateVariability", "activity", "bloodOxygen",
            "temperatures", "sleep", "workouts",
        ]
        #expect(Set((members ?? [:]).keys).isSuperset(of: lists))
    }
}
