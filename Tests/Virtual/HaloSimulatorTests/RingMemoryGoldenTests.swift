import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloSimulator

/// The contents of memories, compared with a recording.
@Suite(.passesTime) struct RingMemoryGoldenTests {
    private static func retention(_ choice: inout FuzzBytes) -> RingRetention {
        var retention = RingRetention()
        guard choice.byte() > 60 else { return retention }
        for path in [
            \RingRetention.heartRateDays, \.stressDays, \.heartRateVariabilityDays,
            \.bloodOxygenDays,
            \.temperatureDays, \.activityDays, \.sleepDays, \.manualHeartRateDays, \.workouts,
        ] {
            retention[keyPath: path] = Int(choice.byte() % 6) - 1
        }
        retention.activityMinutes = choice.flag() ? .quarter : .hour
        retention.showsStaleSlots = choice.flag()
        return retention
    }

    private static func settings(_ choice: inout FuzzBytes) -> AutomaticMeasurements {
        let minutes = choice.byte()
        return AutomaticMeasurements(
            heartRateMinutes: minutes < 30 ? nil : minutes % 70, bloodOxygen: choice.byte() > 60,
            stress: choice.byte() > 60, variability: choice.byte() > 60,
            temperature: choice.byte() > 60)
    }

    /// Every readable value.
    private static func words(_ memory: RingMemory) -> [String] {
        var lines = ["\(memory.now), the wearer \(memory.wearerSecondsAhead) s ahead"]
        for daysAgo in -1...8 {
            guard let date = memory.now.date.advanced(byDays: -daysAgo) else { continue }
            lines.append("\(date) \(memory.heartRates(of: date) ?? [])")
            lines.append(
                "\(memory.stress(of: date) ?? []) \(memory.heartRateVariability(of: date) ?? [])")
            lines.append("\((memory.activity(of: date) ?? []).map { "\($0)" })")
            let totals = memory.totals(of: date)
            lines.append("\(totals?.movement ?? .none) \(totals?.sleepMinutes ?? -1)")
            for manual in memory.manualHeartRates(of: date) {
                lines.append("\(manual.time) \(manual.beatsPerMinute)")
            }
        }
        lines += memory.bloodOxygen().map { "\($0)" } + memory.temperatures().map { "\($0)" }
        lines += memory.sleepPeriods.map { "\($0)" } + memory.napPeriods.map { "\($0)" }
        return lines
            + memory.workouts.map {
                "\($0.sport) \($0.start) \($0.seconds) \($0.movement) \($0.heartRates)"
            }
    }

    private static func drill(seed: UInt64) -> [String] {
        var choice = FuzzBytes(seed: seed, count: 220)
        let wearer = Wearer(seed: seed, stepsPerDay: 15_000, exerciseDaysPerWeek: 6)
        let start = WearerWeek.time(WearerWeek.monday, Int(choice.byte()) * 300)
        var body = BodyClock(wearer)
        let ahead = Int(choice.byte() % 5) * 1_801 - 3_600
        let settings = settings(&choice)
        var memory = RingMemory(
            retention: retention(&choice), wornFor: Int(choice.byte() % 4), until: start,
            wearerTime: start.advanced(bySeconds: ahead), body: &body, settings: settings)
        var lines = words(memory)
        while choice.remaining > 6 {
            let amount = Int(choice.byte())
            switch choice.byte() % 12 {
            case 0: memory.setClock(to: memory.now.advanced(bySeconds: amount * 301 - 40_000))
            case 1: memory.setClock(to: memory.now.advanced(bySeconds: amount * 3_000 - 400_000))
            case 2: for rate in 0..<(amount % 70) { memory.storeManualHeartRate(UInt8(rate)) }
            case 3:
                let workout = RingWorkout(
                    sport: .run, start: memory.now, seconds: amount,
                    movement: Movement(steps: amount),
                    samples: [0, 90, UInt8(amount), 80])
                memory.store(workout)
            default:
                let long = choice.byte() % 10 == 0 ? 8_000 : 211
                let end = memory.now.advanced(bySeconds: amount * long)
                let settings = Self.settings(&choice)
                let next = memory.nextStoreTime(body: &body, settings: settings)
                let events = memory.advance(
                    to: end, body: &body, worn: choice.byte() > 40, settings: settings)
                lines.append("next \(next)")
                lines += events.map { "\($0.time) \($0.content)" }
            }
            lines += [memory.now, memory.wearerTime(memory.now)].map { "\($0)" }
        }
        return lines + words(memory)
    }

    /// A ring keeps something for a day, and nothing for more than a month.
    @Test(arguments: [(0, 1), (1, 1), (9, 9), (30, 30), (31, 30), (9_000, 30)])
    func retentionIsLimited(days: Int, kept: Int) {
        let kinds: [WritableKeyPath<RingRetention, Int>] = [
            \.heartRateDays, \.stressDays, \.heartRateVariabilityDays, \.bloodOxygenDays,
            \.temperatureDays, \.activityDays, \.sleepDays, \.manualHeartRateDays,
        ]
        for kind in kinds {
            var retention = RingRetention()
            for other in kinds { retention[keyPath: other] = -1 }
            retention[keyPath: kind] = days
            #expect(retention.mostDays == kept)
        }
    }

    @Test func anythingIsKeptAsRecorded() throws {
        var table = GoldenTable("Memories")
        for seed in 1...30 as ClosedRange<UInt64> {
            try table.add("seed \(seed)", Self.drill(seed: seed))
        }
        try GoldenText("Golden/Simulations/Memories.txt").expect(table.lines)
    }

    /// The first and last seconds of each series, calculated by hand.
    @Test(arguments: [
        (SlotSeries.heartRate, 300, [(0, 17), (16, 17), (17, 317), (86_117, 86_417)]),
        (.stress, 1800, [(52, 53), (53, 1_853), (84_653, 86_453)]),
        (.bloodOxygen, 3600, [(0, 1_938), (1_938, 5_538), (84_738, 88_338)]),
        (.hourEnd, 3600, [(0, 3_600), (3_599, 3_600), (82_800, 86_400)]),
    ])
    func timesFollowEachOther(_ series: SlotSeries, _ period: Int, _ pairs: [(Int, Int)]) {
        for (second, next) in pairs {
            #expect(series.next(after: second, period: period) == next, "after \(second)")
        }
    }

    @Test func seriesLieSideBySideInADay() {
        let lengths = [
            SlotSeries.heartRate: 288, .stress: 48, .variability: 48, .temperature: 48,
            .bloodOxygen: 24, .hourEnd: 0,
        ]
        var end = 0
        for series in [
            SlotSeries.heartRate, .stress, .variability, .temperature, .bloodOxygen, .hourEnd,
        ] {
            #expect(series.range.lowerBound == end)
            #expect(series.range.count == lengths[series])
            end = series.range.upperBound
        }
        #expect(end == SlotSeries.bytesPerDay)
    }
}
