import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// The stored values as time passes.
@Suite(.passesTime) struct RingMemoryTests {

    private let wearer = Wearer(seed: 7, restingHeartRate: 58)
    private let midnight = WearerWeek.time(WearerWeek.monday)
    private var memory: RingMemory
    private var body: BodyClock

    init() {
        memory = RingMemory(now: midnight, wearerTime: midnight)
        body = BodyClock(wearer)
    }

    /// A ring worn from Monday's midnight on, whose clock is its wearer's.
    private func ring(_ retention: RingRetention = RingRetention()) -> RingMemory {
        RingMemory(retention: retention, now: midnight, wearerTime: midnight)
    }

    private func time(_ hour: Int, _ minute: Int, _ second: Int) -> CivilDateTime {
        midnight.advanced(bySeconds: (hour * 60 + minute) * 60 + second)
    }

    private func times(
        _ events: [StoredEvent], _ matches: (StoredEvent.Content) -> Bool
    ) -> [String] {
        events.filter { matches($0.content) }.map(\.time.time.description)
    }

    @Test mutating func valuesLandSomeSecondsAfterTheirSlot() {
        _ = memory.advance(to: time(14, 0, 30), body: &body)
        let events = memory.advance(to: time(14, 40, 0), body: &body)
        let heart = times(events) { if case .heartRate = $0 { true } else { false } }
        #expect(heart.first == "14:05:17" && heart.last == "14:35:17" && heart.count == 7)
        let warmth = times(events) { if case .temperature = $0 { true } else { false } }
        #expect(warmth == ["14:30:11"])
        let stress = times(events) { if case .stress = $0 { true } else { false } }
        #expect(stress == ["14:00:53", "14:30:53"])
        let variability = times(events) { if case .variability = $0 { true } else { false } }
        #expect(variability == ["14:01:03"])
        let oxygen = times(events) { if case .bloodOxygen = $0 { true } else { false } }
        #expect(oxygen == ["14:32:18"])
        #expect(events.map(\.time) == events.map(\.time).sorted())
    }

    @Test mutating func whatWasStoredIsWhatTheWearerWasLikeThen() throws {
        var rates = [UInt8](repeating: 0, count: 288)
        for event in memory.advance(to: time(24, 0, 0).advanced(bySeconds: -1), body: &body) {
            let state = wearer.state(at: event.time)
            switch event.content {
            case .heartRate(let value):
                #expect(value == state.beatsPerMinute)
                rates[Int(event.time.time.secondsSinceMidnight) / 300] = value
            case .stress(let value): #expect(value == state.stress)
            case .variability(let value): #expect(value == state.variabilityMilliseconds)
            case .bloodOxygen(let value): #expect(value == state.bloodOxygenPercent)
            case .temperature(let value): #expect(Int(value) + 200 == state.skinTemperatureTenths)
            case .activity, .night, .nap: break
            }
        }
        #expect(memory.heartRates(of: WearerWeek.monday) == rates)
        #expect(!rates.contains(0))
        let stress = try #require(memory.stress(of: WearerWeek.monday))
        #expect(stress.count == 48 && !stress.contains(0))
        let variability = try #require(memory.heartRateVariability(of: WearerWeek.monday))
        #expect(variability.count == 48)
        #expect(variability.enumerated().allSatisfy { ($1 != 0) == ($0 % 2 == 0) })
        #expect(memory.bloodOxygen().map(\.values.count) == [24])
        #expect(memory.temperatures().map(\.values.count) == [48])
        #expect(memory.bloodOxygen().allSatisfy { !$0.values.contains(0) })
        #expect(memory.temperatures().allSatisfy { !$0.values.contains(0) })
    }

    @Test mutating func slotsToComeAreEmpty() throws {
        _ = memory.advance(to: time(10, 0, 16), body: &body)
        #expect(memory.heartRates(of: WearerWeek.monday)?[120] == 0)
        _ = memory.advance(to: time(10, 0, 17), body: &body)
        let rates = try #require(memory.heartRates(of: WearerWeek.monday))
        #expect(rates[120] != 0)
        #expect(rates[121...].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [5, 10, 30, 60, 7, 45] as [UInt8])
    mutating func heartRatesComeAtTheirInterval(_ minutes: UInt8) throws {
        let settings = AutomaticMeasurements(heartRateMinutes: minutes)
        _ = memory.advance(to: time(24, 0, 0), body: &body, settings: settings)
        let rates = try #require(memory.heartRates(of: WearerWeek.monday))
        let expected = Set(stride(from: 0, to: 1440, by: Int(minutes)).map { $0 / 5 })
        #expect(Set(rates.indices.filter { rates[$0] != 0 }) == expected)
    }

    @Test mutating func anIntervalBelowFiveMinutesIsFive() {
        let settings = AutomaticMeasurements(heartRateMinutes: 0)
        let events = memory.advance(to: time(1, 0, 0), body: &body, settings: settings)
        #expect(times(events) { if case .heartRate = $0 { true } else { false } }.count == 12)
    }

    @Test mutating func whatIsOffStoresNothing() throws {
        let events = memory.advance(to: time(24, 0, 0), body: &body, settings: .none)
        #expect(
            events.allSatisfy { [.activity, .night, .nap].contains($0.content) })
        #expect(memory.heartRates(of: WearerWeek.monday)?.allSatisfy { $0 == 0 } == true)
        #expect(memory.bloodOxygen() == [])
        #expect(memory.temperatures() == [])
        #expect(memory.activity(of: WearerWeek.monday) != nil)
    }

