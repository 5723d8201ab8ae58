import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The days of a history: the wanted ones, those that were read, and those that a ring lacks.
@Suite(.passesTime) struct HistoryCoverageTests {
    /// The dates of all values, each with its kind.
    private static func dates(of history: RingHistory) -> [(kind: HistoryKind, date: CivilDate)] {
        var dates: [(kind: HistoryKind, date: CivilDate)] = []
        dates += history[.heartRate].map { (.heartRate, $0.time.date) }
        dates += history[.stress].map { (.stress, $0.time.date) }
        dates += history[.heartRateVariability].map { (.heartRateVariability, $0.time.date) }
        dates += history[.activity].map { (.activity, $0.time.date) }
        dates += history[.bloodOxygen].map { (.bloodOxygen, $0.time.date) }
        dates += history[.temperature].map { (.temperature, $0.time.date) }
        dates += history[.sleep].map { (.sleep, $0.end.date) }
        dates += history[.workouts].compactMap { record in
            record.start.map { (.workouts, $0.date) }
        }
        return dates
    }

    private static func days(_ range: ClosedRange<Int>, before today: CivilDate) -> [CivilDate] {
        range.reversed().compactMap { today.advanced(byDays: -$0) }
    }

    @Test(arguments: RingProfile.all, [1, 2, 3, 7])
    func noValueIsOfADayThatIsNotWanted(_ profile: RingProfile, days: Int) async throws {
        let bench = try await RingBench.connected(profile, days: 7)
        let history = try await bench.ring.history(days: days)
        let wanted = Set(Self.days(0...days - 1, before: history.today))
        for (kind, date) in Self.dates(of: history) {
            #expect(wanted.contains(date), "\(kind) of \(date)")
            #expect(history.coverage[kind, date] == .read, "\(kind) of \(date)")
        }
        #expect(Set(history.coverage.days.map(\.date)) == wanted)
        for kind in HistoryKind.allCases {
            let count = history.coverage.days.count { $0.kind == kind }
            #expect(count == (kind == .totals ? 1 : days), "\(kind)")
        }
    }

    @Test func allStoredDaysComeFromTheFunctionsOfAKind() async throws {
        let bench = try await RingBench.connected(.r12, days: 7)
        let one = try await bench.ring.history(days: 1)
        let oxygen = try await bench.ring.log(.bloodOxygen)
        #expect(Set(oxygen.map(\.time.date)).count == 3)
        #expect(Set(one[.bloodOxygen].map(\.time.date)) == [one.today])
        #expect(try await bench.ring.log(.sleep).count > one[.sleep].count)
    }

    @Test func theCoverageSaysWhichDaysARingHolds() async throws {
        let bench = try await RingBench.connected(.r10, days: 7)
        let history = try await bench.ring.history()
        let coverage = history.coverage
        let today = history.today
        #expect(history.isComplete)
        #expect(coverage.dates(of: .heartRate, .read) == Self.days(0...3, before: today))
        #expect(coverage.dates(of: .heartRate, .noData) == Self.days(4...6, before: today))
        #expect(coverage.dates(of: .bloodOxygen, .read) == Self.days(0...2, before: today))
        #expect(coverage.dates(of: .sleep, .read) == Self.days(0...2, before: today))
        #expect(coverage.dates(of: .activity, .read) == Self.days(0...6, before: today))
        #expect(coverage[.totals, today] == .read)
        #expect(coverage[.heartRate, try #require(today.daysEarlier(7))] == nil)
    }

    /// Reads thirty days; returns the days of each log that were requested.
    private static func month(
        _ profile: RingProfile
    ) throws -> (history: RingHistory, requests: [UInt8: [UInt8]]) {
        try virtually { air in
            let worn = air.add(VirtualRing(profile, wearer: Wearer(seed: 1), days: 30))
            let requests = Box<[UInt8: [UInt8]]>([:])
            var options = RingOptions()
            options.observer = { trace in
                guard trace.kind == .request, trace.operation == .write, let bytes = trace.bytes,
                    bytes.count > 1
                else { return }
                requests.change { $0[bytes[0], default: []].append(bytes[1]) }
            }
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            requests.value = [:]
            let history = try await ring.history(days: 30)
            await ring.disconnect()
            return (history, requests.value)
        }
    }

