import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloHealth

/// What a database keeps of what rings have stored.
@Suite(.passesTime) struct HealthStoreTests {
    static let ring = PeripheralIdentity("70:CB:0D:D0:34:1C")
    static let other = PeripheralIdentity("70:CB:0D:D0:34:1D")

    private let folder = TestFolder()
    private let store: HealthStore

    init() throws { store = try HealthStore(path: folder.database) }

    /// A time of January 2026.
    static func time(_ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> CivilDateTime {
        CivilDateTime(secondsSince1970: 1_767_225_600)
            .advanced(bySeconds: ((day - 1) * 24 + hour) * 3600 + minute * 60)
    }

    /// A history that was read at a time of January 2026.
    static func history(readAt time: CivilDateTime) -> RingHistory {
        RingHistory(today: time.date, readAt: time, secondsFromUTC: 3600)
    }

    static func sample<Value>(
        _ time: CivilDateTime, _ value: Value, minutes: Int = 5, from seconds: Int? = 3600
    ) -> TimedSample<Value> {
        TimedSample(time: time, minutes: minutes, secondsFromUTC: seconds, value: value)
    }

    /// The number of rows that a condition on samples has.
    private static func count(
        _ store: HealthStore, _ sql: StaticString
    ) throws -> SQLiteValue? {
        try store.withDatabase { (database) throws(HealthStoreError) in try database.value(sql) }
    }

    /// The kind of error with which a file is opened.
    private static func kind(opening path: String) -> HealthStoreError.Kind? {
        do throws(HealthStoreError) {
            _ = try HealthStore(path: path)
            return nil
        } catch {
            return error.kind
        }
    }

    // MARK: Whole weeks

    @Test(arguments: [RingProfile.r02, .r10, .r12])
    func aWeekComesBack(_ profile: RingProfile) async throws {
        let air = VirtualBluetooth(seed: 7)
        air.add(VirtualRing(profile, days: 7))
        var options = RingOptions()
        options.earlierZone = .local
        let ring = try await Ring.connect(over: air, options: options)
        let history = try await ring.history()
        let read = HealthRead(ring, history, battery: try await ring.battery())
        let changes = try store.add(read)
        #expect(changes.added[.heartRate] == history[.heartRate].count)
        #expect(changes.added[.sleep] ?? 0 == history[.sleep].count)
        #expect(changes.replaced.isEmpty && changes.notices.isEmpty)

        let kept = try #require(try store.history(of: ring.identity))
        #expect(kept[.heartRate] == history[.heartRate] && !kept[.heartRate].isEmpty)
        #expect(kept[.stress] == history[.stress])
        #expect(kept[.heartRateVariability] == history[.heartRateVariability])
        #expect(kept[.activity] == history[.activity] && !kept[.activity].isEmpty)
        #expect(kept[.bloodOxygen] == history[.bloodOxygen])
        #expect(kept[.temperature] == history[.temperature])
        #expect(kept[.sleep] == history[.sleep] && !kept[.sleep].isEmpty)
        #expect(kept[.workouts] == history[.workouts])
        #expect(kept.totals == history.totals && kept.totals != nil)
        #expect(kept.coverage == history.coverage)
        #expect(kept.unsupported == history.unsupported)
        #expect((kept.today, kept.readAt) == (history.today, history.readAt))
        #expect(kept.secondsFromUTC == history.secondsFromUTC)

        let known = try #require(try store.ring(ring.identity))
        #expect(known.name == ring.name)
        #expect(known.firmware == ring.firmware?.description)
        #expect(known.hardware == ring.hardware?.description)
        #expect(known.clocks == ring.clocks && !known.clocks.isEmpty)
        #expect(try store.rings() == [known])

        // A second time, nothing changes but the list of reads.
        #expect(try store.add(read).isEmpty)
        #expect(try store.history(of: ring.identity) == kept)
        #expect(try Self.count(store, "SELECT count(*) FROM battery") == 2)
    }

    @Test func aPartOfTheDaysComesBack() throws {
        var history = Self.history(readAt: Self.time(9, 12))
        for day in 1...9 {
            history[.heartRate].append(Self.sample(Self.time(day, 9), 60 + day))
            history[.temperature].append(Self.sample(Self.time(day), 30 + Double(day) / 4))
            history.coverage[.heartRate, Self.time(day).date] = .read
            history[.sleep].append(
                SleepRecord(
                    isNap: false, start: Self.time(day, -1), end: Self.time(day, 7),
                    stages: [Self.sample(Self.time(day, -1), .deep, minutes: 480)],
                    secondsFromUTC: 3600))
        }
        history.coverage[.bloodOxygen, Self.time(9).date] = .unsupported
        try store.add(HealthRead(Self.ring, history))
        let part = try #require(
            try store.history(
                of: Self.ring, since: Self.time(3).date, through: Self.time(5).date))
        #expect(part[.heartRate].map(\.value) == [63, 64, 65])
        #expect(part[.temperature].map(\.value) == [30.75, 31, 31.25])
        #expect(part[.sleep].map(\.end) == [3, 4, 5].map { Self.time($0, 7) })
        #expect(part.coverage.days.map(\.date) == [3, 4, 5].map { Self.time($0).date })
        #expect(part.unsupported.isEmpty && part.today == Self.time(9).date)
        let all = try #require(try store.history(of: Self.ring))
        #expect(all[.heartRate].count == 9 && all.unsupported == [.bloodOxygen])
        #expect(try store.days(of: Self.ring) == Self.time(1).date...Self.time(9).date)
        #expect(try store.history(of: Self.other) == nil)
        #expect(try store.days(of: Self.other) == nil)
        #expect(try store.ring(Self.other) == nil)
    }

    // MARK: Merging

    /// A dictionary has another order in each program.
    @Test func changesPrintInTheOrderOfKinds() throws {
        var history = RingHistory.sample
        let first = try store.add(HealthRead(Self.ring, history))
        let order = HistoryKind.allCases.filter { first.added[$0] != nil }
        let parts = "\(first)".components(separatedBy: "; ")
        #expect(order.count > 5 && parts.count == order.count)
        for (kind, part) in zip(order, parts) {
            #expect(part == "\(kind): \(first.added[kind] ?? 0) new")
        }
        #expect("\(try store.add(HealthRead(Self.ring, history)))" == "nothing new")
        history[.heartRate] = [Self.sample(Self.time(1, 9), 60)]
        try store.add(HealthRead(Self.other, history))
        history[.heartRate] = [Self.sample(Self.time(1, 9), 61), Self.sample(Self.time(1, 10), 62)]
        var read = HealthRead(Self.other, history)
        read.settings = [.wearerHeightCentimetres: 170]
        #expect("\(try store.add(read))" == "heart rate: 1 new, 1 corrected")
        read.settings = [.wearerHeightCentimetres: 190]
        #expect("\(try store.add(read))".hasPrefix("nothing new; the profile in the ring is of"))
    }

    @Test func aCorrectedValueIsKeptAsReplaced() throws {
        func add(_ value: Int, readAt hour: Int) throws -> HealthChanges {
            var history = Self.history(readAt: Self.time(1, hour))
            history[.heartRate] = [Self.sample(Self.time(1, 9), value)]
            return try store.add(HealthRead(Self.ring, history))
        }
        #expect(try add(60, readAt: 10).added == [.heartRate: 1])
        let changes = try add(70, readAt: 12)
        #expect(changes.replaced == [.heartRate: 1] && !changes.isEmpty)
        // An earlier read that is added later changes nothing.
        #expect(try add(65, readAt: 11).isEmpty)
        #expect(try store.history(of: Self.ring)?.heartRates.map(\.value) == [70])
        let old = try Self.count(store, "SELECT value FROM sample WHERE replaced_by = 2")
        #expect(old == .real(60))
        #expect(try Self.count(store, "SELECT count(*) FROM heart_rate") == 1)
        // And once more, in the other direction.
        #expect(try add(60, readAt: 14).replaced == [.heartRate: 1])
        #expect(try Self.count(store, "SELECT count(*) FROM sample") == 3)
        #expect(try Self.count(store, "SELECT max(version) FROM sample") == 2)
    }

    /// Two reads of one second are in the order in which they are added.
    @Test func theLaterAdditionOfOneTimeCounts() throws {
        for (number, value) in [60, 61].enumerated() {
            var history = Self.history(readAt: Self.time(1, 12))
            history[.heartRate] = [Self.sample(Self.time(1, 9), value)]
            try store.add(HealthRead(Self.ring, name: "R10_000\(number)", history))
        }
        #expect(try store.history(of: Self.ring)?.heartRates.map(\.value) == [61])
        #expect(try store.ring(Self.ring)?.name == "R10_0001")
        // The name and the clocks of an earlier read are older.
        var earlier = HealthRead(
            Self.ring, name: "R10_0002", Self.history(readAt: Self.time(1, 11)))
        earlier.clocks = [RingClock(secondsFromUTC: 3600, wasSet: true)]
        try store.add(earlier)
        let known = try #require(try store.ring(Self.ring))
        #expect(known.name == "R10_0001" && known.clocks == [])
    }