    @Test mutating func aRingThatIsNotWornStoresZerosAndCountsNothing() throws {
        let events = memory.advance(to: time(24, 0, 0), body: &body, worn: false)
        #expect(events == [])
        #expect(memory.heartRates(of: WearerWeek.monday)?.allSatisfy { $0 == 0 } == true)
        #expect(memory.activity(of: WearerWeek.monday) == nil)
        #expect(memory.totals(of: WearerWeek.monday)?.movement == Movement.none)
        #expect(memory.sleepPeriods == [])
    }

    @Test mutating func anHourNotWornIsAGap() throws {
        _ = memory.advance(to: time(12, 0, 0), body: &body)
        _ = memory.advance(to: time(13, 0, 0), body: &body, worn: false)
        _ = memory.advance(to: time(20, 0, 0), body: &body)
        let rates = try #require(memory.heartRates(of: WearerWeek.monday))
        #expect(rates[144..<156].allSatisfy { $0 == 0 })
        #expect(rates[0..<144].allSatisfy { $0 != 0 })
        #expect(rates[156..<240].allSatisfy { $0 != 0 })
        let truth =
            wearer.movement(from: midnight, to: time(12, 0, 0))
            + wearer.movement(from: time(13, 0, 0), to: time(20, 0, 0))
        #expect(memory.totals(of: WearerWeek.monday)?.movement == truth)
    }

    @Test mutating func stepsOfAnySizeStoreTheSame() {
        var whole = ring()
        var parts = ring()
        let end = midnight.advanced(bySeconds: 2 * 86_400 + 4321)
        let events = whole.advance(to: end, body: &body)
        var collected: [StoredEvent] = []
        var step = 1
        while parts.now < end {
            let next = min(parts.now.advanced(bySeconds: step), end)
            collected += parts.advance(to: next, body: &body)
            step = step * 7 % 911 + 1
        }
        #expect(collected == events)
        for date in WearerWeek.days.prefix(3) {
            #expect(parts.heartRates(of: date) == whole.heartRates(of: date))
            #expect(parts.activity(of: date) == whole.activity(of: date))
            #expect(parts.totals(of: date)?.movement == whole.totals(of: date)?.movement)
        }
        #expect(parts.sleepPeriods == whole.sleepPeriods)
        #expect(parts.bloodOxygen() == whole.bloodOxygen())
    }

    @Test mutating func theNextTimeIsWhenSomethingIsStoredNext() {
        for _ in 0..<600 {
            let next = memory.nextStoreTime(body: &body, settings: .all)
            #expect(next > memory.now)
            #expect(memory.advance(to: next.advanced(bySeconds: -1), body: &body) == [])
            let events = memory.advance(to: next, body: &body)
            // An hour without a step is not reported.
            #expect(!events.isEmpty || next.time.secondsSinceMidnight % 3600 == 0)
            #expect(events.allSatisfy { $0.time == next })
        }
    }

    @Test mutating func goingBackInTimeDoesNothing() {
        #expect(memory.advance(to: midnight, body: &body) == [])
        #expect(memory.advance(to: midnight.advanced(bySeconds: -60), body: &body) == [])
        #expect(memory.now == midnight)
    }

    @Test func activityIsThatOfItsHourOrQuarter() throws {
        for minutes in [RingRetention.ActivityMinutes.hour, .quarter] {
            var retention = RingRetention()
            retention.activityMinutes = minutes
            var memory = ring(retention)
            var body = BodyClock(wearer)
            _ = memory.advance(to: time(24, 0, 0), body: &body)
            let slots = try #require(memory.activity(of: WearerWeek.monday))
            let whole = wearer.movement(from: midnight, to: time(24, 0, 0))
            #expect(slots.reduce(0) { $0 + Int($1.steps) } == whole.steps)
            #expect(slots.reduce(0) { $0 + Int($1.metres) } == whole.metres)
            #expect(slots.reduce(0) { $0 + Int($1.energy) } == whole.smallCalories / 10)
            #expect(memory.totals(of: WearerWeek.monday)?.movement == whole)
            for slot in slots {
                let start = time(0, Int(slot.slot) * 15, 0)
                let end = start.advanced(bySeconds: minutes.rawValue * 60)
                #expect(Int(slot.steps) == wearer.movement(from: start, to: end).steps)
                #expect(Int(slot.slot) * 15 % minutes.rawValue == 0)
            }
        }
    }
}
