import HaloProtocol
import TestSupport
import Testing

@testable import HaloDevices

/// The contents of a history, and their order.
@Suite(.passesTime) struct HistoryContentsTests {
    private static let start = CivilDateTime(secondsSince1970: 1_767_225_600)

    private static func history() -> RingHistory {
        RingHistory(today: start.date, readAt: nil, secondsFromUTC: nil)
    }

    /// Samples an hour apart, the later ones first.
    private static func samples<Value>(_ value: Value) -> [TimedSample<Value>] {
        [2, 0, 1].map {
            TimedSample(
                time: start.advanced(bySeconds: $0 * 3600), minutes: 5, secondsFromUTC: nil,
                value: value)
        }
    }

    private static var workouts: [WorkoutRecord] {
        [
            WorkoutRecord(
                sport: .run, key: nil, start: nil, secondsFromUTC: nil, duration: nil,
                metres: nil, kilocalories: nil, steps: nil, averageBeatsPerMinute: nil,
                lowestBeatsPerMinute: nil, highestBeatsPerMinute: nil)
        ]
    }

    /// Two nights, the later one first.
    private static var nights: [SleepRecord] {
        ([0, 1] as [UInt8]).compactMap { daysAgo in
            let night = try? SleepPeriod(
                daysAgo: daysAgo, start: CivilTime(hour: 1, minute: 0),
                end: CivilTime(hour: 2, minute: 0),
                stages: [SleepPeriod.Stage(.deep, minutes: 60)])
            return night.flatMap {
                SleepRecord($0, isNap: false, today: start.date, secondsFromUTC: nil)
            }
        }
    }

    private static let fillings: [@Sendable (inout RingHistory) -> Void] = [
        { $0.heartRates = samples(60) }, { $0.stress = samples(30) },
        { $0.heartRateVariability = samples(40) },
        { $0.activity = samples(ActivityAmount(steps: 1, metres: 1, kilocalories: nil)) },
        { $0.bloodOxygen = samples(BloodOxygenRange(lowestPercent: 97, highestPercent: 98)) },
        { $0.temperatures = samples(36.5) },
        { $0.sleep = nights }, { $0.workouts = workouts },
    ]

    @Test(arguments: fillings.indices)
    func aHistoryWithAnyValueIsNotEmpty(_ index: Int) {
        var history = Self.history()
        #expect(history.isEmpty)
        Self.fillings[index](&history)
        #expect(!history.isEmpty)
    }

    @Test func failuresAndTotalsDoNotCountAsStored() {
        var history = Self.history()
        history.failures = [
            HistoryFailure(kind: .sleep, daysAgo: nil, error: DeviceError(.timedOut))
        ]
        history.unsupported = [.stress]
        #expect(history.isEmpty)
    }

    @Test func listsAreInTheOrderOfTime() {
        var history = Self.history()
        for filling in Self.fillings { filling(&history) }
        history.sort()
        let hours = (0..<3).map { Self.start.advanced(bySeconds: $0 * 3600) }
        #expect(history[.heartRate].map(\.time) == hours)
        #expect(history[.stress].map(\.time) == hours)
        #expect(history[.heartRateVariability].map(\.time) == hours)
        #expect(history[.activity].map(\.time) == hours)
        #expect(history[.bloodOxygen].map(\.time) == hours)
        #expect(history[.temperature].map(\.time) == hours)
        #expect(history[.sleep].map(\.end) == Self.nights.map(\.end).sorted())
        #expect(history[.sleep].count == 2)
    }
}
