import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Reads of a part of a history, what has failed read again, and histories merged into one.
@Suite(.passesTime) struct HistorySyncTests {
    /// The requests for stored values that a ring gets meanwhile, by their opcodes and record ids.
    private static func requests(
        _ body: @escaping @Sendable (Ring) async throws -> Void
    ) throws -> [UInt8] {
        try virtually { air in
            let sent = Box<[UInt8]>([])
            let ring = VirtualRing(.r10, wearer: Wearer(seed: 1), days: 7)
            let worn = air.add(
                ScriptedRing(ring) { bytes, _ in
                    sent.change { $0 += bytes.prefix(bytes.first == BigDataFrame.marker ? 2 : 1) }
                    return nil
                })
            let client = try await Ring.connect(to: worn.identity, over: air)
            sent.value = []
            try await body(client)
            return sent.value.filter { $0 != BigDataFrame.marker }
        }
    }

    // MARK: A part

    @Test func onlyTheWantedKindsAreRequested() throws {
        let requests = try Self.requests { ring in
            let history = try await ring.history([.stress, .bloodOxygen], days: 3)
            #expect(!history[.stress].isEmpty && !history[.bloodOxygen].isEmpty)
            #expect(history[.heartRate].isEmpty && history[.sleep].isEmpty && history.totals == nil)
            #expect(Set(history.coverage.days.map(\.kind)) == [.stress, .bloodOxygen])
        }
        #expect(requests.filter { $0 == StressLog.opcode }.count == 3)
        #expect(requests.filter { $0 == BloodOxygen.requestID }.count == 1)
        #expect(!requests.contains(HeartRateLog.opcode) && !requests.contains(ActivityLog.opcode))
    }

    @Test(arguments: [0, 2, 6]) func aReadBeginsOnADay(_ count: Int) async throws {
        let ring = try await RingBench.connected(days: 7).ring
        let all = try await ring.history()
        let day = try #require(all.today.daysEarlier(UInt8(count)))
        let history = try await ring.history(since: day)
        #expect(history[.stress] == all[.stress].filter { $0.time.date >= day })
        #expect(history[.bloodOxygen] == all[.bloodOxygen].filter { $0.time.date >= day })
        #expect(Set(history.coverage.days.map(\.date)).min() == day)
        let tomorrow = try #require(all.today.advanced(byDays: 1))
        let ahead = try await ring.history([.activity], since: tomorrow)
        #expect(Set(ahead.coverage.days.map(\.date)) == [all.today])
    }

    // MARK: What has failed

    @Test func onlyWhatHasFailedIsRequestedAgain() throws {
        try virtually { air in
            let refusals = Box(0)
            let asked = Box<[UInt8]>([])
            let ring = VirtualRing(.r10, wearer: Wearer(seed: 1), days: 7)
            let worn = air.add(
                ScriptedRing(ring) { bytes, _ in
                    asked.change { $0 += bytes.prefix(1) }
                    guard bytes.first == StressLog.opcode, bytes[1] == 2, refusals.value < 2 else {
                        return nil
                    }
                    refusals.value += 1
                    return [Array(Refusal(of: StressLog.opcode).frame.bytes)]
                })
            let client = try await Ring.connect(to: worn.identity, over: air)
            let first = try await client.history(days: 3)
            #expect(first.failures.map(\.daysAgo) == [2] && !first.isComplete)
            asked.value = []
            let second = try await client.retry(first)
            #expect(asked.value == [StressLog.opcode])
            #expect(second.isComplete && second.failures == [])
            let day = try #require(first.today.daysEarlier(2))
            #expect(second.coverage[.stress, day] == .read)
            #expect(second[.stress].contains { $0.time.date == day })
            #expect(second[.heartRate] == first[.heartRate] && second[.sleep] == first[.sleep])
            asked.value = []
            #expect(try await client.retry(second) == second)
            #expect(asked.value == [])
            // A day later the same day is one more day ago, and the last day has a rest.
            try await air.clock.sleep(for: .seconds(86_400))
            let third = try await client.retry(first)
            #expect(asked.value.filter { $0 == StressLog.opcode }.count == 2)
            #expect(asked.value.filter { $0 == HeartRateLog.opcode }.count == 1)
            #expect(third.isComplete && third.coverage[.stress, day] == .read)
            let rest = third[.heartRate].dropFirst(first[.heartRate].count)
            #expect(Set(rest.map(\.time.date)) == [first.today])
            asked.value = []
            #expect(try await client.retry(third) == third)
            #expect(asked.value == [])
            await client.disconnect()
        }
    }

