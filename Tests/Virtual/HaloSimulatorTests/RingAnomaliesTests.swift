import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Anomalies as a value, and where they begin and end. What an app reads of them is a test of
/// `HaloDevices`.
@Suite(.passesTime) struct RingAnomaliesTests {
    private static func bench(
        _ anomalies: RingAnomalies, _ profile: RingProfile = .r10, seed: UInt64 = 1,
        battery: Int = 80, isWorn: Bool = true
    ) -> RingBench {
        .connected(
            profile,
            options: VirtualRingOptions(
                seed: seed, batteryPercent: battery, isWorn: isWorn, anomalies: anomalies))
    }

    private static let today = RingBench.start.date

    private static func heartRates(_ bench: RingBench, _ date: CivilDate = today) throws -> [UInt8]
    {
        try #require(bench.ring.history.heartRates(of: date))
    }

    /// The number of heart rates of a day that were stored from a time on until now.
    private static func count(_ bench: RingBench, from time: CivilDateTime) throws -> Int {
        var bench = bench
        bench.modify { _ in }
        let slot = time.time.minuteOfDay / 5 + 1
        return try heartRates(bench, time.date)[slot...].count { $0 > 0 }
    }

    // MARK: The value

    @Test func eachHasANameAndABit() throws {
        #expect(RingAnomalies.all.names.count == 10)
        #expect(RingAnomalies.all.rawValue == (1 << 10) - 1)
        var all: RingAnomalies = []
        for name in RingAnomalies.all.names {
            let anomaly = try #require(RingAnomalies(named: name))
            #expect(anomaly.rawValue.nonzeroBitCount == 1 && anomaly.names == [name])
            all.insert(anomaly)
        }
        #expect(all == .all)
        #expect(RingAnomalies(named: "lost slots") == nil && RingAnomalies(named: "") == nil)
        #expect(RingAnomalies().description == "none")
        #expect("\([.splitNights, .lostSlots] as RingAnomalies)" == "lost-slots, split-nights")
    }

    @Test func allAreOffByDefault() {
        #expect(VirtualRingOptions().anomalies == [])
        #expect(VirtualRing(.r10).options.anomalies == [])
    }

    /// All that a ring replies to requests for stored values, as bytes.
    private static func bytes(_ options: VirtualRingOptions) -> [[UInt8]] {
        var bench = RingBench.connected(.r12, options: options)
        var bytes: [[UInt8]] = []
        for day in 0..<3 as Range<UInt8> {
            let logs = [
                HeartRateLog.Request(day: today.daysEarlier(day) ?? today).frame,
                StressLog.Request(day: DaysAgo(day)).frame,
                HeartRateVariabilityLog.Request(day: DaysAgo(day)).frame,
                ActivityLog.Request(day: DaysAgo(day)).frame, Battery.Request().frame,
            ]
            for log in logs { bytes += bench.ring.answers(to: log).map { Array($0.bytes) } }
        }
        for record in [
            Sleep.Request.allNights.frame, BloodOxygen.Request.allDays.frame,
        ] {
            bytes += bench.ask(record).map(\.bytes)
        }
        return bytes
    }

    @Test func theSeedDecidesEachByte() {
        let all = RingAnomalies.all.subtracting(.clockAhead)
        let first = Self.bytes(VirtualRingOptions(seed: 3, anomalies: all))
        #expect(first == Self.bytes(VirtualRingOptions(seed: 3, anomalies: all)))
        #expect(first != Self.bytes(VirtualRingOptions(seed: 4, anomalies: all)))
        let plain = Self.bytes(VirtualRingOptions(seed: 3))
        #expect(first != plain)
        #expect(plain == Self.bytes(VirtualRingOptions(seed: 4)), "without one, it decides nothing")
    }