    @Test func daysThatNoRingHoldsAreNotRequested() throws {
        let (history, requests) = try Self.month(.r10)
        #expect(requests[StressLog.opcode] == Array(0...6))
        #expect(requests[HeartRateVariabilityLog.opcode] == Array(0...6))
        #expect(requests[HeartRateLog.opcode]?.count == 7)
        // The seventh day is there, so the eighth is requested.
        #expect(requests[ActivityLog.opcode] == Array(0...7))
        let today = history.today
        #expect(history.isComplete)
        #expect(
            history.coverage.dates(of: .stress, .notRequested) == Self.days(7...29, before: today))
        #expect(
            history.coverage.dates(of: .activity, .notRequested)
                == Self.days(8...29, before: today))
        #expect(history.coverage.dates(of: .activity, .noData) == Self.days(7...7, before: today))
    }

    @Test func aRingThatHoldsMoreDaysIsReadToTheEnd() throws {
        var profile = RingProfile.r10
        profile.retention.activityDays = 12
        profile.retention.heartRateDays = 30
        let (history, requests) = try Self.month(profile)
        #expect(requests[ActivityLog.opcode] == Array(0...12))
        #expect(requests[HeartRateLog.opcode]?.count == 30)
        #expect(Set(history[.activity].map(\.time.date)).count == 12)
        #expect(history.coverage.dates(of: .heartRate, .read).count == 30)
    }

    /// A log that fails is not requested day after day. It is not known what the ring holds.
    @Test func daysBeforeAFailedOneHaveFailedToo() throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: StressLog.opcode)
        let (history, requests) = try Self.month(profile)
        #expect(Set(requests[StressLog.opcode] ?? []) == Set(0...6))
        #expect(
            history.coverage.dates(of: .stress, .failed) == Self.days(0...29, before: history.today)
        )
        #expect(!history.isComplete)
        #expect(history.coverage.dates(of: .heartRateVariability, .failed).isEmpty)
    }

    @Test func aDayThatFailsIsNotRead() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: StressLog.opcode)
        profile.records = profile.records.with(.silent, "made up", for: BloodOxygen.requestID)
        let bench = try await RingBench.connected(profile, days: 2)
        let history = try await bench.ring.history(days: 2)
        let days = Self.days(0...1, before: history.today)
        #expect(history.coverage.dates(of: .stress, .failed) == days)
        #expect(history.coverage.dates(of: .bloodOxygen, .failed) == days)
        #expect(history.coverage.dates(of: .heartRate, .read) == days)
    }

    // MARK: The value

    private static func date(_ day: Int) -> CivilDate {
        CivilDateTime(secondsSince1970: UInt32(day * 86_400)).date
    }

    @Test func daysAreInOrderAndHaveOneOutcome() {
        var coverage = HistoryCoverage()
        coverage[.sleep, Self.date(3)] = .noData
        coverage[.heartRate, Self.date(5)] = .read
        coverage[.heartRate, Self.date(4)] = .failed
        coverage[.totals, Self.date(1)] = .read
        coverage[.heartRate, Self.date(4)] = .read
        #expect(
            coverage.days.map(\.kind) == [.heartRate, .heartRate, .sleep, .totals])
        #expect(coverage.days.map(\.date) == [4, 5, 3, 1].map(Self.date))
        #expect(coverage.days.map(\.outcome) == [.read, .read, .noData, .read])
        #expect(coverage[.sleep, Self.date(3)] == .noData)
        #expect(coverage[.sleep, Self.date(4)] == nil)
        #expect(coverage.dates(of: .heartRate, .read) == [4, 5].map(Self.date))
        coverage[.heartRate, Self.date(4)] = nil
        coverage[.heartRate, Self.date(9)] = nil
        #expect(coverage.days.map(\.date) == [5, 3, 1].map(Self.date))
    }

    /// A merged history knows on which days the ring was read, and until when each day was.
    @Test func aMergedCoverageKnowsItsReads() throws {
        let noon = CivilDateTime(Self.date(10)).advanced(bySeconds: 43_200)
        var kept = RingHistory(today: noon.date, readAt: noon)
        kept.coverage[.stress, Self.date(9)] = .read
        kept.coverage[.stress, Self.date(10)] = .read
        let first = kept
        for day in [12, 14] {
            let time = noon.advanced(bySeconds: (day - 10) * 86_400)
            var later = RingHistory(today: time.date, readAt: time)
            later.coverage[.stress, Self.date(10)] = .noData
            later.coverage[.stress, Self.date(day)] = .read
            kept.merge(later)
        }
        #expect(kept.coverage.earlierReads == [10, 12].map(Self.date))
        #expect(kept.coverage[.stress, Self.date(10)] == .read)
        #expect(kept.readEnd(of: .stress, on: Self.date(10)) == noon)
        #expect(kept.readEnd(of: .stress, on: Self.date(9)) == nil)
        #expect(kept.readEnd(of: .stress, on: Self.date(14)) == kept.readAt)
        #expect(kept.coverage.oldestAges(today: kept.today) == [.stress: 1])
        let data = try JSONEncoder().encode(kept)
        #expect(try JSONDecoder().decode(RingHistory.self, from: data) == kept)
        // The same read again changes nothing.
        let before = kept
        kept.merge(first)
        #expect(kept == before)
        let moved = kept.moved(byDays: 1)
        #expect(moved.coverage.earlierReads == [11, 13].map(Self.date))
        #expect(moved.readEnd(of: .stress, on: Self.date(11))?.date == Self.date(11))
    }

    @Test func coveragesWithTheSameDaysAreEqual() {
        var one = HistoryCoverage()
        var other = HistoryCoverage()
        for day in [2, 7, 4] { one[.stress, Self.date(day)] = .read }
        for day in [4, 2, 7] { other[.stress, Self.date(day)] = .read }
        #expect(one == other)
    }
}
