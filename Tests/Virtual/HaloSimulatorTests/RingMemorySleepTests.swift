import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// Nights and naps as a ring stores them.
@Suite(.passesTime) struct RingMemorySleepTests {
    private let wearer = Wearer(seed: 7, restingHeartRate: 58)
    private let night = Wearer(seed: 7, restingHeartRate: 58).night(endingOn: WearerWeek.days[1])
    private var body: BodyClock

    init() { body = BodyClock(wearer) }

    private func noon(_ day: Int) -> CivilDateTime { WearerWeek.time(WearerWeek.days[day], 43_200) }

    @Test mutating func aNightIsStoredHalfAnHourAfterWaking() throws {
        var memory = RingMemory(now: noon(0), wearerTime: noon(0))
        let due = night.end.advanced(bySeconds: 1800)
        let early = memory.advance(to: due.advanced(bySeconds: -1), body: &body)
        #expect(!early.contains { $0.content == .night })
        #expect(memory.sleepPeriods == [])
        let late = memory.advance(to: due, body: &body)
        #expect(late.filter { $0.content == .night }.map(\.time) == [due])
        let stored = try #require(memory.sleepPeriods.first)
        #expect(stored.daysAgo == 0 && stored.isConsistent)
        #expect(stored.startTime(today: WearerWeek.days[1]) == night.start)
        #expect(stored.endTime(today: WearerWeek.days[1]) == night.end)
        #expect(stored.stages.map(\.minutes) == night.stages.map(\.minutes))
        #expect(stored.stages.map(\.stage.known) == night.stages.map(\.stage))
        let asleep = night.minutes - night.minutes(of: .awake)
        #expect(memory.totals(of: WearerWeek.days[1])?.sleepMinutes == asleep)
    }

    @Test mutating func nightsOfThreeDaysAreShownTheOldestFirst() {
        let memory = RingMemory(wornFor: 7, until: noon(6), wearerTime: noon(6), body: &body)
        #expect(memory.sleepPeriods.map(\.daysAgo) == [2, 1, 0])
        #expect(memory.sleepPeriods.allSatisfy { $0.isConsistent })
    }

    @Test mutating func aNewDayMovesNightsIntoThePast() {
        var memory = RingMemory(wornFor: 7, until: noon(5), wearerTime: noon(5), body: &body)
        let midnight = WearerWeek.time(WearerWeek.days[6])
        _ = memory.advance(to: midnight.advanced(bySeconds: -1), body: &body)
        #expect(memory.sleepPeriods.map(\.daysAgo) == [2, 1, 0])
        _ = memory.advance(to: midnight, body: &body)
        #expect(memory.sleepPeriods.map(\.daysAgo) == [2, 1])
    }

    @Test mutating func napsAreStoredApart() throws {
        let date = try #require(WearerWeek.month.first { wearer.nap(on: $0) != nil })
        let nap = try #require(wearer.nap(on: date))
        let morning = WearerWeek.time(date, 36_000)
        var memory = RingMemory(now: morning, wearerTime: morning)
        let due = nap.end.advanced(bySeconds: 1800)
        let events = memory.advance(to: due, body: &body)
        #expect(events.filter { $0.content == .nap }.map(\.time) == [due])
        #expect(memory.napPeriods.map(\.minutes) == [nap.minutes])
        #expect(memory.sleepPeriods == [])
    }

    @Test mutating func aRingTakenOffInTheNightKnowsThePartBefore() throws {
        var memory = RingMemory(now: noon(0), wearerTime: noon(0))
        let off = night.start.advanced(bySeconds: 3 * 3600)
        _ = memory.advance(to: off, body: &body)
        _ = memory.advance(to: noon(1), body: &body, worn: false)
        let stored = try #require(memory.sleepPeriods.first)
        #expect(stored.startTime(today: WearerWeek.days[1]) == night.start)
        #expect(170...180 ~= stored.minutes)
        #expect(stored.isConsistent)
    }

    @Test mutating func aGapInTheNightIsTakenForWaking() throws {
        var memory = RingMemory(now: noon(0), wearerTime: noon(0))
        let off = night.start.advanced(bySeconds: 2 * 3600)
        _ = memory.advance(to: off, body: &body)
        _ = memory.advance(to: off.advanced(bySeconds: 3600), body: &body, worn: false)
        _ = memory.advance(to: noon(1), body: &body)
        let stored = try #require(memory.sleepPeriods.first)
        #expect(stored.minutes == night.minutes && stored.isConsistent)
        #expect(stored.minutes(of: .awake) >= 60)
    }

    @Test mutating func aRingNotWornInTheNightKnowsOfNone() {
        var memory = RingMemory(now: noon(0), wearerTime: noon(0))
        _ = memory.advance(to: night.start.advanced(bySeconds: 600), body: &body)
        let events = memory.advance(to: noon(1), body: &body, worn: false)
        #expect(!events.contains { $0.content == .night })
        #expect(memory.sleepPeriods == [])
    }

    @Test mutating func aClockInAnotherZoneFilesTheNightByItsOwnDays() throws {
        // The ring shows UTC+8, and its wearer lives by UTC−4: half a day apart.
        let ringNoon = noon(0).advanced(bySeconds: 12 * 3600)
        var memory = RingMemory(now: ringNoon, wearerTime: noon(0))
        _ = memory.advance(to: ringNoon.advanced(bySeconds: 86_400), body: &body)
        let stored = try #require(memory.sleepPeriods.last)
        #expect(!stored.startsOnPreviousDay)
        #expect(
            stored.endTime(today: memory.now.date)
                == night.end.advanced(bySeconds: 12 * 3600))
    }

    @Test mutating func aSlotOfTheSameSecondIsNotLost() {
        // Waking and half an hour fall upon the seventeenth second of a heart-rate slot.
        let ring = noon(0).advanced(bySeconds: 17)
        var memory = RingMemory(now: ring, wearerTime: noon(0))
        let due = night.end.advanced(bySeconds: 1800 + 17)
        let shift = (300 - Int(night.end.secondsSince1970) % 300) % 300
        memory.setClock(to: memory.now.advanced(bySeconds: shift))
        let events = memory.advance(to: due.advanced(bySeconds: shift), body: &body)
        #expect(events.last?.content == .night)
        let before = events.dropLast().last
        #expect(before?.time == events.last?.time)
        if case .heartRate = before?.content {} else { Issue.record("no heart rate") }
    }
}