    @Test func badWeeksHaveAllKindsOfAnomalies() {
        var counts: [String: Int] = [:]
        var drawers = 0
        for seed in 0..<1000 as Range<UInt64> {
            let options = VirtualRingOptions.badWeek(seed: seed)
            #expect(options == .badWeek(seed: seed) && options.seed == seed)
            for name in options.anomalies.names { counts[name, default: 0] += 1 }
            if !options.isWorn { drawers += 1 }
            #expect(options.isWorn || options.anomalies.contains(.unwornHeartRates))
        }
        #expect(90...160 ~= counts.removeValue(forKey: "clock-ahead") ?? 0)
        #expect(40...85 ~= drawers)
        #expect(counts.count == 9 && counts.values.allSatisfy { 440...560 ~= $0 }, "\(counts)")
    }

    // MARK: Logging that stalls

    @Test func aWriteOfTheSettingRevivesTheLogging() throws {
        var bench = Self.bench(.stalledLogging)
        let start = bench.ring.time
        _ = bench.ask(AutoHeartRate.Request.read)
        _ = bench.ask(TemperatureSetting.Request.write(.temperature, isOn: true))
        bench.advance(by: .seconds(3600))
        #expect(try Self.count(bench, from: start) == 0)
        let setting = try AutoHeartRate.Setting(isOn: true, minutesPerMeasurement: 5)
        #expect(bench.ask(AutoHeartRate.Request.write(setting)).count == 1)
        bench.advance(by: .seconds(3600))
        let count = try Self.count(bench, from: start)
        #expect(12...13 ~= count)
    }

    /// The pushes of stored values stop as well.
    @Test func aStalledLoggingIsSilent() {
        func kinds(_ anomalies: RingAnomalies) -> Set<UInt8> {
            var bench = Self.bench(anomalies)
            _ = bench.take()
            bench.advance(by: .seconds(2 * 3600))
            return Set(
                bench.takeFrames().filter { $0.opcode == RingNotification.opcode }
                    .map { $0.bytes[1] })
        }
        #expect(kinds([]).subtracting(kinds(.stalledLogging)).count == 2)
        #expect(kinds(.stalledLogging).isSubset(of: kinds([])))
    }

    @Test func aRestartRevivesTheLogging() throws {
        var bench = Self.bench(.stalledLogging)
        bench.advance(by: .seconds(3600))
        let start = bench.ring.time
        bench.send(DangerousPowerOff.Request(knowinglySending: .reboot).frame)
        bench.advance(by: .seconds(3600))
        let count = try Self.count(bench, from: start)
        #expect(11...12 ~= count)
    }

    @Test func anEmptyBatteryRevivesTheLogging() throws {
        var bench = Self.bench(.stalledLogging)
        bench.modify { $0.setBattery(percent: 0) }
        bench.advance(by: .seconds(600))
        bench.modify { $0.dock() }
        bench.modify { $0.setBattery(percent: 50) }
        bench.modify { $0.putOn() }
        let start = bench.ring.time
        bench.advance(by: .seconds(3600))
        let count = try Self.count(bench, from: start)
        #expect(11...12 ~= count)
    }

    // MARK: Others

    @Test func aRingThatIsOffStoresNothing() throws {
        var bench = Self.bench(.unwornHeartRates, isWorn: false)
        let start = bench.ring.time
        bench.modify { $0.setBattery(percent: 0) }
        bench.advance(by: .seconds(2 * 3600))
        bench.modify { $0.dock() }
        #expect(try Self.count(bench, from: start) == 0)
        bench.advance(by: .seconds(2 * 3600))
        #expect(try Self.count(bench, from: start) > 10, "on its charger it is on")
    }

    /// Slots after the take-off have values, and only heart rates.
    @Test func aRingThatIsTakenOffStoresHeartRates() throws {
        var bench = Self.bench(.unwornHeartRates)
        bench.modify { $0.takeOff() }
        let start = bench.ring.time
        let steps = bench.ring.history.totals(of: Self.today)?.movement
        bench.advance(by: .seconds(3 * 3600))
        let count = try Self.count(bench, from: start)
        #expect(18...34 ~= count, "some slots have none")
        let stress = try #require(bench.ring.history.stress(of: Self.today))
        #expect(stress[(start.time.minuteOfDay / 30 + 1)...].allSatisfy { $0 == 0 })
        #expect(bench.ring.history.totals(of: Self.today)?.movement == steps)
    }

