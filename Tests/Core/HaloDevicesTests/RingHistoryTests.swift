import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct RingHistoryTests {
    @Test(arguments: RingProfile.all)
    func everyKindOfRingGivesItsWeek(_ profile: RingProfile) async throws {
        let bench = try await RingBench.connected(profile, days: 7)
        let history = try await bench.ring.history()
        #expect(history.failures.isEmpty, "\(history.failures)")
        #expect(!history[.heartRate].isEmpty)
        #expect(!history[.activity].isEmpty)
        #expect(history.totals != nil)
        // Nights are records: an R08 has no service for them.
        #expect(history[.sleep].contains { !$0.isNap } == profile.hasBigData)
        #expect(history.today == bench.air.time.wallClock().local.date)
        if profile.capabilities.temperature == .supported {
            #expect(history[.temperature].allSatisfy { 30...40 ~= $0.value })
            #expect(!history[.temperature].isEmpty)
        } else {
            #expect(history.unsupported.contains(.temperature))
        }
    }

    @Test func listsAreInTheOrderOfTimeAndEndNow() async throws {
        let bench = try await RingBench.connected(days: 3)
        let history = try await bench.ring.history(days: 4)
        let now = bench.air.time.wallClock().local
        let readAt = try #require(history.readAt)
        #expect(readAt <= now)
        for times in [
            history[.heartRate].map(\.time), history[.stress].map(\.time),
            history[.heartRateVariability].map(\.time), history[.activity].map(\.time),
            history[.bloodOxygen].map(\.time), history[.temperature].map(\.time),
        ] {
            #expect(!times.isEmpty)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(times.allSatisfy { $0 <= now })
        }
    }

    @Test func daysAndSlotsAreTimesOfTheRingsClock() async throws {
        let bench = try await RingBench.connected(days: 3)
        let today = bench.air.time.wallClock().local.date
        let log = try await bench.ring.ask(
            HeartRateLog.Request(day: #require(today.daysEarlier(1))))
        let expected = try #require(log.value).samples.enumerated().filter { $0.element != 0 }
        let samples = try await bench.ring.log(.heartRate, daysAgo: 1)
        #expect(samples.map(\.value) == expected.map { Int($0.element) })
        #expect(
            samples.map(\.time.time.minuteOfDay) == expected.map { $0.offset * 5 })
        #expect(samples.allSatisfy { $0.time.date == today.daysEarlier(1) && $0.minutes == 5 })
    }

    @Test func aNightIsOnTheCalendar() async throws {
        var options = RingOptions()
        options.earlierClocks = [RingClock(secondsFromUTC: 3600, wasSet: true)]
        let bench = try await RingBench.connected(.r12, days: 3, options: options)
        let today = bench.air.time.wallClock().local.date
        let nights = try await bench.ring.log(.sleep).filter { !$0.isNap }
        let stored = try #require(try await bench.ring.ask(Sleep.Request.allNights).value).nights
        #expect(!nights.isEmpty)
        #expect(
            nights.map { $0.end.date.daysAgo(from: today) }.sorted()
                == stored.map { Int($0.daysAgo) }.sorted())
        for night in nights {
            #expect(night.start < night.end)
            #expect(night.stages.first?.time == night.start)
            let period = try #require(
                stored.first { Int($0.daysAgo) == night.end.date.daysAgo(from: today) })
            #expect(
                night.stages.map { "\($0.value)" } == period.stages.map { "\($0.stage)" })
            let last = try #require(night.stages.last)
            #expect(last.time.advanced(bySeconds: last.minutes * 60) == night.end)
            #expect(night.secondsFromUTC == 3600)
        }
    }

    @Test func aDayWithoutValuesIsEmpty() async throws {
        let bench = try await RingBench.connected(days: 0)
        #expect(try await bench.ring.log(.heartRate, daysAgo: 20).isEmpty)
        #expect(try await bench.ring.log(.stress, daysAgo: 20).isEmpty)
        #expect(try await bench.ring.log(.heartRateVariability, daysAgo: 20).isEmpty)
        #expect(try await bench.ring.log(.activity, daysAgo: 20).isEmpty)
        #expect(try await bench.ring.log(.workouts).isEmpty)
    }

    /// Realtek firmware does not reply to the shorter forms of the request for sleep.
    @Test(arguments: RingProfile.all.filter(\.hasBigData))
    func aRingWithoutNightsHasAnEmptyHistory(_ profile: RingProfile) async throws {
        let bench = try await RingBench.connected(profile, days: 0)
        let duration = try await bench.air.duration {
            let nights = try await bench.ring.log(.sleep)
            #expect(nights.isEmpty)
        }
        #expect(duration < .seconds(2))
        #expect(try await bench.ring.history().isComplete)
    }

    /// Of an unknown board, any form may be the one that it understands.
    @Test func silenceAfterNoDataIsNoData() async throws {
        var profile = RingProfile.r10
        profile.firmware = "AB12_1.00.00"
        profile.hardware = "AB12_V1.0"
        let bench = try await RingBench.connected(profile, days: 0)
        #expect(bench.ring.firmware?.board.chip.value == nil)
        let duration = try await bench.air.duration {
            let nights = try await bench.ring.log(.sleep)
            #expect(nights.isEmpty)
        }
        #expect(duration > .seconds(5), "a shorter form is tried")
        #expect(duration < .seconds(15), "only one of them")
    }

    @Test func aKindThatARingLacksIsNotSupported() async throws {
        let bench = try await RingBench.connected(.r02, days: 1)
        #expect(bench.ring.capabilities.heartRateVariability == false)
        #expect(
            await kind { _ = try await bench.ring.log(.heartRateVariability, daysAgo: 0) }
                == .notSupported)
        #expect(try await bench.ring.history(days: 1).unsupported.contains(.heartRateVariability))
    }

    @Test func aPartThatFailsDoesNotAffectTheRest() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: StressLog.opcode)
        let bench = try await RingBench.connected(profile, days: 2)
        let history = try await bench.ring.history(days: 2)
        #expect(!history.isComplete)
        #expect(Set(history.failures.map(\.kind)) == [.stress])
        #expect(history.failures.map(\.daysAgo) == [0, 1])
        #expect(history.failures.allSatisfy { $0.error.kind == .timedOut })
        #expect(!history[.heartRate].isEmpty)
        #expect(!history[.heartRateVariability].isEmpty)
    }

    @Test func aLinkLostDuringAReadKeepsWhatCameBefore() async throws {
        var options = RingOptions()
        options.reconnect = .never
        let bench = try await RingBench.connected(days: 3, options: options)
        let worn = bench.worn
        let history = try await bench.ring.history(days: 3) { progress in
            if progress.kind == .heartRate, progress.daysAgo == 1 { worn.moveAway() }
        }
        #expect(!history[.heartRate].isEmpty)
        #expect(history.failures.contains { $0.error.kind == .disconnected })
        #expect(await kind { _ = try await bench.ring.history() } == .disconnected)
    }

    /// A day that is not worth a request is no step: the fraction goes on evenly, to the end.
    @Test(arguments: [1, 9]) func progressIsProportionalToRequests(daysWorn: Int) async throws {
        let bench = try await RingBench.connected(days: daysWorn)
        let steps = Box<[HistoryProgress]>([])
        let history = try await bench.ring.history(days: 30) { steps.value.append($0) }
        let fractions = [0] + steps.value.map(\.fraction)
        let parts = zip(fractions, fractions.dropFirst()).map { $1 - $0 }
        #expect(history.isComplete && fractions.last == 1)
        #expect(parts.allSatisfy { 0...0.05 ~= $0 }, "\(parts)")
        let logs: Set<HistoryKind> = [.heartRate, .stress, .heartRateVariability, .activity]
        let requested = history.coverage.days.filter {
            logs.contains($0.kind) && $0.outcome != .notRequested
        }
        #expect(steps.value.last?.step == 5 + requested.count)
    }

    @Test func aCancelledReadEndsWithItsTask() async throws {
        let bench = try await RingBench.connected(days: 3)
        let ring = bench.ring
        let count = Box(0)
        let task = Task {
            try await ring.history(days: 3) { progress in
                count.value = progress.step
                if progress.step == 4 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        // What has come is returned.
        let history = try await task.value
        #expect(history.totals != nil && !history.failures.isEmpty)
        #expect(history.failures.allSatisfy { $0.error.kind == .cancelled })
        #expect(count.value == 4)
        #expect(try await ring.battery().percent == 80)
    }

    @Test func impossibleNumbersOfDaysDoNoHarm() async throws {
        let bench = try await RingBench.connected(days: 1)
        #expect(try await bench.ring.history(days: .min).isComplete)
        let history = try await bench.ring.history(days: .max)
        #expect(history.coverage.dates(of: .heartRate, .notRequested).count == 30 - 7)
    }

    @Test func workoutsHaveTheirTime() async throws {
        let bench = try await RingBench.connected(.r10, days: 7)
        let run = try await bench.ring.startWorkout(.run)
        let begun = bench.air.time.wallClock().local
        try await bench.pass(.seconds(90))
        run.end()
        for try await _ in run {}
        let record = try #require(
            try await bench.ring.log(.workouts).first { $0.key == run.key })
        let list = try await bench.ring.ask(WorkoutList.Request.all)
        let stored = try #require(list.value?.workouts.first { $0.start == run.key })
        #expect(record.sport == .run)
        #expect(record.duration == stored.durationSeconds.map { .seconds($0) })
        #expect(record.steps == stored.steps.map { Int($0) })
        #expect(record.metres == stored.metres.map { Int($0) })
        #expect(record.kilocalories == stored.kilocalories)
        #expect(record.averageBeatsPerMinute == stored.averageBeatsPerMinute.map { Int($0) })
        #expect(record.lowestBeatsPerMinute == stored.lowestBeatsPerMinute.map { Int($0) })
        #expect(record.highestBeatsPerMinute == stored.highestBeatsPerMinute.map { Int($0) })
        let start = try #require(record.start)
        let difference = Int(start.secondsSince1970) - Int(begun.secondsSince1970)
        #expect(abs(difference) <= 3)
        let request = WorkoutDetail.Request(
            sport: Reported(try #require(record.sport)), start: try #require(record.key))
        let samples = try await bench.ring.ask(request)
        #expect(samples.value?.heartRates?.isEmpty == false)
    }
}
