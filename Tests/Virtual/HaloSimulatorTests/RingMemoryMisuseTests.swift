import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// A ring survives any actions in any order.
@Suite(.passesTime) struct RingMemoryMisuseTests {
    /// Pseudorandom numbers from a seed.
    private struct Dice {
        var state: UInt64

        mutating func next(below count: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % count
        }
    }

    private let shifts = [1, 59, 3600, 86_400, 5_000_000, 900_000_000]

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func whateverHappensTheMemoryStaysInOrder(_ seed: UInt64) {
        var dice = Dice(state: seed)
        let start = WearerWeek.time(WearerWeek.monday, 40_000)
        var body = BodyClock(Wearer(seed: seed, exerciseDaysPerWeek: 7))
        var memory = RingMemory(now: start, wearerTime: start)
        for _ in 0..<200 {
            let shift = shifts[Int(dice.next(below: 6))] * Int(dice.next(below: 5))
            switch dice.next(below: 8) {
            case 0: memory.setClock(to: memory.now.advanced(bySeconds: shift))
            case 1: memory.setClock(to: memory.now.advanced(bySeconds: -shift))
            case 2: memory.storeManualHeartRate(UInt8(dice.next(below: 256)))
            default:
                let settings = AutomaticMeasurements(
                    heartRateMinutes: UInt8(dice.next(below: 256)),
                    bloodOxygen: dice.next(below: 2) == 0, stress: dice.next(below: 2) == 0,
                    variability: dice.next(below: 2) == 0)
                let before = memory.now
                let time = before.advanced(bySeconds: shift)
                let events = memory.advance(
                    to: time, body: &body, worn: dice.next(below: 3) > 0, settings: settings)
                #expect(memory.now == time)
                #expect(events.allSatisfy { $0.time > before && $0.time <= time })
                #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
            }
            check(memory)
        }
    }

    private func check(_ memory: RingMemory) {
        let today = memory.now.date
        for daysAgo in 0..<9 as Range<UInt8> {
            guard let date = today.daysEarlier(daysAgo) else { return }
            let rates = memory.heartRates(of: date)
            #expect(rates.map(\.count) == (rates == nil ? nil : 288))
            #expect(rates == nil || daysAgo < 4)
            let activity = memory.activity(of: date)
            #expect(activity == nil || daysAgo < 7)
            #expect(activity?.allSatisfy { $0.slot < 96 } != false)
            let totals = memory.totals(of: date)
            #expect((totals?.movement.steps ?? 0) >= 0)
        }
        #expect(memory.heartRates(of: today) != nil)
        for period in memory.sleepPeriods + memory.napPeriods {
            #expect(period.isConsistent && period.daysAgo < 3)
        }
        #expect(memory.bloodOxygen().count <= 3 && memory.temperatures().count <= 2)
        #expect(memory.workouts.count <= 10)
    }
}