    /// A journey to the west sets the clock back: the later read shows an earlier time.
    @Test func readsAreOrderedInUTC() throws {
        func add(_ value: Int, readAt hour: Int, from seconds: Int) throws -> HealthChanges {
            let time = Self.time(1, hour)
            var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: seconds)
            history[.heartRate] = [Self.sample(Self.time(1, 2), value)]
            return try store.add(HealthRead(Self.ring, history))
        }
        #expect(try add(60, readAt: 14, from: 0).added == [.heartRate: 1])
        #expect(try add(70, readAt: 8, from: -8 * 3600).replaced == [.heartRate: 1])
        #expect(try store.ring(Self.ring)?.lastRead == Self.time(1, 8))
        #expect(try store.history(of: Self.ring)?.secondsFromUTC == -8 * 3600)
        #expect(try add(65, readAt: 15, from: 0).isEmpty)
        #expect(try store.history(of: Self.ring)?.heartRates.map(\.value) == [70])
    }

    /// A read whose offset is not known is taken for one of the same zone as that before it.
    @Test func readsWithoutAnOffsetAreOrdered() throws {
        func add(_ value: Int, readAt hour: Int, from seconds: Int?) throws -> HealthChanges {
            let time = Self.time(1, hour)
            var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: seconds)
            history[.stress] = [Self.sample(Self.time(1, 2), value, from: nil)]
            return try store.add(HealthRead(Self.ring, history))
        }
        #expect(try add(40, readAt: 11, from: 36_000).added == [.stress: 1])
        #expect(try add(41, readAt: 12, from: nil).replaced == [.stress: 1])
        #expect(try add(42, readAt: 13, from: 36_000).replaced == [.stress: 1])
        #expect(try store.ring(Self.ring)?.lastRead == Self.time(1, 13))
        // Without a read before it, it is taken for one in UTC.
        let history = RingHistory(today: Self.time(1).date, readAt: Self.time(1, 12))
        try store.add(HealthRead(Self.other, history))
        #expect(try store.ring(Self.other)?.instant == Self.time(1, 12).seconds)
    }

    /// What an app has read of one kind says nothing about the days of another.
    @Test func theNextDayIsThatOfAllKinds() throws {
        func add(_ kinds: [HistoryKind], _ day: Int) throws {
            var history = Self.history(readAt: Self.time(day, 12))
            for kind in kinds { history.coverage[kind, Self.time(day).date] = .read }
            history.coverage[.bloodOxygen, Self.time(day).date] = .unsupported
            try store.add(HealthRead(Self.ring, history))
        }
        // Without a kind that was read, the day before the read.
        try add([], 10)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(9).date)
        try add([.heartRate, .sleep], 10)
        try add([.sleep], 13)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(9).date)
        try add([.sleep], 20)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(14).date)
        try add([.heartRate, .sleep], 21)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(20).date)
    }

    /// The Python client keeps one value where two rings have one of the same time.
    @Test func ringsWithValuesOfTheSameTimesAreKeptApart() throws {
        var history = Self.history(readAt: Self.time(1, 12))
        history[.heartRate] = [Self.sample(Self.time(1, 9), 60)]
        history[.activity] = [
            Self.sample(Self.time(1, 9), ActivityAmount(steps: 9, metres: 6, kilocalories: 1.5))
        ]
        try store.add(HealthRead(Self.ring, name: "R10_0001", history))
        history[.heartRate] = [Self.sample(Self.time(1, 9), 90)]
        let changes = try store.add(HealthRead(Self.other, name: "R10_0002", history))
        #expect(changes.added == [.heartRate: 1, .activity: 1] && changes.replaced.isEmpty)
        #expect(try store.history(of: Self.ring)?.heartRates.map(\.value) == [60])
        #expect(try store.history(of: Self.other)?.heartRates.map(\.value) == [90])
        #expect(try Self.count(store, "SELECT count(*) FROM heart_rates") == 2)
        #expect(try Self.count(store, "SELECT count(*) FROM rings") == 2)
        let row = try Self.count(
            store,
            """
            SELECT timestamp || ' ' || steps || ' ' || distance || ' ' || calories
            FROM sport_details WHERE ring_id = 2
            """)
        #expect(row == "2026-01-01 08:00:00.000000 9 6 1500")
    }

    @Test func anHourThatComesTwiceHasTwoValues() throws {
        var history = Self.history(readAt: Self.time(1, 12))
        history[.heartRate] = [
            Self.sample(Self.time(1, 2, 30), 50, from: 7200),
            Self.sample(Self.time(1, 2, 30), 55, from: 3600),
        ]
        try store.add(HealthRead(Self.ring, history))
        #expect(try store.add(HealthRead(Self.ring, history)).isEmpty)
        let kept = try #require(try store.history(of: Self.ring))
        #expect(kept[.heartRate] == history[.heartRate])
        // The later value of the two is added first.
        history[.heartRate].reverse()
        try store.add(HealthRead(Self.other, history))
        #expect(try store.history(of: Self.other)?.heartRates == kept[.heartRate])
    }

    @Test func anOffsetThatBecomesKnownIsNoOtherValue() throws {
        var history = Self.history(readAt: Self.time(1, 12))
        history[.stress] = [Self.sample(Self.time(1, 9), 40, from: nil)]
        try store.add(HealthRead(Self.ring, history))
        var later = Self.history(readAt: Self.time(1, 13))
        later[.stress] = [Self.sample(Self.time(1, 9), 40)]
        #expect(try store.add(HealthRead(Self.ring, later)).isEmpty)
        #expect(try store.history(of: Self.ring)?.stress == later[.stress])
        // It stays known.
        #expect(try store.add(HealthRead(Self.ring, history)).isEmpty)
        var last = Self.history(readAt: Self.time(1, 14))
        last.stress = [Self.sample(Self.time(1, 9), 41, from: nil)]
        #expect(try store.add(HealthRead(Self.ring, last)).replaced == [.stress: 1])
        #expect(
            try store.history(of: Self.ring)?.stress == [Self.sample(Self.time(1, 9), 41)])
    }

    @Test func aNightGrows() throws {
        func night(
            _ start: CivilDateTime, _ minutes: [Int], _ stages: [SleepRecord.Stage]
        ) -> SleepRecord {
            var time = start
            let stages = zip(minutes, stages).map { minutes, stage in
                defer { time = time.advanced(bySeconds: minutes * 60) }
                return Self.sample(time, stage, minutes: minutes)
            }
            return SleepRecord(
                isNap: false, start: start, end: time, stages: stages, secondsFromUTC: 3600)
        }
        func add(_ nights: [SleepRecord], readAt hour: Int) throws -> HealthChanges {
            var history = Self.history(readAt: Self.time(2, hour))
            history[.sleep] = nights
            return try store.add(HealthRead(Self.ring, history))
        }
        let first = night(Self.time(1, 23), [60, 90], [.light, .deep])
        let whole = night(Self.time(1, 23), [60, 90, 20, 200], [.light, .deep, .awake, .light])
        let otherStages = night(
            Self.time(1, 23), [60, 90, 20, 200], [.light, .rem, .awake, .light])
        #expect(try add([first], readAt: 2).added == [.sleep: 1])
        #expect(try add([whole], readAt: 7).replaced == [.sleep: 1])
        #expect(try add([whole], readAt: 8).isEmpty)
        #expect(try add([first], readAt: 3).isEmpty)
        #expect(try store.history(of: Self.ring)?.sleep == [whole])
        #expect(try add([otherStages], readAt: 9).replaced == [.sleep: 1])
        #expect(try store.history(of: Self.ring)?.sleep == [otherStages])
        // Two halves take the place of one night, and one night that of two halves.
        let halves = [
            night(Self.time(1, 23), [150], [.light]), night(Self.time(2, 2), [180], [.deep]),
        ]
        #expect(try add(halves, readAt: 10).replaced[.sleep] == 1)
        #expect(try store.history(of: Self.ring)?.sleep == halves)
        #expect(try add([whole], readAt: 11).replaced == [.sleep: 1])
        #expect(try store.history(of: Self.ring)?.sleep == [whole])
        let minutes = try Self.count(
            store, "SELECT minutes_asleep || ' ' || minutes_awake || ' ' || day FROM sleep")
        #expect(minutes == "350 20 2026-01-02")
    }

    /// A zone that is assumed later gives nights and workouts their time in UTC, and corrects none.
    @Test func offsetsBecomeKnown() throws {
        func read(_ offset: Int?, _ hour: Int) -> HealthRead {
            var history = Self.history(readAt: Self.time(2, hour))
            history[.sleep] = [
                SleepRecord(
                    isNap: true, start: Self.time(2, 1), end: Self.time(2, 1),
                    stages: [Self.sample(Self.time(2, 1), .deep, minutes: 0, from: offset)],
                    secondsFromUTC: offset)
            ]
            history[.workouts] = [
                WorkoutRecord(key: Self.time(2, 2), start: Self.time(2, 2), secondsFromUTC: offset)
            ]
            return HealthRead(Self.ring, history)
        }
        #expect(try store.add(read(nil, 3)).added == [.sleep: 1, .workouts: 1])
        for offset in [3600, nil] {
            #expect(try store.add(read(offset, 4)).isEmpty)
            let kept = try #require(try store.history(of: Self.ring))
            #expect(kept[.sleep].first?.secondsFromUTC == 3600)
            #expect(kept[.sleep].first?.stages.first?.secondsFromUTC == 3600)
            #expect(kept[.workouts].map(\.secondsFromUTC) == [3600])
        }
    }

    /// Two workouts with one key, or without any, are those of a read.
    @Test func workoutsOfOneReadDoNotReplaceEachOther() throws {
        var history = Self.history(readAt: Self.time(2, 12))
        history[.workouts] = [5, 6].map { WorkoutRecord(steps: $0) }
        #expect(try store.add(HealthRead(Self.ring, history)).added == [.workouts: 2])
        #expect(try store.add(HealthRead(Self.ring, history)).isEmpty)
        // Nor does a new one replace one that was known, and is read again.
        history[.workouts] = [WorkoutRecord(steps: 5)]
        try store.add(HealthRead(Self.other, history))
        history[.workouts].append(WorkoutRecord(steps: 6))
        let changes = try store.add(HealthRead(Self.other, history))
        #expect(changes.added == [.workouts: 1] && changes.replaced.isEmpty)
    }

    /// Rings were not seen to send nights that overlap; a virtual one does after a journey.
    @Test func nightsOfOneReadDoNotReplaceEachOther() throws {
        var history = Self.history(readAt: Self.time(2, 12))
        history[.sleep] = [(22, 6), (23, 7)].map { first, last in
            SleepRecord(
                isNap: false, start: Self.time(1, first), end: Self.time(2, last),
                stages: [Self.sample(Self.time(1, first), .deep, minutes: 480)],
                secondsFromUTC: 3600)
        }
        #expect(try store.add(HealthRead(Self.ring, history)).added == [.sleep: 2])
        #expect(try store.add(HealthRead(Self.ring, history)).isEmpty)
        #expect(try store.history(of: Self.ring)?.sleep == history[.sleep])
        // Nor does a new one replace one that was known, and is read again.
        let nights = history[.sleep]
        history[.sleep].removeLast()
        try store.add(HealthRead(Self.other, history))
        history[.sleep] = nights
        let changes = try store.add(HealthRead(Self.other, history))
        #expect(changes.added == [.sleep: 1] && changes.replaced.isEmpty)
        #expect(try store.history(of: Self.other)?.sleep == nights)
    }

    /// A nap that begins when the night ends, read later without the night, is another sleep.
    @Test func sleepThatAdjoinsIsNoPartOfANight() throws {
        for (hours, readAt) in [(0...7, 12), (7...8, 13)] {
            var history = Self.history(readAt: Self.time(2, readAt))
            history[.sleep] = [
                SleepRecord(
                    isNap: readAt == 13, start: Self.time(2, hours.lowerBound),
                    end: Self.time(2, hours.upperBound), stages: [], secondsFromUTC: 3600)
            ]
            let changes = try store.add(HealthRead(Self.ring, history))
            #expect(changes.added == [.sleep: 1] && changes.replaced.isEmpty)
        }
        #expect(try store.history(of: Self.ring)?.sleep.map(\.isNap) == [false, true])
    }

    /// A ring sends a night by two clocks, before and after a journey.
    @Test func aNightOfTwoClocksIsOne() throws {
        var history = Self.history(readAt: Self.time(2, 23))
        history[.sleep] = [
            SleepRecord(
                isNap: false, start: Self.time(1, 22), end: Self.time(2, 6),
                stages: [Self.sample(Self.time(1, 22), .deep, minutes: 480)])
        ]
        var before = history
        before.clockShift = ClockShift(days: -1, lowestSeconds: -18_000, highestSeconds: -18_000)
        var read = HealthRead(Self.ring, history)
        read.historyBeforeClockChange = before
        #expect(try store.add(read).added == [.sleep: 1])
        #expect(try store.add(read).added == [:])
    }

    @Test func aWorkoutIsKnownByItsKey() throws {
        func add(_ workout: WorkoutRecord, readAt hour: Int) throws -> HealthChanges {
            var history = Self.history(readAt: Self.time(1, hour))
            history[.workouts] = [workout]
            return try store.add(HealthRead(Self.ring, history))
        }
        let key = Self.time(1, 1)
        let short = WorkoutRecord(
            sport: .run, key: key, start: Self.time(1, 9), secondsFromUTC: 3600,
            duration: .seconds(600), metres: 1500, kilocalories: 90.5, steps: 1800,
            averageBeatsPerMinute: 120, lowestBeatsPerMinute: 80, highestBeatsPerMinute: 150)
        let whole = WorkoutRecord(
            sport: .run, key: key, start: Self.time(1, 9), duration: .seconds(1200), metres: 3000)
        #expect(try add(short, readAt: 10).added == [.workouts: 1])
        #expect(try store.history(of: Self.ring)?.workouts == [short])
        #expect(try add(whole, readAt: 11).replaced == [.workouts: 1])
        #expect(try add(short, readAt: 10).isEmpty)
        let kept = try #require(try store.history(of: Self.ring)?.workouts)
        #expect(kept.map(\.metres) == [3000] && kept.map(\.steps) == [nil])
        // The offset that was known stays known.
        #expect(kept.map(\.secondsFromUTC) == [3600])
        #expect(try add(WorkoutRecord(sport: nil), readAt: 12).added == [.workouts: 1])
        #expect(try add(WorkoutRecord(sport: nil), readAt: 13).isEmpty)
    }

    @Test func totalsGrow() throws {
        func add(_ steps: Int, readAt hour: Int) throws {
            var history = Self.history(readAt: Self.time(1, hour))
            history.totals = ActivityTotals(
                steps: steps, runningSteps: 0, metres: steps, kilocalories: 1.5,
                activeTime: .seconds(120))
            try store.add(HealthRead(Self.ring, history))
        }
        try add(100, readAt: 9)
        try add(900, readAt: 18)
        try add(500, readAt: 12)
        #expect(try store.history(of: Self.ring)?.totals?.steps == 900)
        #expect(try store.history(of: Self.ring)?.totals?.activeTime == .seconds(120))
        #expect(try Self.count(store, "SELECT count(*) FROM total") == 1)
    }

    @Test func aReadThatIsNotCompleteIsMarked() throws {
        var history = Self.history(readAt: Self.time(5, 12))
        try store.add(HealthRead(Self.ring, history))
        #expect(try Self.count(store, "SELECT is_complete FROM sync WHERE id = 1") == 1)
        history.failures = [
            HistoryFailure(kind: .stress, daysAgo: 0, error: DeviceError(.timedOut))
        ]
        try store.add(HealthRead(Self.ring, history))
        #expect(try Self.count(store, "SELECT is_complete FROM sync WHERE id = 2") == 0)
    }

    @Test func numbersOfAFileAreLimited() {
        #expect(Double.nan.limited == 0 && Double.infinity.limited == 1_000_000_000)
        #expect((-Double.infinity).limited == -1_000_000_000)
        #expect(36.6.limited == 36.6)
    }

    /// Another program may leave a column empty that can be.
    @Test func aMissingSecondNumberIsNone() throws {
        var history = Self.history(readAt: Self.time(1, 12))
        history[.activity] = [Self.sample(Self.time(1, 9), ActivityAmount(steps: 9, metres: 6))]
        history[.bloodOxygen] = [
            Self.sample(Self.time(1, 9), BloodOxygenRange(lowestPercent: 95, highestPercent: 97))
        ]
        try store.add(HealthRead(Self.ring, history))
        try store.run("UPDATE sample SET second = NULL")
        let kept = try #require(try store.history(of: Self.ring))
        #expect(kept[.activity].map(\.value) == [ActivityAmount(steps: 9, metres: 0)])
        #expect(
            kept[.bloodOxygen].map(\.value) == [
                BloodOxygenRange(lowestPercent: 95, highestPercent: 95)
            ])
    }

    @Test func theBatteryComesBack() throws {
        let charges = [
            BatteryCharge(percent: -1), BatteryCharge(percent: 0, isCharging: true),
            BatteryCharge(percent: 50, isCharging: false), BatteryCharge(percent: 101),
        ]
        for (hour, charge) in charges.enumerated() {
            var read = HealthRead(Self.ring, Self.history(readAt: Self.time(1, hour)))
            read.battery = charge
            try store.add(read)
        }
        // A percentage of a file is from 0 to 100.
        let kept = [
            BatteryCharge(percent: 0), charges[1], charges[2], BatteryCharge(percent: 100),
        ]
        #expect(
            try store.battery(of: Self.ring)
                == kept.enumerated().map { hour, charge in
                    Self.sample(Self.time(1, hour), charge, minutes: 0)
                })
        #expect(try store.battery(of: Self.other) == [])
    }

    @Test func coverageRemembersWhatWasRead() throws {
        func add(_ outcome: HistoryCoverage.Outcome, readOn day: Int) throws {
            var history = Self.history(readAt: Self.time(day, 12))
            history.coverage[.stress, Self.time(8).date] = outcome
            try store.add(HealthRead(Self.ring, history))
        }
        func outcome() throws -> HistoryCoverage.Outcome? {
            try store.history(of: Self.ring)?.coverage[.stress, Self.time(8).date]
        }
        try add(.failed, readOn: 9)
        #expect(try outcome() == .failed)
        // The day that could not be read is asked for again, as long as a ring holds it.
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(8).date)
        try add(.failed, readOn: 14)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(8).date)
        try add(.failed, readOn: 15)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(14).date)
        try add(.read, readOn: 16)
        try add(.noData, readOn: 17)
        #expect(try outcome() == .read)
        // The days after the eighth were never read.
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(11).date)
        #expect(try store.ring(Self.ring)?.lastRead == Self.time(17, 12))
    }

    /// The outcomes of a read at an hour of the tenth, and of one added after it; what is known
    /// then of the eighth and of the tenth; and the first day of the next sync.
    private static let answers:
        [(
            first: (HistoryCoverage.Outcome, Int), second: (HistoryCoverage.Outcome, Int),
            kept: [HistoryCoverage.Outcome], nextDay: Int
        )] = [
            ((.failed, 12), (.noData, 13), [.noData, .noData], 9),
            ((.failed, 12), (.noData, 11), [.noData, .failed], 7),
            ((.noData, 12), (.failed, 13), [.noData, .failed], 7),
            ((.noData, 12), (.failed, 11), [.noData, .noData], 9),
            ((.failed, 12), (.unsupported, 11), [.failed, .failed], 8),
        ]

    /// A day that was over when the ring answered that it has nothing of it has not failed.
    @Test(arguments: answers.indices)
    func anAnswerCountsForADayThatWasOver(_ index: Int) throws {
        let (first, second, kept, nextDay) = Self.answers[index]
        let reads = [first, second].map { outcome, hour in
            var history = Self.history(readAt: Self.time(10, hour))
            for day in [8, 10] { history.coverage[.stress, Self.time(day).date] = outcome }
            return history
        }
        for read in reads { try store.add(HealthRead(Self.ring, read)) }
        var merged = reads[0]
        merged.merge(reads[1])
        for history in [merged, try #require(try store.history(of: Self.ring))] {
            #expect([8, 10].map { history.coverage[.stress, Self.time($0).date] } == kept)
        }
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(nextDay).date)
    }

    /// Of a day that was read while it was today, the rest can fail.
    @Test func theRestOfADayIsRequested() throws {
        func add(_ day: Int, _ hour: Int, _ outcomes: [Int: HistoryCoverage.Outcome]) throws {
            var history = Self.history(readAt: Self.time(day, hour))
            for (day, outcome) in outcomes {
                history.coverage[.heartRate, Self.time(day).date] = outcome
            }
            history.coverage[.totals, Self.time(day).date] = .read
            try store.add(HealthRead(Self.ring, history))
        }
        func outcome(_ day: Int) throws -> HistoryCoverage.Outcome? {
            try store.history(of: Self.ring)?.coverage[.heartRate, Self.time(day).date]
        }
        try add(10, 9, [9: .read, 10: .read])
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(9).date)
        try add(12, 9, [9: .failed, 10: .failed, 11: .read, 12: .read])
        #expect(try outcome(9) == .read && outcome(10) == .failed)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(10).date)
        try add(12, 10, [10: .read, 11: .read, 12: .read])
        #expect(try outcome(10) == .read)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(11).date)
        // A day whose rest was not requested, or is gone.
        try add(14, 9, [13: .read, 14: .read])
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(12).date)
        try add(15, 9, [12: .noData, 14: .read, 15: .read])
        #expect(try outcome(12) == .read)
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(14).date)
    }

    // MARK: Other clocks and wearers

    @Test func aClockThatIsSetBackIsNoticed() throws {
        func notices(_ time: CivilDateTime, from hours: Int?) throws -> [HealthChanges.Notice] {
            let history = RingHistory(
                today: time.date, readAt: time, secondsFromUTC: hours.map { $0 * 3600 })
            return try store.add(HealthRead(Self.ring, history)).notices
        }
        #expect(try notices(Self.time(10, 8), from: 5) == [])
        // The old clock would show 20 o'clock.
        let lost = try notices(Self.time(10, 10), from: -5)
        #expect(lost == [.clockWasSetBack(Self.time(10, 10)..<Self.time(10, 20))])
        #expect(
            "\(try #require(lost.first))".hasSuffix(
                "from \(Self.time(10, 10)) to \(Self.time(10, 20)) on the old clock, is left out"))
        #expect(try notices(Self.time(10, 11), from: -5) == [])
        // Set on, and back at once.
        #expect(try notices(Self.time(10, 22), from: 5) == [])
        #expect(try notices(Self.time(10, 12), from: -5) == [])
        // The last read was later than the new clock shows.
        #expect(try notices(Self.time(10, 20), from: 2) == [])
        #expect(
            try notices(Self.time(10, 19), from: 0)
                == [.clockWasSetBack(Self.time(10, 20)..<Self.time(10, 21))])
        #expect(try notices(Self.time(10, 20), from: nil) == [])
    }

    @Test func valuesOfAWrongClockAreMoved() throws {
        // As a ring gives it: the time of a clock that showed a wrong day is not known.
        var wrong = RingHistory(today: Self.time(13).date)
        wrong[.heartRate] = [
            Self.sample(Self.time(9, 10), 61, from: nil),
            Self.sample(Self.time(13, 11), 62, from: nil),
            Self.sample(Self.time(13, 23), 63, from: nil),
            Self.sample(Self.time(14), 64, from: nil),
        ]
        let shift = ClockShift(days: -3, lowestSeconds: -259_200, highestSeconds: -259_200)
        wrong.clockShift = shift
        for day in 8...13 { wrong.coverage[.heartRate, Self.time(day).date] = .read }
        var right = Self.history(readAt: Self.time(10, 8))
        right[.heartRate] = [Self.sample(Self.time(6, 10), 70), Self.sample(Self.time(10, 7), 71)]
        for day in 4...10 { right.coverage[.heartRate, Self.time(day).date] = .read }
        try store.add(HealthRead(Self.ring, right))

        var read = HealthRead(Self.ring, Self.history(readAt: Self.time(10, 18)))
        read.historyBeforeClockChange = wrong
        for day in 9...10 { read.history.coverage[.heartRate, Self.time(day).date] = .noData }
        read.capture = "#"
        let changes = try store.add(read)
        // 61 would be of the sixth, of which the right clock has stored another value. 63 and 64
        // are old values in slots that are still to come.
        #expect(changes.added == [.heartRate: 1] && changes.replaced.isEmpty)
        #expect(changes.notices.last == .clockWasWrong(shift))
        #expect(try store.add(read).isEmpty)
        let kept = try #require(try store.history(of: Self.ring)?.heartRates)
        #expect(kept.map(\.value) == [70, 71, 62])
        #expect(kept.last?.time == Self.time(10, 11))
        #expect(try store.ring(Self.ring)?.lastRead == Self.time(10, 18))
        // Decoded again, they are moved as before.
        let capture = try #require(try store.captures().first)
        wrong[.heartRate].append(Self.sample(Self.time(13, 12), 65, from: nil))
        #expect(
            try store.add(
                read.history, historyBeforeClockChange: wrong, decodedAgainFrom: capture
            ).added == [.heartRate: 1])
        let again = try #require(try store.history(of: Self.ring)?.heartRates)
        #expect(again.map(\.value) == [70, 71, 62, 65])
        #expect(again.last?.time == Self.time(10, 12))
        wrong[.heartRate].removeLast()
        // The days of the wrong clock count for none that was read, and for no reset.
        #expect(try store.ring(Self.ring)?.nextDay == Self.time(9).date)

        // Without a read after it, they are kept as well, until the end of the day.
        var other = HealthRead(Self.other, wrong)
        other.capture = "#"
        #expect(try store.add(other).added == [.heartRate: 3])
        #expect(try store.add(other).isEmpty)
        let theirs = try #require(try store.captures().first { $0.ring == Self.other })
        #expect(try store.add(wrong, decodedAgainFrom: theirs).isEmpty)
        #expect(
            try store.history(of: Self.other)?.heartRates.map(\.time)
                == [Self.time(6, 10), Self.time(10, 11), Self.time(10, 23)])
    }

    /// A wrong clock, as a virtual ring has it: read, moved, and then set.
    @Test func aRingWithAWrongClockLosesNothing() async throws {
        let air = VirtualBluetooth(
            seed: 5, startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: 9 * 3600))
        air.add(
            VirtualRing(
                .r10, wearer: Wearer(seed: 5), days: 3,
                options: VirtualRingOptions(seed: 5, anomalies: .clockAhead)))
        var options = RingOptions()
        options.keepBeforeClockChange = { [store] in try store.add(HealthRead($0)) }
        let ring = try await Ring.connect(over: air, options: options)
        let old = try #require(ring.historyBeforeClockChange)
        let history = try await ring.history()
        let changes = try store.add(HealthRead(ring, history))
        let days = try #require(old.clockShift).days
        let kept = try #require(try store.history(of: ring.identity))
        let moved = old.moved(byDays: days)
        let readAt = try #require(history.readAt)
        let wanted = moved[.heartRate].filter { $0.time <= readAt }
        #expect(wanted.count > 300 && wanted.contains { $0.time.date == readAt.date })
        #expect(Set(wanted.map(\.time)).isSubset(of: kept[.heartRate].map(\.time)))
        #expect(kept[.heartRate].allSatisfy { $0.time <= readAt })
        #expect(changes.notices.count == 1, "\(changes.notices)")
        // The next read of the day is no news: the ring was not reset, and its clock is right.
        let later = try store.add(HealthRead(ring, try await ring.history()))
        #expect(later.notices.isEmpty, "\(later.notices)")
    }

    /// A program that ends after it has kept what a wrong clock had stored tells nobody of it: the
    /// next read does, once.
    @Test func aWrongClockIsToldOfByTheNextRead() throws {
        let shift = ClockShift(days: -3, lowestSeconds: -259_200, highestSeconds: -259_200)
        func clock(wasSet: Bool) -> RingClock {
            RingClock(secondsFromUTC: 3600, wasSet: wasSet, since: Self.time(10, 8), shift: shift)
        }
        var wrong = HealthRead(Self.ring, RingHistory(today: Self.time(13).date))
        wrong.history.clockShift = shift
        wrong.clocks = [clock(wasSet: false)]
        #expect(try store.add(wrong).notices == [.clockWasWrong(shift)])
        var right = HealthRead(Self.ring, Self.history(readAt: Self.time(13, 9)))
        right.clocks = [clock(wasSet: true)]
        let notices = try (0..<3).map { _ in try store.add(right).notices }
        #expect(notices == [[.clockWasWrong(shift)], [], []])
        // A clock that was left alone, and right at the next read: its read has told of it.
        wrong.ring = Self.other
        wrong.clocks = [RingClock(secondsFromUTC: 3600, wasSet: true)]
        right.ring = Self.other
        #expect(try store.add(wrong).notices == [.clockWasWrong(shift)])
        #expect(try store.add(right).notices == [])
    }

    /// A clock that is ahead by less than the widest zones may have been right elsewhere.
    @Test func valuesOfAnotherZoneStayAsTheyAre() throws {
        var before = Self.history(readAt: Self.time(8, 3))
        before[.stress] = [Self.sample(Self.time(8, 2), 40, from: nil)]
        let shift = ClockShift(days: -1, lowestSeconds: -40_000, highestSeconds: -20_000)
        before.clockShift = shift
        var read = HealthRead(Self.ring, Self.history(readAt: Self.time(7, 20)))
        read.historyBeforeClockChange = before
        let changes = try store.add(read)
        #expect(changes.added == [.stress: 1] && changes.notices == [.clockMayBeOfOtherZone(shift)])
        #expect(changes.notices.first?.description.contains("in another time zone") == true)
        #expect(try store.history(of: Self.ring)?.stress.map(\.time) == [Self.time(8, 2)])
        #expect(try store.ring(Self.ring)?.lastRead == Self.time(7, 20))
    }

    /// With a known zone the clock was wrong. A zone that is only assumed, by a sync that leaves
    /// the clock, says nothing. What is decoded again later is where it was.
    @Test(arguments: [true, false]) func aKnownZoneIsNoOther(_ isKnown: Bool) throws {
        let shift = ClockShift(days: -1, lowestSeconds: -90_000, highestSeconds: -80_000)
        var before = Self.history(readAt: Self.time(8, 12))
        before[.stress] = [Self.sample(Self.time(8, 2), 40, from: nil)]
        before.clockShift = shift
        var read = HealthRead(Self.ring, Self.history(readAt: Self.time(7, 12)))
        read.historyBeforeClockChange = before
        read.clocks = [
            RingClock(secondsFromUTC: 3600, wasSet: isKnown),
            RingClock(secondsFromUTC: 3600, wasSet: true, since: Self.time(7, 11), shift: shift),
        ]
        read.capture = "#"
        let notices = try store.add(read).notices
        #expect(notices == [isKnown ? .clockWasWrong(shift) : .clockMayBeOfOtherZone(shift)])
        let time = Self.time(isKnown ? 7 : 8, 2)
        #expect(try store.history(of: Self.ring)?.stress.map(\.time) == [time])
        let capture = try #require(try store.captures().first)
        let again = try store.add(
            read.history, historyBeforeClockChange: before, decodedAgainFrom: capture)
        #expect(again.isEmpty, "\(again)")
    }

    @Test func valuesOfAWrongClockReplaceNone() throws {
        var right = Self.history(readAt: Self.time(7, 19))
        right[.stress] = [Self.sample(Self.time(7, 2), 50)]
        try store.add(HealthRead(Self.ring, right))
        var before = Self.history(readAt: Self.time(8, 3))
        before[.stress] = [Self.sample(Self.time(7, 2), 40, from: nil)]
        before.clockShift = ClockShift(days: -1, lowestSeconds: -40_000, highestSeconds: -20_000)
        var read = HealthRead(Self.ring, Self.history(readAt: Self.time(7, 20)))
        read.historyBeforeClockChange = before
        #expect(try store.add(read).isEmpty)
        #expect(try store.history(of: Self.ring)?.stress.map(\.value) == [50])
    }

    /// The seconds by which a clock of another zone may have been ahead: later slots have old
    /// values.
    @Test(arguments: [(-40_000, 40_000), (20_000, 0), (-300_000, 200_000)])
    func valuesOfAnotherZoneEndWithItsClock(_ lowestSeconds: Int, _ ahead: Int) throws {
        let readAt = Self.time(7, 20)
        let times = [
            CivilDateTime(secondsSince1970: 0), readAt.advanced(bySeconds: ahead),
            readAt.advanced(bySeconds: ahead + 1),
        ]
        var before = Self.history(readAt: Self.time(8, 3))
        before[.stress] = times.enumerated().map { index, time in
            Self.sample(time, 40 + index, from: nil)
        }
        before.clockShift = ClockShift(
            days: -1, lowestSeconds: lowestSeconds, highestSeconds: 40_000)
        var read = HealthRead(Self.ring, Self.history(readAt: readAt))
        read.historyBeforeClockChange = before
        try store.add(read)
        #expect(try store.history(of: Self.ring)?.stress.map(\.value) == [40, 41])
    }

    @Test func theLastKnownClocksComeBack() throws {
        let shift = ClockShift(days: -3, lowestSeconds: -259_300, highestSeconds: -259_100)
        let clocks = [
            RingClock(secondsFromUTC: 0, wasSet: false),
            RingClock(secondsFromUTC: 7200, wasSet: true, since: Self.time(3, 9), shift: shift),
            RingClock(secondsFromUTC: -3600, wasSet: true, since: Self.time(5, 9)),
        ]
        var read = HealthRead(Self.ring, Self.history(readAt: Self.time(6)))
        // A read that knows none leaves them.
        for (known, kept) in [(clocks, clocks), ([], clocks), ([clocks[2]], [clocks[2]])] {
            read.clocks = known
            try store.add(read)
            #expect(try store.ring(Self.ring)?.clocks == kept)
        }
    }

    @Test func aResetIsSaid() throws {
        var history = Self.history(readAt: Self.time(8, 12))
        for day in 4...8 {
            history[.stress].append(Self.sample(Self.time(day, 9), 30 + day, minutes: 30))
            history.coverage[.stress, Self.time(day).date] = .read
        }
        #expect(try store.add(HealthRead(Self.ring, history)).notices.isEmpty)
        var empty = Self.history(readAt: Self.time(8, 18))
        // The fourth is too long ago: some rings keep three days before today.
        for day in 4...8 { empty.coverage[.stress, Self.time(day).date] = .noData }
        empty[.stress] = [Self.sample(Self.time(8, 17), 40, minutes: 30)]
        let changes = try store.add(HealthRead(Self.ring, empty))
        #expect(changes.notices == [.wasReset(days: [5, 6, 7].map { Self.time($0).date })])
        #expect(
            changes.notices.map(\.description) == [
                """
                the ring no longer has values of 2026-01-05, 2026-01-06, 2026-01-07, which the \
                file keeps: it was reset, or another app has deleted its data
                """
            ])
        #expect(try store.history(of: Self.ring)?.stress.map(\.value) == [34, 35, 36, 37, 38, 40])
        // A request that has failed says nothing.
        var failed = Self.history(readAt: Self.time(8, 19))
        for day in 5...8 { failed.coverage[.stress, Self.time(day).date] = .failed }
        #expect(try store.add(HealthRead(Self.ring, failed)).notices.isEmpty)
        // Nor does a day of which some kind still has a value.
        empty[.heartRate] = [Self.sample(Self.time(6, 9), 60)]
        #expect(try store.add(HealthRead(Self.ring, empty)).notices.isEmpty)
    }

    /// A day counts by the kinds that it was asked for. A nap of today is none of a day before.
    @Test func aResetIsOfKindsThatHadValues() throws {
        var history = Self.history(readAt: Self.time(8, 12))
        // One of the last second of the sixth, and one of the seventh.
        history[.heartRate] = [
            Self.sample(Self.time(7).advanced(bySeconds: -1), 60),
            Self.sample(Self.time(7, 9), 61),
        ]
        try store.add(HealthRead(Self.ring, history))
        var empty = Self.history(readAt: Self.time(8, 18))
        empty.coverage[.heartRate, Self.time(6).date] = .noData
        empty.coverage[.stress, Self.time(7).date] = .read
        empty[.sleep] = [
            SleepRecord(
                isNap: true, start: Self.time(8, 13), end: Self.time(8, 14), stages: [],
                secondsFromUTC: 3600)
        ]
        let notices = try store.add(HealthRead(Self.ring, empty)).notices
        #expect(notices == [.wasReset(days: [Self.time(6).date])])
    }

    // MARK: Settings

    @Test func settingsAreKeptAsTheyWere() throws {
        func add(_ settings: [HealthSetting: Double], readAt hour: Int) throws {
            var read = HealthRead(Self.ring, Self.history(readAt: Self.time(5, hour)))
            read.settings = settings
            #expect(try store.add(read).notices.isEmpty)
        }
        func known() throws -> [HealthSetting: Double]? { try store.ring(Self.ring)?.settings }
        try add([.stressLog: 1, .goalSteps: 5000], readAt: 8)
        try add([.stressLog: 1, .goalSteps: 5000], readAt: 9)
        #expect(try Self.count(store, "SELECT count(*) FROM setting") == 2)
        // What the ring has not reported stays known.
        try add([.stressLog: 0], readAt: 12)
        #expect(try known() == [.stressLog: 0, .goalSteps: 5000])
        #expect(try known()?.logging == [.stress: false])
        // An earlier read, added late: it is compared with what was known then.
        try add([.stressLog: 1, .goalSteps: 7000], readAt: 10)
        #expect(try known() == [.stressLog: 0, .goalSteps: 7000])
        #expect(try Self.count(store, "SELECT count(*) FROM setting") == 4)
        // Two rings have their own.
        try store.add(HealthRead(Self.other, Self.history(readAt: Self.time(5, 13))))
        #expect(try store.ring(Self.other)?.settings == [:])
    }

    @Test(arguments: [RingProfile.r02, .r10, .r12])
    func aRingReportsItsSettings(_ profile: RingProfile) async throws {
        let air = VirtualBluetooth(seed: 7)
        air.add(VirtualRing(profile, days: 1))
        let ring = try await Ring.connect(over: air)
        let log = HeartRateLogging(isOn: true, interval: .minutes(20))
        try await ring.set(.heartRateLog, to: log)
        #expect(try await ring.healthSettings()[.wearerSex] == nil)
        try await ring.set(
            .wearer,
            to: WearerProfile(
                sex: .female, ageYears: 41, heightCentimetres: 165, weightKilograms: 60))
        try await ring.set(
            .goals,
            to: DailyGoals(
                steps: 9000, kilocalories: 400, metres: 5000, sport: .seconds(45 * 60),
                sleep: .seconds(420 * 60)))
        let settings = try await ring.healthSettings()
        #expect(settings[.heartRateLog] == 1 && settings[.heartRateLogMinutes] == 20)
        let goals: [HealthSetting: Double] = [
            .goalSteps: 9000, .goalKilocalories: 400, .goalMetres: 5000, .goalSportMinutes: 45,
            .goalSleepMinutes: 420,
        ]
        #expect(settings.filter { $0.key.rawValue.hasPrefix("goal") } == goals)
        let profile: [HealthSetting: Double] = [
            .wearerSex: 1, .wearerAgeYears: 41, .wearerHeightCentimetres: 165,
            .wearerWeightKilograms: 60,
        ]
        #expect(settings.filter { $0.key.rawValue.hasPrefix("wearer") } == profile)
        // A kind that the ring lacks has no setting, and neither has one that was not asked for.
        let hasStress = ring.capabilities.stress != false
        #expect((settings[.stressLog] != nil) == hasStress)
        if hasStress { try await ring.set(.stressLog, to: false) }
        let logs = try await ring.logSettings(of: [.stress])
        #expect(logs == (hasStress ? [.stressLog: 0] : [:]))
        #expect(logs.logging == (hasStress ? [.stress: false] : [:]))
    }

    @Test(arguments: [true, false])
    func aSwitchOfARingIsANumber(_ isOn: Bool) async throws {
        let air = VirtualBluetooth(seed: 7)
        air.add(VirtualRing(.r10, days: 1))
        let ring = try await Ring.connect(over: air)
        try await ring.set(
            .heartRateLog, to: HeartRateLogging(isOn: isOn, interval: .minutes(20)))
        try await ring.set(.bloodOxygenLog, to: BloodOxygenLogging(isOn: isOn))
        for setting in [RingSetting.stressLog, .heartRateVariabilityLog, .temperatureLog] {
            try await ring.set(setting, to: isOn)
        }
        let settings = try await ring.healthSettings()
        let number: Double = isOn ? 1 : 0
        let logs: [HealthSetting: Double] = [
            .heartRateLog: number, .heartRateLogMinutes: 20, .heartRateVariabilityLog: number,
            .stressLog: number, .bloodOxygenLog: number, .bloodOxygenLogMinutes: 30,
            .temperatureLog: number,
        ]
        #expect(settings.filter { $0.key.rawValue.contains("_log") } == logs)
        let logging: [HistoryKind: Bool] = [
            .heartRate: isOn, .heartRateVariability: isOn, .stress: isOn, .bloodOxygen: isOn,
            .temperature: isOn,
        ]
        #expect(settings.logging == logging)
        // No setting is reported without a link, and that is an error.
        await ring.disconnect()
        await #expect(throws: DeviceError.self) { _ = try await ring.healthSettings() }
    }

    @Test(
        arguments: [
            ([.wearerSex: 0, .wearerHeightCentimetres: 180, .wearerAgeYears: 41], false),
            ([.wearerSex: 0, .wearerHeightCentimetres: 177, .wearerAgeYears: 40], false),
            ([.wearerSex: 0, .wearerHeightCentimetres: 176, .wearerAgeYears: 40], true),
            ([.wearerSex: 1, .wearerHeightCentimetres: 180, .wearerAgeYears: 40], true),
            ([.wearerSex: 0, .wearerHeightCentimetres: 180, .wearerAgeYears: 39], true),
            // What is not reported is nothing else.
            ([.wearerHeightCentimetres: 180, .wearerAgeYears: 40], false),
            ([.wearerSex: 0, .wearerHeightCentimetres: 180], false),
            ([.wearerSex: 0, .wearerHeightCentimetres: 180, .wearerAgeYears: 0], false),
            // Zeros, and no profile at all, are of nobody.
            ([.wearerSex: 0, .wearerHeightCentimetres: 0, .wearerAgeYears: 0], false), ([:], false),
        ] as [([HealthSetting: Double], Bool)])
    func anotherWearerIsSaid(_ profile: [HealthSetting: Double], _ isOther: Bool) throws {
        func add(_ settings: [HealthSetting: Double], readAt hour: Int) throws
            -> [HealthChanges.Notice]
        {
            var read = HealthRead(Self.ring, Self.history(readAt: Self.time(5, hour)))
            read.settings = settings
            return try store.add(read).notices
        }
        let own: [HealthSetting: Double] = [
            .wearerSex: 0, .wearerHeightCentimetres: 180, .wearerAgeYears: 40,
        ]
        #expect(try add(own, readAt: 8) == [])
        let notices = try add(profile, readAt: 9)
        #expect(notices == (isOther ? [.otherWearer] : []))
        #expect(notices.allSatisfy { "\($0)".contains("give each person a file") })
        // Once said, it is known.
        #expect(try add(profile, readAt: 10) == [])
        // A read of before says nothing.
        #expect(try add(own, readAt: 7) == [])
        // Nobody before is nobody else.
        let isNobody = profile[.wearerHeightCentimetres] ?? 0 == 0
        if isNobody { #expect(try add(own, readAt: 11) == []) }
    }

    @Test func answersAreKeptAsACapture() throws {
        var read = HealthRead(Self.ring, Self.history(readAt: Self.time(1, 12)))
        read.capture = "halo-capture 2\n"
        for day in 0...1 { read.history.coverage[.stress, Self.time(day).date] = .read }
        try store.add(read)
        read.capture = nil
        try store.add(read)
        #expect(
            try Self.count(store, "SELECT sync || capture FROM answer") == "1halo-capture 2\n")
        #expect(try Self.count(store, "SELECT count(*) FROM answer") == 1)
        #expect(try store.captures().map(\.firstDay) == [Self.time(0).date])
    }

    /// Rings count in thousandths; sums of decimals would have more.
    @Test func theEnergyOfADayIsInThousandths() throws {
        var history = Self.history(readAt: Self.time(1, 12))
        history[.activity] = [0.1, 0.2].enumerated().map { hour, energy in
            Self.sample(
                Self.time(1, hour), ActivityAmount(steps: 1, metres: 1, kilocalories: energy))
        }
        try store.add(HealthRead(Self.ring, history))
        #expect(try Self.count(store, "SELECT kilocalories = 0.3 FROM day") == 1)
    }

    /// What a later version decodes takes the place of what came from the same capture.
    @Test func aCaptureIsDecodedAgain() throws {
        let night = SleepRecord(
            isNap: false, start: Self.time(1, 1), end: Self.time(1, 2),
            stages: [Self.sample(Self.time(1, 1), .deep, minutes: 60)], secondsFromUTC: 3600)
        let workout = WorkoutRecord(key: Self.time(1, 9), start: Self.time(1, 9), steps: 10)
        func read(at hour: Int, _ stress: [Int]) -> HealthRead {
            var history = Self.history(readAt: Self.time(1, hour))
            history[.stress] = stress.enumerated().map { Self.sample(Self.time(1, $0), $1) }
            if hour == 10 { (history[.sleep], history[.workouts]) = ([night], [workout]) }
            var read = HealthRead(Self.ring, history)
            read.capture = "# \(hour)"
            return read
        }
        try store.add(read(at: 10, [40, 41]))
        try store.add(read(at: 12, [40, 42, 43]))
        let captures = try store.captures()
        #expect(captures.map(\.readAt) == [Self.time(1, 10), Self.time(1, 12)])
        #expect(captures.map(\.ring) == [Self.ring, Self.ring])
        #expect(try captures.map { try store.text(of: $0) } == ["# 10", "# 12"])

        // 42 comes from the second read, 40 and the night from the first.
        var again = read(at: 10, [50, 51]).history
        again[.stress].append(Self.sample(Self.time(1, 5), 60))
        again[.sleep] = [
            SleepRecord(
                isNap: true, start: night.start, end: night.end, stages: night.stages,
                secondsFromUTC: 3600)
        ]
        again[.workouts] = [WorkoutRecord(key: workout.key, start: workout.start, steps: 11)]
        again.coverage[.stress, Self.time(1).date] = .read
        let changes = try store.add(again, decodedAgainFrom: captures[0])
        #expect(changes.replaced == [.stress: 1, .sleep: 1, .workouts: 1])
        #expect(changes.added == [.stress: 1])
        let kept = try #require(try store.history(of: Self.ring))
        #expect(kept[.stress].map(\.value) == [50, 42, 43, 60])
        #expect(kept[.sleep].map(\.isNap) == [true] && kept[.workouts].map(\.steps) == [11])
        #expect(kept.coverage[.stress, Self.time(1).date] == .read)
        #expect(try store.add(again, decodedAgainFrom: captures[0]).isEmpty)
        #expect(try Self.count(store, "SELECT count(*) FROM sync") == 2)
        var later = read(at: 10, []).history
        later[.sleep] = [night]
        later[.workouts] = [workout]
        // The second read has neither, and takes nothing from the first.
        #expect(try store.add(later, decodedAgainFrom: captures[1]).isEmpty)
        let none = HealthCapture(number: 9, ring: Self.ring, readAt: Self.time(1), firstDay: nil)
        #expect(try store.add(again, decodedAgainFrom: none).isEmpty)
        #expect(try store.text(of: none) == nil)
    }

    /// A database and a value in memory agree, whatever is added to both in whichever order.
    @Test(arguments: 0..<100) func aStoreMergesAsAHistory(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var kept: RingHistory?
        for _ in 0..<10 {
            let history = Self.randomHistory(&random)
            try store.add(HealthRead(Self.ring, history))
            if kept?.merge(history) == nil { kept = history }
            let stored = try #require(try store.history(of: Self.ring))
            #expect(stored[.heartRate] == kept?[.heartRate])
            #expect(stored[.bloodOxygen] == kept?[.bloodOxygen])
            #expect(stored[.temperature] == kept?[.temperature])
            #expect(stored[.activity] == kept?[.activity])
            #expect(stored.coverage == kept?.coverage)
        }
    }

    /// A history of some of the slots of two days, read at any time of the third.
    private static func randomHistory(_ random: inout SplitMix) -> RingHistory {
        // Hardly two reads begin in the same second: of those, the order of adding would count.
        let readAt = time(3).advanced(bySeconds: Int(random.next() % 86_400_000) / 1000)
        var history = history(readAt: readAt)
        func slots<Value>(_ value: (Int) -> Value) -> [TimedSample<Value>] {
            (0..<8).compactMap { slot in
                random.next() % 3 == 0
                    ? nil
                    : sample(
                        time(1 + slot / 4, slot % 4), value(Int(random.next() % 3)), minutes: 60)
            }
        }
        history[.heartRate] = slots { 60 + $0 }
        history[.bloodOxygen] = slots {
            BloodOxygenRange(lowestPercent: 90 + $0, highestPercent: 97 + $0)
        }
        history[.temperature] = slots { 36 + Double($0) / 10 }
        history[.activity] = slots { ActivityAmount(steps: $0, metres: 2 * $0, kilocalories: nil) }
        for day in 1...2 where random.next() % 2 == 0 {
            let outcomes: [HistoryCoverage.Outcome] = [.read, .noData, .failed, .unsupported]
            history.coverage[.heartRate, time(day).date] = outcomes[Int(random.next() % 4)]
        }
        return history
    }

    // MARK: The Python client

    /// The tables of `colmi_r02_client`, as its models declare them, made by the test itself.
    private static let clientTables: [StaticString] = [
        "CREATE TABLE rings (ring_id INTEGER PRIMARY KEY, address VARCHAR UNIQUE)",
        """
        CREATE TABLE syncs (sync_id INTEGER PRIMARY KEY, ring_id INTEGER, timestamp DATETIME,
            comment VARCHAR)
        """,
        """
        CREATE TABLE heart_rates (heart_rate_id INTEGER PRIMARY KEY, reading INTEGER,
            timestamp DATETIME, ring_id INTEGER, sync_id INTEGER)
        """,
    ]

    private func clientFile() throws -> SQLiteConnection {
        let library = try #require(SQLiteLibrary.system)
        let database = try SQLiteConnection(try folder.file("client"), path: "", .writing, library)
        for statement in Self.clientTables { try database.run(statement) }
        return database
    }

    @Test func aFileOfThePythonClientIsImported() throws {
        let client = try clientFile()
        try client.run(
            """
            INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C'), (2, '70:CB:0D:D0:34:1D'), (3, NULL)
            """)
        try client.run(
            "INSERT INTO syncs VALUES (1, 1, '2026-01-02 10:00:00.250000', NULL), (2, 2, 'x', 'y')")
        try client.run(
            """
            INSERT INTO heart_rates VALUES
                (1, 60, '2026-01-01 08:00:00.000000', 1, 1),
                (2, 61, '2026-01-01 08:05:00.000000', 1, 1),
                (3, 0, '2026-01-01 08:10:00.000000', 1, 1),
                (4, 70, 'no time', 1, 1), (5, NULL, '2026-01-01 08:15:00.000000', 1, 1),
                (6, 90, '2026-01-01 08:00:00.000000', 2, 2),
                (7, 90, '1901-01-01 08:00:00.000000', 2, 2),
                (8, 5000, '2026-01-01 08:20:00.000000', 2, 2)
            """)
        let changes = try store.addClientFile(at: folder.path("client"))
        #expect(changes.added == [.heartRate: 3])
        #expect(changes.notices == [.rowsWereLeftOut(4)])
        #expect("\(changes.notices[0])".hasPrefix("4 rows were left out: "))
        let kept = try #require(try store.history(of: Self.ring))
        #expect(
            kept[.heartRate] == [
                Self.sample(Self.time(1, 8), 60, from: 0),
                Self.sample(Self.time(1, 8, 5), 61, from: 0),
            ])
        #expect(kept.readAt == Self.time(2, 10) && kept.secondsFromUTC == 0)
        // A ring without a usable time of a sync was read when its last value was.
        #expect(try store.history(of: Self.other)?.heartRates.map(\.value) == [90])
        #expect(try store.ring(Self.other)?.lastRead == Self.time(1, 8))
        #expect(try store.addClientFile(at: folder.path("client")).isEmpty)

        // What comes out in the client's views is what went in.
        let database = try QueriedDatabase(folder.database)
        let rows = try database.rows(
            "SELECT reading, timestamp FROM heart_rates WHERE ring_id = 1 ORDER BY timestamp")
        #expect(
            rows == [
                ["60", "2026-01-01 08:00:00.000000"], ["61", "2026-01-01 08:05:00.000000"],
            ])
    }

    /// Later versions of the client have steps as well.
    @Test func theClientsStepsAreImported() throws {
        let client = try clientFile()
        try client.run("INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C')")
        try client.run(
            """
            CREATE TABLE sport_details (sport_detail_id INTEGER PRIMARY KEY, calories INTEGER,
                steps INTEGER, distance INTEGER, timestamp DATETIME, ring_id INTEGER,
                sync_id INTEGER)
            """)
        try client.run(
            """
            INSERT INTO sport_details VALUES
                (1, 1500, 40, 30, '2026-01-01 09:15:00.000000', 1, 1),
                (2, NULL, 50, NULL, '2026-01-01 09:30:00.000000', 1, 1)
            """)
        let changes = try store.addClientFile(at: folder.path("client"))
        #expect(changes.added == [.activity: 2] && changes.notices.isEmpty)
        let amounts = [
            ActivityAmount(steps: 40, metres: 30, kilocalories: 1.5),
            ActivityAmount(steps: 50, metres: 0),
        ]
        #expect(
            try store.history(of: Self.ring)?.activity == [
                Self.sample(Self.time(1, 9, 15), amounts[0], minutes: 15, from: 0),
                Self.sample(Self.time(1, 9, 30), amounts[1], minutes: 15, from: 0),
            ])
    }

    /// The client takes a clock of another zone for UTC, and the same steps do not count twice.
    @Test func stepsOfAnotherZoneAreNotDoubled() throws {
        let client = try clientFile()
        try client.run("INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C')")
        try client.run(
            """
            CREATE TABLE sport_details (ring_id INTEGER, calories INTEGER, steps INTEGER,
                distance INTEGER, timestamp DATETIME)
            """)
        try client.run(
            """
            INSERT INTO sport_details VALUES (1, 1500, 40, 30, '2026-01-01 09:15:00'),
                (1, 1500, 50, 30, '2026-01-01 09:30:00')
            """)
        var history = RingHistory(
            today: Self.time(1).date, readAt: Self.time(1, 9, 40), secondsFromUTC: 3600)
        let amount = ActivityAmount(steps: 40, metres: 30, kilocalories: 1.5)
        history[.activity] = [Self.sample(Self.time(1, 9, 15), amount, minutes: 15, from: 3600)]
        try store.add(HealthRead(Self.ring, history))
        let changes = try store.addClientFile(at: folder.path("client"))
        // That offset is an assumption, and no reason to say that the clock was set back.
        #expect(changes.added == [.activity: 1] && changes.notices.isEmpty)

        // A later value of the client takes the place of the one that is there, and its moment.
        try client.run("INSERT INTO syncs VALUES (1, 1, '2026-01-02 10:00:00', NULL)")
        try client.run("UPDATE sport_details SET steps = 45 WHERE steps = 40")
        #expect(try store.addClientFile(at: folder.path("client")).replaced == [.activity: 1])
        let activity = try store.history(of: Self.ring)?.activity
        #expect(activity?.map(\.value.steps) == [45, 50])
        #expect(activity?.map(\.secondsFromUTC) == [3600, 0])
    }

    /// A row that no ring can have is left out, and counted.
    @Test(
        arguments: [
            ("INSERT INTO sport_details VALUES (1, 1500, 40, 30, '2026-01-02 10:00:00')", true),
            ("INSERT INTO sport_details VALUES (1, 1500, 40, 30, '2026-01-02 10:00:01')", false),
            ("INSERT INTO sport_details VALUES (1, 1500, 40, 30, 'at noon')", false),
            ("INSERT INTO sport_details VALUES (1, 1500, 'many', 30, '2026-01-01')", false),
            ("INSERT INTO sport_details VALUES (1, 1500, -40, 30, '2026-01-01')", false),
            ("INSERT INTO sport_details VALUES (1, 1500, 40, -30, '2026-01-01')", false),
            ("INSERT INTO sport_details VALUES (1, -1500, 40, 30, '2026-01-01')", false),
            ("INSERT INTO sport_details VALUES (1, NULL, 40, NULL, '2026-01-01')", true),
            ("INSERT INTO sport_details VALUES (1, 'few', 40, 30, '2026-01-01')", false),
            ("INSERT INTO sport_details VALUES (1, 1500, 40, 30.5, '2026-01-01')", false),
            ("INSERT INTO sport_details VALUES (1, 1500, 65536, 30, '2026-01-01')", false),
        ] as [(StaticString, Bool)])
    func impossibleRowsOfTheClientAreCounted(_ row: StaticString, _ isKept: Bool) throws {
        let client = try clientFile()
        try client.run("INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C')")
        try client.run("INSERT INTO syncs VALUES (1, 1, '2026-01-01 10:00:00.000000', NULL)")
        try client.run(
            """
            CREATE TABLE sport_details (ring_id INTEGER, calories INTEGER, steps INTEGER,
                distance INTEGER, timestamp DATETIME)
            """)
        try client.run(row)
        let changes = try store.addClientFile(at: folder.path("client"))
        #expect(changes.added == (isKept ? [.activity: 1] : [:]))
        #expect(changes.notices == (isKept ? [] : [.rowsWereLeftOut(1)]))
    }

    /// Values of a sync by this package have the same keys as those of the client.
    @Test func bothFilesOfOneDayAgree() throws {
        let client = try clientFile()
        try client.run("INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C')")
        try client.run("INSERT INTO heart_rates VALUES (1, 60, '2026-01-01 08:00:00', 1, 1)")
        var history = RingHistory(
            today: Self.time(1).date, readAt: Self.time(1, 12), secondsFromUTC: 0)
        history[.heartRate] = [Self.sample(Self.time(1, 8), 60, from: 0)]
        try store.add(HealthRead(Self.ring, history))
        #expect(try store.addClientFile(at: folder.path("client")).isEmpty)
        // A value of a later read replaces the one that is there.
        try client.run("INSERT INTO syncs VALUES (1, 1, '2026-01-02 10:00:00.250000', NULL)")
        try client.run("UPDATE heart_rates SET reading = 61")
        let changes = try store.addClientFile(at: folder.path("client"))
        #expect(changes.replaced == [.heartRate: 1] && changes.added.isEmpty)
    }

    @Test func onlyFilesOfThePythonClientAreImported() throws {
        func kind(_ name: String) -> HealthStoreError.Kind? {
            do throws(HealthStoreError) {
                try store.addClientFile(at: folder.path(name))
                return nil
            } catch {
                #expect(error.path == folder.path(name))
                return error.kind
            }
        }
        #expect(kind("none") == .notOpened)
        try folder.write("This is no database.", to: "text")
        #expect(kind("text") == .damaged)
        try folder.write([], to: "empty")
        #expect(kind("empty") == .notOfClient)
        // Its own file has views of these names.
        #expect(kind("a.db") == .notOfClient)
        #expect(try store.rings().isEmpty)
    }

    /// SQLite would read an empty database under each of these names.
    @Test(arguments: [":memory:", "", "file:missing?mode=memory"])
    func aNameWithoutAFileIsNoFileOfTheClient(_ path: String) throws {
        let error = #expect(throws: HealthStoreError.self) { try store.addClientFile(at: path) }
        #expect(error?.kind == .notOpened && error?.path == path)
        #expect(try store.rings().isEmpty)
    }

    /// Steps come from a table only: a view could have rows without end.
    @Test func aViewHasNoStepsOfTheClient() throws {
        let client = try clientFile()
        try client.run("INSERT INTO rings VALUES (1, '70:CB:0D:D0:34:1C')")
        try client.run("CREATE VIEW sport_details AS SELECT * FROM missing")
        #expect(try store.addClientFile(at: folder.path("client")).isEmpty)
    }

    // MARK: The page

    /// The queries of the page on health data, and its tables and views with their columns.
    @Test func thePageIsTrue() async throws {
        let page = try packageText("Documentation/HealthData.md")
        let air = VirtualBluetooth(seed: 7)
        air.add(VirtualRing(.r10, days: 7))
        var options = RingOptions()
        options.earlierZone = .local
        let ring = try await Ring.connect(over: air, options: options)
        let history = try await ring.history()
        try store.add(
            HealthRead(
                ring, history, battery: BatteryCharge(percent: 50),
                settings: try await ring.healthSettings()))
        let database = try QueriedDatabase(folder.database)

        let queries = page.components(separatedBy: "```sql\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(queries.count >= 5)
        let counts = try queries.map { try database.rows($0).count }
        #expect(counts.first == 7, "\(counts)")
        #expect(counts[1] == history[.sleep].count { !$0.isNap })
        #expect(counts.suffix(2) == [5, 1])
        try checkTables(on: page, in: database)
    }

    /// Checks each row of the page's two tables: | `name` | `column`, `column` … |
    private func checkTables(on page: String, in database: QueriedDatabase) throws {
        var names: Set<String> = []
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let words = line.split(separator: "|").map { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
            names.formUnion(words[0])
            guard words[0].count == 1, let name = words[0].first else { continue }
            let columns = try database.rows("SELECT name FROM pragma_table_info('\(name)')")
                .map { $0[0] }
            let missing = words[1].filter {
                !columns.contains($0) && !Self.values.contains($0)
            }
            #expect(missing == [], "\(name)")
            // What all views have, and what a week has of a day, is said in words.
            let unsaid = columns.filter { !words[1].contains($0) && !["id", "ring"].contains($0) }
            #expect(unsaid == [] || name == "week", "\(name)")
        }
        let all = try database.rows(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        #expect(names == Set(all.map { $0[0] }))
        #expect(HealthSetting.allCases.allSatisfy { page.contains("`\($0.rawValue)`") })
    }

    /// Words of the page in code that are values, and no columns.
    private static let values: Set<String> =
        Set(SleepRecord.Stage.allCases.map(\.rawValue))
        .union(HistoryCoverage.Outcome.allCases.map(\.rawValue)).union(["day"])
        .union(HealthSetting.allCases.map(\.rawValue))

    /// The codes in the views are those of the rows.
    @Test func eachKindHasItsView() throws {
        try store.add(HealthRead(Self.ring, RingHistory.sample))
        let database = try QueriedDatabase(folder.database)
        for (query, row) in [
            ("SELECT minutes, bpm FROM heart_rate", ["5", "62"]),
            ("SELECT minutes, score FROM stress", ["30", "41"]),
            ("SELECT minutes, milliseconds FROM heart_rate_variability", ["60", "48"]),
            ("SELECT steps, metres, kilocalories FROM activity", ["532", "403", ""]),
            ("SELECT lowest_percent, highest_percent FROM blood_oxygen", ["95", "97"]),
            ("SELECT minutes, celsius FROM temperature", ["30", "35.75"]),
        ] {
            #expect(try database.rows(query) == [row])
        }
    }

    // MARK: Files

    #if os(Linux)
    @Test func aStoreHasOneFileOpenAndClosesIt() throws {
        let folder = TestFolder()
        func countOpen() -> Int { openFiles().values.count { $0.hasSuffix("\(folder.name)/a.db") } }
        var store: HealthStore? = try HealthStore(path: folder.database)
        #expect(try store?.rings() == [])
        #expect(countOpen() == 1)
        store = nil
        #expect(countOpen() == 0)
    }
    #endif

    /// A file that needs no other tables is not written.
    @Test func aFileIsOpenedWhileAnotherProgramWrites() throws {
        let folder = TestFolder()
        _ = try HealthStore(path: folder.database)
        let writer = try SQLiteConnection(
            Array(folder.database.utf8CString), path: "", .writing,
            try #require(SQLiteLibrary.system))
        try writer.run("BEGIN IMMEDIATE")
        #expect(try HealthStore(path: folder.database).rings() == [])
        try writer.run("COMMIT")
    }

    @Test func aMarkedFileWithoutTablesGetsThem() throws {
        for version in ["PRAGMA user_version = 0", "PRAGMA user_version = -3"] as [StaticString] {
            let folder = TestFolder()
            do {
                let marked = try SQLiteConnection(
                    try folder.file(), path: "", .writing, try #require(SQLiteLibrary.system))
                try marked.run("PRAGMA application_id = 0x48414C4F")
                try marked.run(version)
            }
            #expect(try HealthStore(path: folder.database).rings() == [])
        }
    }

    @Test(arguments: ["PRAGMA user_version = 0", "PRAGMA user_version = -3"] as [StaticString])
    func tablesWithoutTheirVersionAreDamaged(_ version: StaticString) throws {
        let folder = TestFolder()
        _ = try HealthStore(path: folder.database)
        do {
            let file = try SQLiteConnection(
                Array(folder.database.utf8CString), path: "", .writing,
                try #require(SQLiteLibrary.system))
            try file.run(version)
        }
        let bytes = try folder.bytes("a.db")
        #expect(Self.kind(opening: folder.database) == .damaged)
        #expect(try folder.bytes("a.db") == bytes)
    }

    @Test func aRowOfNoRingIsRefused() throws {
        #expect(throws: HealthStoreError.self) {
            try store.run("INSERT INTO setting VALUES (9, 'stress_log', 9, 1)")
        }
    }

    @Test func anErrorHasItsDetailsInBrackets() {
        let words = "\"a.db\": another program is writing to the file"
        #expect(HealthStoreError(.busy, path: "a.db").description == words)
        let error = HealthStoreError(.busy, path: "a.db", details: "locked")
        #expect(error.description == "\(words) (locked)")
    }

    @Test func theFileIsItsOwnersOnly() throws {
        let folder = TestFolder()
        _ = try HealthStore(path: folder.database)
        var status = stat()
        #expect(stat(folder.database, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        // The mode of a file that exists is its owner's affair.
        #expect(chmod(folder.database, 0o640) == 0)
        _ = try HealthStore(path: folder.database)
        #expect(stat(folder.database, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    /// SQLite's name of a database in memory. Two stores of that name are two.
    @Test func aStoreInMemoryHasNoFile() throws {
        let store = try HealthStore(path: ":memory:")
        var history = Self.history(readAt: Self.time(1, 12))
        history[.stress] = [Self.sample(Self.time(1, 9), 40)]
        try store.add(HealthRead(Self.ring, history))
        #expect(try store.history(of: Self.ring)?.stress == history[.stress])
        #expect(try HealthStore(path: ":memory:").rings() == [])
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    }

    /// A file may have that name, if it is meant.
    @Test func aFileMayHaveAnyName() throws {
        for name in [":memory:", "file:a.db"] {
            let path = folder.path(name)
            _ = try HealthStore(path: path)
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test(arguments: ["file:a.db", "file:///tmp/a.db?mode=memory", "file:"])
    func aURIIsRefused(_ uri: String) throws {
        let error = try #require(throws: HealthStoreError.self) { try HealthStore(path: uri) }
        #expect(error.kind == .isURI && error.path == uri)
        #expect(!FileManager.default.fileExists(atPath: uri))
    }

    @Test func filesOfOthersStayAsTheyAre() throws {
        let folder = TestFolder()
        let library = try #require(SQLiteLibrary.system)
        do {
            let other = try SQLiteConnection(try folder.file("other"), path: "", .writing, library)
            try other.run("CREATE TABLE history (x)")
        }
        let bytes = try folder.bytes("other")
        #expect(Self.kind(opening: folder.path("other")) == .ofOtherProgram)
        #expect(try folder.bytes("other") == bytes)

        // A mark of its own, and no table.
        do {
            let marked = try SQLiteConnection(
                try folder.file("marked"), path: "", .writing, library)
            try marked.run("PRAGMA application_id = 7")
        }
        #expect(Self.kind(opening: folder.path("marked")) == .ofOtherProgram)

        _ = try HealthStore(path: folder.database)
        do {
            let later = try SQLiteConnection(
                Array(folder.database.utf8CString), path: "", .writing, library)
            try later.run("PRAGMA user_version = 1000")
        }
        let later = try folder.bytes("a.db")
        #expect(Self.kind(opening: folder.database) == .newer)
        #expect(try folder.bytes("a.db") == later)

        let text = String(repeating: "This is no database. ", count: 100)
        try folder.write(text, to: "text")
        #expect(Self.kind(opening: folder.path("text")) == .damaged)
        #expect(try folder.bytes("text") == Array(text.utf8))
        #expect(Self.kind(opening: folder.path) == .notOpened)
        #expect(Self.kind(opening: folder.path("none/a.db")) == .notOpened)
    }

    /// What is computed in a stranger's file could have no end.
    @Test func aFileThatComputesIsRefused() throws {
        let changes: [[StaticString]] = [
            ["DROP TABLE total"],
            ["CREATE TRIGGER a AFTER INSERT ON sync BEGIN DELETE FROM sample; END"],
            ["DROP TABLE total", "CREATE TABLE total (ring, day AS (hex(zeroblob(ring))))"],
            [
                "DROP TABLE total",
                """
                CREATE VIEW Total AS WITH RECURSIVE n (day) AS
                    (SELECT 1 UNION ALL SELECT day + 1 FROM n) SELECT * FROM n
                """,
            ],
            ["CREATE INDEX a ON sample (time) WHERE length(hex(zeroblob(time))) > 0"],
            ["CREATE INDEX a ON sample (hex(zeroblob(time)))"],
            ["CREATE UNIQUE INDEX a ON sample (time)"],
            [
                "DROP TABLE charge",
                """
                CREATE TABLE charge (sync INTEGER PRIMARY KEY REFERENCES sync,
                    percent INTEGER NOT NULL CHECK (length(hex(zeroblob(sync))) > 0),
                    is_charging INTEGER)
                """,
            ],
            [
                """
                CREATE TABLE a (ring REFERENCES Ring ON DELETE CASCADE,
                    CHECK (length(hex(zeroblob(ring))) > 0))
                """
            ],
            Self.indexes,
        ]
        for statements in changes {
            let folder = TestFolder()
            let store = try HealthStore(path: folder.database)
            for statement in statements { try store.run(statement) }
            #expect(
                Self.kind(opening: folder.database) == .changedByOtherProgram, "\(statements)")
        }
    }

    /// A file with a trigger is whole: its owner is told what is in it, and not that it is damaged.
    @Test func aForeignTriggerIsNoDamage() throws {
        let folder = TestFolder()
        try HealthStore(path: folder.database).run(
            "CREATE TRIGGER keep AFTER INSERT ON sync BEGIN DELETE FROM sample; END")
        let bytes = try folder.bytes("a.db")
        let error = try #require(throws: HealthStoreError.self) {
            try HealthStore(path: folder.database)
        }
        #expect(error.title == "Another program has changed the file.")
        #expect(error.advice?.contains("undo that change") == true)
        #expect(error.description.hasSuffix("(it has the trigger 'keep'; drop it)"))
        #expect(try folder.bytes("a.db") == bytes)
    }

    /// Plain indexes, more than an owner needs: each makes adding slower.
    private static let indexes: [StaticString] = [
        "CREATE INDEX a ON sample (time)", "CREATE INDEX b ON sample (utc)",
        "CREATE INDEX c ON sample (value)", "CREATE INDEX d ON sample (sync)",
        "CREATE INDEX e ON sample (kind)", "CREATE INDEX f ON sleep_record (start)",
        "CREATE INDEX g ON sleep_record (sync)", "CREATE INDEX h ON workout (key)",
        "CREATE INDEX i ON workout (sport)", "CREATE INDEX j ON coverage (day)",
        "CREATE INDEX k ON coverage (kind)", "CREATE INDEX l ON total (day)",
        "CREATE INDEX m ON setting (name)", "CREATE INDEX n ON setting (value)",
    ]

    /// What an owner may add: it costs little, and computes nothing when values are added.
    @Test func whatAnOwnerAddsStays() throws {
        let folder = TestFolder()
        let store = try HealthStore(path: folder.database)
        let additions: [StaticString] = [
            "CREATE VIEW best AS SELECT max(value) FROM sample WHERE kind = 1",
            "CREATE TABLE note (id INTEGER PRIMARY KEY, day TEXT CHECK (day > ''))",
            "CREATE TABLE page (note REFERENCES note, text)", "CREATE INDEX pages ON page (note)",
            "ANALYZE",
        ]
        for statement in Self.indexes.dropLast() + additions { try store.run(statement) }
        #expect(try HealthStore(path: folder.database).rings() == [])
        try store.run("CREATE INDEX n ON setting (value)")
        #expect(Self.kind(opening: folder.database) == .changedByOtherProgram)
    }

    /// A name that no ring can have would be repeated with each value.
    @Test func aLongNameIsDamage() throws {
        try store.run("INSERT INTO ring VALUES (1, 'a', hex(zeroblob(3000)))")
        #expect(throws: HealthStoreError.self) { try store.rings() }
    }

    /// A file of the first version gets the names and views of the second one, and keeps its
    /// values; a view of its owner follows the tables.
    @Test func aFileOfTheFirstVersionGetsTheNames() throws {
        let folder = TestFolder()
        let library = try #require(SQLiteLibrary.system)
        do {
            let old = try SQLiteConnection(try folder.file(), path: "", .writing, library)
            for version in HealthSchema.versions.prefix(1) { try old.run(script: version) }
            for statement in [
                "INSERT INTO ring VALUES (1, '00:00:00:00:00:01', 'R02')",
                "INSERT INTO sync VALUES (1, 1, 1767258000, 3600, 1767254400, NULL, 1, NULL, NULL)",
                "INSERT INTO coverage VALUES (1, 'heartRate', '2026-01-01', 'read', 1)",
                "INSERT INTO coverage VALUES (1, 'bloodOxygen', '2026-01-01', 'noData', 1)",
                "INSERT INTO sleep VALUES (1, 1, 0, 1767222000, 1767250800, 3600, 1, NULL)",
                "INSERT INTO sleep_stage VALUES (1, 0, 1767222000, 480, 'deep')",
                """
                INSERT INTO workout VALUES (1, 1, 1767254400, 1767254400, 3600, 7, 60, 100, 10.0,
                    200, 50, 60, 70, 1, NULL)
                """,
                "INSERT INTO battery VALUES (1, 55, 1)",
                "CREATE VIEW mine AS SELECT least_bpm FROM workout",
                "INSERT INTO clock VALUES (1, 0, 3600, 1, 1767258000, 1, 60, 90)",
                "CREATE VIEW night AS SELECT * FROM sleep",
                "CREATE VIEW day AS SELECT id AS mean_bpm FROM night",
            ] as [StaticString] { try old.run(statement) }
        }
        let store = try HealthStore(path: folder.database)
        let ring = try #require(try store.rings().first)
        let history = try #require(try store.history(of: ring.identity))
        #expect(history.sleep.map(\.minutesAsleep) == [480])
        #expect(
            ring.clocks.first?.shift == ClockShift(days: 1, lowestSeconds: 60, highestSeconds: 90))
        #expect(history.workouts.first?.lowestBeatsPerMinute == 50)
        #expect(history.workouts.first?.highestBeatsPerMinute == 70)
        let day = Self.time(1).date
        #expect(history.coverage[.heartRate, day] == .read)
        #expect(history.coverage[.bloodOxygen, day] == .noData)
        #expect(try store.battery(of: ring.identity).map(\.value.percent) == [55])
        let database = try QueriedDatabase(folder.database)
        for (query, row) in [
            ("SELECT kind FROM coverage ORDER BY kind", ["blood_oxygen"]),
            ("SELECT kind, days FROM memory", ["heart_rate", "0"]),
            ("SELECT * FROM mine", ["50"]),
            ("SELECT period, minutes_asleep, minutes_deep FROM sleep", ["night", "480", "480"]),
            ("SELECT average_bpm, lowest_bpm, highest_bpm FROM workouts", ["60", "50", "70"]),
            ("SELECT percent, utc FROM battery", ["55", "2026-01-01 08:00:00"]),
            ("SELECT day, minutes_asleep, until FROM day", ["2026-01-01", "480", "09:00"]),
        ] {
            #expect(try database.rows(query).first == row, "\(query)")
        }
    }

    /// The views have the names and the columns of the exported tables.
    @Test func viewsAreNamedAsTheTablesOfExports() throws {
        try store.add(HealthRead(Self.ring, RingHistory.sample))
        let database = try QueriedDatabase(folder.database)
        for table in HistoryTable.stored {
            let columns = try database.rows(
                "SELECT name FROM pragma_table_info('\(table.rawValue)')"
            )
            .map { $0[0] }
            #expect(Array(columns.prefix(table.columns.count + 1)) == ["ring"] + table.columns)
        }
    }

    /// A version of the tables that this package will have one day.
    @Test func anOlderFileGetsTheNewerTables() throws {
        let folder = TestFolder()
        let library = try #require(SQLiteLibrary.system)
        do {
            let store = try HealthStore(path: folder.database)
            var history = Self.history(readAt: Self.time(1, 12))
            history[.stress] = [Self.sample(Self.time(1, 9), 40)]
            try store.add(HealthRead(Self.ring, history))
        }
        let next: StaticString =
            "ALTER TABLE ring ADD COLUMN colour TEXT; PRAGMA user_version = 3"
        let versions = HealthSchema.versions + [next]
        for _ in 0..<2 {
            let store = try HealthStore(path: folder.database, library, versions: versions)
            #expect(try Self.count(store, "SELECT count(colour) FROM ring") == 0)
            #expect(try store.history(of: Self.ring)?.stress.count == 1)
        }
        #expect(Self.kind(opening: folder.database) == .newer)
        // A version that fails leaves the file as it was.
        let broken: StaticString = "CREATE TABLE a (x); CREATE TABLE a (x)"
        let bytes = try folder.bytes("a.db")
        #expect(throws: HealthStoreError.self) {
            _ = try HealthStore(path: folder.database, library, versions: versions + [broken])
        }
        #expect(try folder.bytes("a.db") == bytes)
    }

    @Test func aFullDiskLosesNothing() throws {
        var history = Self.history(readAt: Self.time(1, 12))
        history[.stress] = [Self.sample(Self.time(1, 9), 40)]
        try store.add(HealthRead(Self.ring, history))
        let kept = try store.history(of: Self.ring)
        // The least that is possible: as many pages as the file has.
        try store.run("PRAGMA max_page_count = 1")
        var long = history
        long[.heartRate] = (0..<20_000).map { Self.sample(Self.time(1, 0, 5 * $0), 60) }
        do throws(HealthStoreError) {
            try store.add(HealthRead(Self.ring, long))
            Issue.record("no error")
        } catch {
            #expect(error.kind == .full)
            #expect("\(error)".hasPrefix("\"\(folder.database)\": there is no space left"))
        }
        #expect(try store.history(of: Self.ring) == kept)
        #expect(try Self.count(store, "PRAGMA integrity_check") == "ok")
        #expect(try Self.count(store, "SELECT count(*) FROM sync") == 1)
    }

    @Test func aFileThatCannotBeWrittenIsSaid() throws {
        try store.run("PRAGMA query_only = 1")
        do throws(HealthStoreError) {
            try store.add(HealthRead(Self.ring, Self.history(readAt: Self.time(1))))
            Issue.record("no error")
        } catch {
            #expect(error.kind == .readOnly)
        }
        #expect(try store.rings().isEmpty)
    }

    /// The state of the file, and of its journal, before each step of an addition: what a program
    /// leaves that is killed there. The next one that opens the file sees all of the addition, or
    /// nothing.
    @Test func aProgramThatIsKilledLosesNothing() throws {
        let folder = TestFolder()
        var first = Self.history(readAt: Self.time(1, 12))
        first[.stress] = [Self.sample(Self.time(1, 9), 40)]
        try HealthStore(path: folder.database).add(HealthRead(Self.ring, first))

        var second = Self.history(readAt: Self.time(2, 12))
        second[.stress] = [Self.sample(Self.time(1, 9), 41)]
        second[.stress] += (0..<10).map { Self.sample(Self.time(2, $0), 50) }
        second[.sleep] = [
            SleepRecord(
                isNap: false, start: Self.time(1, 23), end: Self.time(2, 7),
                stages: [Self.sample(Self.time(1, 23), .deep, minutes: 480)],
                secondsFromUTC: 3600)
        ]
        second.coverage[.stress, Self.time(2).date] = .read
        var read = HealthRead(Self.ring, second)
        read.capture = "halo-capture 2\n"

        let before = try HealthStore(path: folder.database).history(of: Self.ring)
        Snapshots.take(of: folder)
        var library = try #require(SQLiteLibrary.system)
        Snapshots.step = library.step
        library.step = { statement in
            Snapshots.note()
            return Snapshots.step?(statement) ?? 0
        }
        let store = try HealthStore(
            path: folder.database, library, versions: HealthSchema.versions)
        // A small cache: the file is written before the end of the addition as well.
        try store.run("PRAGMA cache_size = 0")
        try store.add(read)
        let states = Snapshots.end()
        let after = try store.history(of: Self.ring)
        #expect(states.count > 40, "\(states.count)")
        #expect(before != after)

        var seen: [RingHistory?] = []
        for state in states {
            let copy = TestFolder()
            try copy.write(state.file, to: "a.db")
            if let journal = state.journal { try copy.write(journal, to: "a.db-journal") }
            let survivor = try HealthStore(path: copy.database)
            let history = try survivor.history(of: Self.ring)
            #expect(history == before || history == after)
            #expect(try Self.count(survivor, "PRAGMA integrity_check") == "ok")
            seen.append(history)
            // The same once more completes it, and doubles nothing.
            try survivor.add(read)
            #expect(try survivor.history(of: Self.ring) == after)
        }
        #expect(seen.first == before && seen.last == after || seen.last == before)
        #expect(states.contains { $0.journal?.isEmpty == false })
    }
}

/// The states of a file between the steps of statements.
private enum Snapshots {
    nonisolated(unsafe) static var step: SQLiteLibrary.OfStatement?
    private nonisolated(unsafe) static var folder: TestFolder?
    private nonisolated(unsafe) static var states: [(file: [UInt8], journal: [UInt8]?)] = []

    static func take(of folder: TestFolder) {
        self.folder = folder
        states = []
    }

    static func note() {
        guard let folder, let file = try? folder.bytes("a.db") else { return }
        states.append((file, try? folder.bytes("a.db-journal")))
    }

    static func end() -> [(file: [UInt8], journal: [UInt8]?)] {
        defer { folder = nil }
        return states
    }
}