    /// The rest of a day, which was read in the morning, fails on the next day.
    @Test func theRestOfADayIsReadAgain() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 1), days: 3))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            var kept = try await ring.history(days: 3)
            let day = kept.today
            let count = kept[.heartRate].count { $0.time.date == day }
            try await air.clock.sleep(for: .seconds(86_400))
            let new = try await ring.history(since: day) { step in
                if step.kind == .activity, step.daysAgo == 0 { worn.moveAway() }
            }
            #expect(new.coverage[.heartRate, day] == .failed)
            kept.merge(new)
            #expect(kept.coverage[.heartRate, day] == .failed)
            #expect(kept[.heartRate].count { $0.time.date == day } == count)
            worn.comeBack()
            try await ring.waitUntilConnected()
            kept = try await ring.retry(kept)
            #expect(kept.isComplete && kept.coverage[.heartRate, day] == .read)
            let all = try await ring.log(.heartRate, daysAgo: 1)
            #expect(kept[.heartRate].filter { $0.time.date == day } == all && all.count > count)
            await ring.disconnect()
        }
    }

    /// A history that an app has kept for long, or that a file has made up.
    @Test(arguments: [30, 255, 256, 20_000]) func daysOfLongAgoAreNotRetried(_ count: Int) throws {
        let requests = try Self.requests { ring in
            var history = RingHistory(today: Self.noon.date)
            let day = try #require(Self.noon.date.advanced(byDays: 4 - count))
            history.coverage[.stress, day] = .failed
            history.coverage[.sleep, day] = .failed
            history.failures = [Int.min, -1, .max].map {
                HistoryFailure(kind: .stress, daysAgo: $0, error: DeviceError(.timedOut))
            }
            #expect(try await ring.retry(history) == history)
            var merged = history
            merged.merge(try await ring.history([.totals], days: 1))
            #expect(merged.failures.count == 3)
        }
        #expect(requests.count == 1)
    }

    // MARK: Merging

    /// Each day only that day is read; merged, it is what was read, and what has gone since.
    @Test func aMergedWeekHasEveryDay() throws {
        try virtually { air in
            let ring = VirtualRing(.r10, wearer: Wearer(seed: 1), days: 4)
            let worn = air.add(ring)
            var options = RingOptions()
            func read(since day: CivilDate?) async throws -> RingHistory {
                let client = try await Ring.connect(
                    to: worn.identity, over: air, options: options)
                options.earlierClocks = client.clocks
                let history =
                    if let day { try await client.history(since: day) } else {
                        try await client.history()
                    }
                await client.disconnect()
                return history
            }
            var kept = try await read(since: nil)
            var reads = [kept]
            for _ in 0..<4 {
                try await air.clock.sleep(for: .seconds(20 * 3600))
                let new = try await read(since: kept.today)
                reads.append(new)
                kept.merge(new)
                let again = kept
                kept.merge(new)
                #expect(kept == again, "merging twice changes nothing")
            }
            let now = try await read(since: nil)
            #expect(kept[.heartRate].map(\.time).count == Set(kept[.heartRate].map(\.time)).count)
            let days = Set(kept[.heartRate].map(\.time.date)).count
            #expect(days > Set(now[.heartRate].map(\.time.date)).count, "the ring keeps four days")
            for sample in now[.heartRate] where sample.time.date > reads[0].today {
                #expect(kept[.heartRate].contains(sample))
            }
            for read in reads {
                #expect(
                    read.activity.allSatisfy { old in
                        kept[.activity].contains { $0.time == old.time }
                    })
            }
            // No night is there twice, also one that was read while it lasted.
            for (night, next) in zip(kept[.sleep], kept[.sleep].dropFirst()) {
                #expect(night.end <= next.start)
            }
            #expect(
                kept.today == now.today
                    && kept[.heartRate]
                        == kept[.heartRate].sorted {
                            $0.time < $1.time
                        }
            )
            // The order of merging does not matter.
            var backwards = reads[reads.count - 1]
            for read in reads.reversed().dropFirst() { backwards.merge(read) }
            #expect(backwards.heartRates == kept[.heartRate] && backwards.sleep == kept[.sleep])
            #expect(backwards.coverage == kept.coverage && backwards.today == kept.today)
        }
    }

    private static let noon = CivilDateTime(secondsSince1970: 1_767_225_600 + 43_200)

    private static func history(_ days: Int = 0, _ rates: [TimedSample<Int>] = []) -> RingHistory {
        let time = noon.advanced(bySeconds: days * 86_400)
        var history = RingHistory(today: time.date, readAt: time)
        history[.heartRate] = rates
        return history
    }

    private static func sample(_ minute: Int, _ value: Int, _ zone: Int? = nil) -> TimedSample<Int>
    {
        TimedSample(
            time: noon.advanced(bySeconds: minute * 60), minutes: 5, secondsFromUTC: zone,
            value: value)
    }

    @Test func theLaterValueCounts() {
        var kept = Self.history(0, [Self.sample(0, 60), Self.sample(5, 61), Self.sample(10, 62)])
        let later = Self.history(1, [Self.sample(5, 70, 3600), Self.sample(15, 71)])
        kept.merge(later)
        #expect(kept[.heartRate].map(\.value) == [60, 70, 62, 71])
        #expect(kept.readAt == later.readAt && kept.today == later.today)
        // An earlier read adds what is missing, and replaces nothing.
        kept.merge(Self.history(-1, [Self.sample(0, 1), Self.sample(-5, 2)]))
        #expect(kept[.heartRate].map(\.value) == [2, 60, 70, 62, 71])
        #expect(kept.today == later.today)
    }

    /// A journey to the west sets the clock back: the later read shows an earlier time.
    @Test func readsAreOrderedInUTC() {
        let times = [(20, 0, 60), (12, -10 * 3600, 70)].map { hour, offset, value in
            let time = VirtualBluetooth.defaultStart.advanced(bySeconds: (hour - 9) * 3600)
            var history = RingHistory(today: time.date, readAt: time, secondsFromUTC: offset)
            history[.heartRate] = [Self.sample(0, value)]
            return history
        }
        for (first, second) in [(times[0], times[1]), (times[1], times[0])] {
            var kept = first
            kept.merge(second)
            #expect(kept[.heartRate].map(\.value) == [70])
            #expect(kept.readAt == times[1].readAt)
        }
    }

    /// When daylight saving ends, an hour comes twice.
    @Test func anHourThatComesTwiceHasTwoValues() {
        var kept = Self.history(0, [Self.sample(0, 60, 7200), Self.sample(5, 61)])
        kept.merge(Self.history(1, [Self.sample(0, 70, 3600), Self.sample(5, 71, 3600)]))
        #expect(kept[.heartRate].map(\.value) == [60, 70, 71])
    }

    @Test func aNightThatHasGrownIsOne() {
        func night(_ start: Int, _ end: Int, isNap: Bool = false) -> SleepRecord {
            SleepRecord(
                isNap: isNap, start: Self.noon.advanced(bySeconds: start * 3600),
                end: Self.noon.advanced(bySeconds: end * 3600), stages: [])
        }
        var kept = Self.history(0)
        kept[.sleep] = [night(-40, -33), night(-13, -9)]
        var later = Self.history(1)
        later[.sleep] = [night(-14, -5), night(-3, -2, isNap: true)]
        kept.merge(later)
        #expect(kept[.sleep] == [night(-40, -33), night(-14, -5), night(-3, -2, isNap: true)])
        var next = Self.history(2)
        next.sleep = [night(-2, -1)]
        kept.merge(next)
        #expect(kept[.sleep].count == 4, "one that begins where another ends is another one")
    }

    @Test func workoutsHaveTheirKeys() {
        func workout(_ hour: Int, _ steps: Int, hasKey: Bool = true) -> WorkoutRecord {
            let start = Self.noon.advanced(bySeconds: hour * 3600)
            return WorkoutRecord(
                sport: .run, key: hasKey ? start.advanced(bySeconds: -28_800) : nil, start: start,
                steps: steps)
        }
        var kept = Self.history(0)
        kept[.workouts] = [workout(-2, 10), workout(-1, 11, hasKey: false)]
        var later = Self.history(1)
        later[.workouts] = [workout(-2, 20), workout(-1, 21, hasKey: false), workout(3, 30)]
        kept.merge(later)
        #expect(kept[.workouts].map(\.steps) == [20, 21, 30])
        // Two without a key or a beginning are two, and stay in their order.
        kept[.workouts].insert(WorkoutRecord(steps: 1), at: 0)
        later[.workouts] = [WorkoutRecord(steps: 2), WorkoutRecord(steps: 3)]
        for _ in 0..<2 {
            kept.merge(later)
            #expect(kept[.workouts].map(\.steps) == [1, 2, 3, 20, 21, 30])
        }
    }

    @Test func failuresCountTheirDaysFromTheLaterRead() {
        var kept = Self.history(0)
        let days = (0...3).compactMap { kept.today.daysEarlier(UInt8($0)) }
        for kind in [HistoryKind.stress, .heartRate] { kept.coverage[kind, days[1]] = .failed }
        kept.coverage[.stress, days[2]] = .read
        kept.coverage[.sleep, days[0]] = .failed
        kept.failures = [
            HistoryFailure(kind: .stress, daysAgo: 1, error: DeviceError(.timedOut)),
            HistoryFailure(kind: .heartRate, daysAgo: 1, error: DeviceError(.refused)),
            HistoryFailure(kind: .sleep, error: DeviceError(.timedOut)),
        ]
        kept.unsupported = [.temperature, .bloodOxygen]
        var later = Self.history(2)
        later.coverage[.stress, days[1]] = .read
        later.coverage[.stress, days[2]] = .noData
        later.coverage[.temperature, later.today] = .read
        later.failures = [HistoryFailure(kind: .activity, daysAgo: 0, error: DeviceError(.refused))]
        later.unsupported = [.workouts]
        kept.merge(later)
        #expect(kept.failures.map(\.kind) == [.heartRate, .sleep, .activity])
        #expect(kept.failures.map(\.daysAgo) == [3, nil, 0])
        #expect(kept.coverage[.stress, days[1]] == .read)
        #expect(kept.coverage[.stress, days[2]] == .read, "what was read once is read")
        #expect(kept.unsupported == [.bloodOxygen, .workouts])
    }

    @Test func aDayThatWasTodayHasARest() throws {
        var kept = Self.history(0)
        let day = kept.today
        for kind in HistoryKind.allCases { kept.coverage[kind, day] = .read }
        kept.coverage[.temperature, day] = .noData
        kept.coverage[.stress, try #require(day.daysEarlier(1))] = .read
        var later = Self.history(1)
        for kind in HistoryKind.allCases { later.coverage[kind, later.today] = .read }
        later.coverage[.heartRate, day] = .failed
        later.coverage[.activity, day] = .read
        later.coverage[.sleep, day] = .noData
        later.coverage[.bloodOxygen, day] = .notRequested
        later.coverage[.stress, try #require(day.daysEarlier(1))] = .failed
        // Of the same day there is no rest yet.
        var same = kept
        same.merge(kept)
        #expect(same == kept)
        kept.merge(later)
        func outcomes(_ outcome: HistoryCoverage.Outcome) -> [HistoryKind] {
            HistoryKind.allCases.filter { kept.coverage[$0, day] == outcome }
        }
        #expect(outcomes(.failed) == [.heartRate])
        #expect(Set(outcomes(.read)) == [.activity, .sleep, .totals])
        #expect(
            Set(outcomes(.unfinished))
                == [.stress, .heartRateVariability, .bloodOxygen, .workouts])
        #expect(outcomes(.noData) == [.temperature])
        #expect(kept.coverage[.stress, try #require(day.daysEarlier(1))] == .read)
        kept.merge(later)
        #expect(outcomes(.unfinished).count == 4)
    }

    // MARK: A wrong clock

    /// The ring's clock goes wrong between two reads: of the values of both clocks, each is kept
    /// once, and none under a date that it does not have.
    @Test(arguments: [-3, 2]) func valuesOfAWrongClockAreMoved(_ days: Int) throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 1), days: 2))
            var options = RingOptions.keeping()
            func connected() async throws -> Ring {
                let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
                options.earlierClocks = ring.clocks
                return ring
            }
            let first = try await connected()
            var kept = try await first.history()
            await first.disconnect()
            let before = kept
            worn.modify { $0.shiftClock(bySeconds: days * 86_400) }
            try await air.clock.sleep(for: .seconds(26 * 3600))
            let ring = try await connected()
            let old = try #require(ring.historyBeforeClockChange)
            let shift = try #require(old.clockShift)
            #expect(shift.days == -days)
            let now = try #require(try await ring.history().readAt)
            let last = try #require(kept.readAt)
            kept.merge(old.moved(byDays: shift.days).limited(to: last...now))
            kept.merge(try await ring.history())
            await ring.disconnect()
            #expect(kept[.heartRate].count > before[.heartRate].count + 200)
            #expect(kept[.heartRate].allSatisfy { $0.time <= now })
            // The slot of the last read may have got its value after it.
            let slot = last.advanced(bySeconds: -300)
            #expect(kept[.heartRate].filter { $0.time <= slot } == before[.heartRate])
            #expect(kept[.sleep].prefix(before[.sleep].count) == before[.sleep][...])
            #expect(kept[.sleep].allSatisfy { $0.end <= now })
        }
    }

    /// Loses the link at each packet around the setting of the clock.
    @Test func aLostLinkLosesNoValuesOfAWrongClock() async throws {
        var lost: [Int] = []
        var wholeRead: [TimedSample<Int>]?
        for number in stride(from: 200, through: 260, by: 1) {
            let rule = FaultRule(.disconnection, .notification(number))
            let air = VirtualBluetooth(
                seed: 7, startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: 120),
                faults: FaultPlan(rules: [rule]))
            let worn = air.add(
                VirtualRing(
                    .r10, wearer: Wearer(seed: 3), days: 3,
                    options: VirtualRingOptions(clock: .off(seconds: -3 * 86_400))))
            var ring: Ring?
            for _ in 0..<3 where ring == nil {
                ring = try? await Ring.connect(
                    to: worn.identity, over: air, options: .keeping(clock: .set(.utc)))
            }
            let history = ring?.historyBeforeClockChange
            if wholeRead == nil { wholeRead = history?[.heartRate] }
            if history == nil || history?[.heartRate] != wholeRead { lost.append(number) }
            await ring?.disconnect()
        }
        #expect(lost == [])
        #expect(wholeRead?.isEmpty == false)
    }

    /// With a policy that waits for the ring, the time to connect again begins with the first link.
    /// While Bluetooth is off, the next attempt is waited for.
    @Test(arguments: [false, true])
    func aRingThatWasAwayForHoursLosesNoValuesOfAWrongClock(bluetoothIsOff: Bool) throws {
        try virtually { air in
            let worn = air.add(
                VirtualRing(
                    .r10, days: 2,
                    options: VirtualRingOptions(clock: .off(seconds: -3 * 86_400))))
            worn.moveAway()
            _ = air.time.schedule(at: Moment.origin + .seconds(7200)) { worn.comeBack() }
            let isLost = Box(false)
            var options = RingOptions.keeping()
            options.reconnect = .whenInReach
            options.connectTimeout = .seconds(120)
            options.daysReadBeforeClockChange = 1
            options.observer = { trace in
                guard trace.kind == .request, trace.operation == .write,
                    trace.bytes?.first == SetTime.opcode, !isLost.value
                else { return }
                isLost.value = true
                _ = air.time.schedule(at: trace.moment + .milliseconds(1)) {
                    if bluetoothIsOff { air.setAdapterState(.poweredOff) } else { worn.moveAway() }
                }
                _ = air.time.schedule(at: trace.moment + .seconds(20)) {
                    if bluetoothIsOff { air.setAdapterState(.poweredOn) } else { worn.comeBack() }
                }
            }
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            #expect(isLost.value && ring.clock.wasSet)
            #expect(ring.historyBeforeClockChange?.heartRates.isEmpty == false)
            await ring.disconnect()
        }
    }

    @Test func aLimitCountsTheEndsOfNights() {
        func time(_ hour: Int) -> CivilDateTime { Self.noon.advanced(bySeconds: hour * 3600) }
        var history = Self.history(0, [-120, -60, 0, 60].map { Self.sample($0, 60) })
        history[.sleep] = [-14, -13, -2].map {
            SleepRecord(isNap: false, start: time($0), end: time($0 + 2), stages: [])
        }
        history[.workouts] = [-3, -1, 2].map { WorkoutRecord(start: time($0)) } + [WorkoutRecord()]
        let limited = history.limited(to: time(-11)...time(0))
        #expect(limited[.heartRate].count == 3)
        #expect(limited[.sleep] == Array(history[.sleep].dropFirst()))
        #expect(limited[.workouts] == Array(history[.workouts].prefix(2)))
        #expect(limited.today == history.today)
    }

    // MARK: The zone

    @Test func aZoneIsAssumedForTheFirstSync() async throws {
        var options = RingOptions()
        options.earlierZone = .local
        let ring = try await RingBench.connected(days: 2, options: options).ring
        let history = try await ring.history(days: 2)
        let over = history[.stress].filter { $0.time.date < history.today }
        #expect(!over.isEmpty && over.allSatisfy { $0.secondsFromUTC == 3600 })
        let none = try await RingBench.connected(days: 2).ring.history(days: 2)
        #expect(none.stress.allSatisfy { $0.utc == nil })
        // Clocks that are known count for more.
        options.earlierClocks = [RingClock(secondsFromUTC: 7200, wasSet: true)]
        let known = try await RingBench.connected(days: 2, options: options).ring.history(days: 2)
        #expect(
            known.stress.filter { $0.time.date < known.today }.allSatisfy {
                $0.secondsFromUTC == 7200
            })
        #expect("\(options)".contains("earlier clocks"))
    }
}