    @Test func aBatteryWithChargeReportsSome() {
        for percent in [1, 2, 12, 100] {
            var bench = Self.bench(.jumpingBattery, battery: percent)
            var levels: Set<Int> = []
            for _ in 0..<20 {
                guard let frame = bench.ask(Battery.Request()).first,
                    let reply = try? Battery.Reply(decoding: frame)
                else { continue }
                levels.insert(Int(reply.percent))
            }
            #expect(levels.allSatisfy { max(percent - 15, 1)...percent ~= $0 }, "\(levels)")
            #expect((levels.count > 1) == (percent > 1))
            #expect(bench.ring.batteryPercent >= percent - 1, "the charge does not jump")
        }
    }

    @Test func aSplitNightTakesThePlaceOfNoOther() {
        let whole = Self.bench([]).ring.history.sleepPeriods
        let split = Self.bench(.splitNights).ring.history.sleepPeriods
        #expect(Set(split.map(\.daysAgo)) == Set(whole.map(\.daysAgo)))
        #expect(split.count > whole.count)
        #expect(split.allSatisfy { $0.isConsistent })
    }

    @Test func theSelectorOfLateTemperaturesHasNoEffect() throws {
        var bench = Self.bench(.lateTemperature)
        let today = bench.ask(TemperatureSeries.Request.today)
        #expect(today == bench.ask(TemperatureSeries.Request(selector: .max)))
        let reply = try TemperatureSeries.Reply(decoding: try #require(today.first))
        #expect(reply.days.map(\.daysAgo) == [1])
    }

    @Test func temperaturesOfTodayComeAtTen() throws {
        var bench = Self.bench(.lateTemperature)
        let second = Int(bench.ring.time.time.secondsSinceMidnight)
        bench.advance(by: .seconds(22 * 3600 - second - 1))
        func days(_ bench: RingBench) -> [UInt8] {
            bench.ring.history.temperatures().map(\.daysAgo)
        }
        bench.modify { _ in }
        #expect(days(bench) == [1])
        bench.advance(by: .seconds(1))
        bench.modify { _ in }
        #expect(days(bench) == [1, 0])
    }

    /// A fault of the request itself comes first, and only a log that is promised is refused.
    @Test func oneOfThePromisedLogsIsRefused() {
        let logs = [
            StressLog.Request(day: .today).frame,
            HeartRateVariabilityLog.Request(day: .today).frame,
        ]
        func refused(_ profile: RingProfile, seed: UInt64, faults: [RingFault] = []) -> [UInt8] {
            let options = VirtualRingOptions(
                seed: seed, faults: faults, anomalies: .refusedAbility)
            let ring = RingBench.connected(profile, options: options).ring
            return logs.filter { ring.answers(to: $0) == [Refusal(of: $0.opcode).frame] }
                .map(\.opcode)
        }
        for seed in 1...6 as ClosedRange<UInt64> {
            #expect(refused(.r10, seed: seed).count == 1)
            #expect(refused(.r02, seed: seed) == [StressLog.opcode], "it promises no other")
        }
        let silence = RingFault(.silence, of: .command(StressLog.opcode))
        #expect(refused(.r02, seed: 1, faults: [silence]) == [])
    }

    @Test func aClockAheadIsSetAsAnyOther() throws {
        var bench = Self.bench(.clockAhead)
        let old = bench.ring.time.date
        #expect(old.daysAgo(from: Self.today) == -1096)
        let before = try Self.heartRates(bench, old)
        bench.send(try SetTime.Request(time: RingBench.start, language: .english).frame)
        bench.advance(by: .seconds(1))
        #expect(bench.ring.time.date == Self.today)
        #expect(bench.ring.history.heartRates(of: old) == nil, "a day in the future is not sent")
        bench.send(
            try SetTime.Request(time: CivilDateTime(old, RingBench.start.time), language: .english)
                .frame)
        bench.advance(by: .seconds(1))
        #expect(try Self.heartRates(bench, old) == before, "it is where it was")
    }
}
