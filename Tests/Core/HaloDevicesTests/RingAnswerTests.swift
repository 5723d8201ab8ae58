import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Replies that virtual rings do not send, value by value.
@Suite(.passesTime) struct RingAnswerTests {
    private static let today = VirtualBluetooth.defaultStart.date

    private static func time(_ daysAgo: Int, _ hour: Int, _ minute: Int = 0) -> CivilDateTime {
        CivilDateTime(today).advanced(
            bySeconds: -daysAgo * 86_400 + hour * 3600 + minute * 60)
    }

    /// Connects to a ring with a script, whose clock is known from the beginning.
    private static func ask<Value: Sendable>(
        _ profile: RingProfile = .r10, _ script: @escaping ScriptedRing.Script,
        _ body: @escaping @Sendable (Ring) async throws -> Value
    ) throws -> Value {
        try virtually { air in
            let worn = air.add(ScriptedRing(VirtualRing(profile, days: 0), script))
            var options = RingOptions()
            options.earlierClocks = [RingClock(secondsFromUTC: 3600, wasSet: true)]
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            defer { withExtendedLifetime(ring) {} }
            return try await body(ring)
        }
    }

    private static func isRecord(_ id: UInt8, _ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [BigDataFrame.marker, id])
    }

    /// Hours whose maximum is 0 were not measured, even if their minimum is not; hours to come
    /// neither.
    @Test func bloodOxygenIsByTheHour() throws {
        var hours = [(minimum: UInt8, maximum: UInt8)](repeating: (0, 0), count: 24)
        hours[0] = (95, 97)
        hours[1] = (90, 0)
        hours[5] = (0, 99)
        hours[8] = (96, 96)
        hours[23] = (94, 98)
        let reply = try BloodOxygen.Reply(days: [
            BloodOxygen.Day(daysAgo: 0, percent: hours),
            BloodOxygen.Day(daysAgo: 3, percent: hours),
        ])
        let samples = try Self.ask { bytes, _ in
            Self.isRecord(BloodOxygen.requestID, bytes) ? [reply.frame.bytes] : nil
        } _: { ring in
            try await ring.log(.bloodOxygen)
        }
        func sample(_ daysAgo: Int, _ hour: Int, _ least: Int, _ most: Int) -> TimedSample<
            BloodOxygenRange
        > {
            TimedSample(
                time: Self.time(daysAgo, hour), minutes: 60, secondsFromUTC: 3600,
                value: BloodOxygenRange(lowestPercent: least, highestPercent: most))
        }
        // It is nine o'clock: this evening is still to come.
        #expect(
            samples == [
                sample(3, 0, 95, 97), sample(3, 5, 0, 99), sample(3, 8, 96, 96),
                sample(3, 23, 94, 98), sample(0, 0, 95, 97), sample(0, 5, 0, 99),
                sample(0, 8, 96, 96),
            ])
    }

    // MARK: Sleep

    @Test func sleepInTheOlderWayIsNotSupported() throws {
        let history = try Self.ask(Self.oldFirmware, { _, _ in nil }) {
            try await $0.history(days: 7)
        }
        #expect(history.unsupported.contains(.sleep))
        #expect(history.isComplete)
    }

    /// A ring that reports to know the older form only.
    private static var oldFirmware: RingProfile {
        var profile = RingProfile.r02
        profile.capabilities.newSleepProtocol = Reported(.unsupported)
        return profile
    }

    // MARK: The day

    /// The dates that a ring reports, and the effect.
    struct Days: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The dates of the activity, by the number of days ago.
        var activity: [UInt8: CivilDate] = [:]
        var refusesActivity = false
        /// The day and the date of the totals of today.
        var totals: (daysAgo: UInt8, date: CivilDate)?
        /// The year in which it has heart rates.
        var heartRatesOf: Int?
        /// The requests before the clock is set, or everything is read.
        let requests: [String]
        /// The ring's today, where it is not that of the wall clock.
        let historyOf: CivilDate?

        func answer(_ bytes: [UInt8]) -> [[UInt8]]? {
            guard let frame = try? Frame(decoding: bytes), let day = bytes.dropFirst().first else {
                return nil
            }
            switch frame.opcode {
            case ActivityLog.opcode:
                if refusesActivity { return [Array(Refusal(of: frame.opcode).frame.bytes)] }
                guard let date = activity[day],
                    let record = try? ActivityLog.Record(
                        date: date, slot: 30, energy: 1, steps: 2, metres: 1),
                    let reply = try? ActivityLog.Reply(records: [record])
                else { return [[0x43, 0xFF] + [UInt8](repeating: 0, count: 13) + [0x42]] }
                return reply.frames.map { Array($0.bytes) }
            case DailyTotals.opcode:
                guard let totals, let date = try? DecimalDate(totals.date),
                    let day = try? DailyTotals.Day(daysAgo: totals.daysAgo, date: date)
                else { return [Array(Refusal(of: frame.opcode).frame.bytes)] }
                let reply = DailyTotals.Reply(
                    day: day, movement: DailyTotals.Movement(steps: 1, smallCalories: 1),
                    duration: DailyTotals.Duration(metres: 1, activeMinutes: 0, sleepMinutes: 0))
                return reply.frames.map { Array($0.bytes) }
            case HeartRateLog.opcode:
                guard let request = try? HeartRateLog.Request(decoding: frame),
                    request.time.date.year == heartRatesOf,
                    let reply = try? HeartRateLog.Reply(
                        day: HeartRateLog.Day(time: request.time), minutesPerSample: 5,
                        samples: [UInt8](repeating: 60, count: 288))
                else { return nil }
                return reply.frames.map { Array($0.bytes) }
            default: return nil
            }
        }
    }

    private static func day(_ daysAgo: Int) throws -> CivilDate {
        try #require(today.advanced(byDays: -daysAgo))
    }

    private static let scenarios: [Days] = {
        let old = try? CivilDate(year: 2000, month: today.month, day: today.day)
        let days = (0...20).compactMap { try? day($0) }
        guard let old, days.count == 21 else { return [] }
        let week = (0..<8).map { "activity \($0)" }
        let years = ["heart rates of 2000", "heart rates of \(today.year)"]
        return [
            Days(
                testDescription: "the first day with activity says it",
                activity: [3: days[3], 4: days[9]], requests: Array(week.prefix(4)),
                historyOf: nil),
            Days(
                testDescription: "the last day that is asked for", activity: [7: days[7]],
                requests: week, historyOf: nil),
            Days(
                testDescription: "then the totals", activity: [8: days[0]],
                totals: (0, days[0]), requests: week + ["totals"], historyOf: nil),
            Days(
                testDescription: "totals of another day say nothing", totals: (1, days[1]),
                heartRatesOf: today.year, requests: week + ["totals"], historyOf: days[0]),
            Days(
                testDescription: "nothing says it", heartRatesOf: today.year,
                requests: week + ["totals"], historyOf: days[0]),
            Days(
                testDescription: "activity is refused", refusesActivity: true,
                totals: (0, days[0]), requests: ["activity 0", "totals"], historyOf: nil),
            Days(
                testDescription: "another day", activity: [0: days[2]],
                requests: ["activity 0"], historyOf: days[2]),
            Days(
                testDescription: "the totals say another day", totals: (0, days[12]),
                heartRatesOf: days[12].year, requests: week + ["totals"],
                historyOf: days[12]),
            Days(
                testDescription: "a forgotten year", activity: [0: old],
                heartRatesOf: today.year, requests: ["activity 0"] + years, historyOf: nil),
            Days(
                testDescription: "a clock that was never set", activity: [0: old],
                heartRatesOf: 2000, requests: ["activity 0", "heart rates of 2000"],
                historyOf: old),
            Days(
                testDescription: "a year of which the totals say that it was forgotten",
                activity: [0: old], totals: (0, days[0]),
                requests: ["activity 0"] + years + week.dropFirst() + ["totals"], historyOf: nil),
            Days(
                testDescription: "a forgotten year, and no heart rates since that day",
                activity: [0: old, 1: days[1]],
                requests: ["activity 0"] + years + ["activity 1"], historyOf: nil),
            Days(
                testDescription: "a clock of which the totals say that it was never set",
                activity: [0: old], totals: (0, old),
                requests: ["activity 0"] + years + week.dropFirst() + ["totals"], historyOf: old),
            Days(
                testDescription: "a year that nothing tells", activity: [0: old],
                requests: ["activity 0"] + years + week.dropFirst()
                    + ["totals", "something else", years[1]],
                historyOf: nil),
        ]
    }()

    private static func words(_ bytes: [UInt8]) -> String? {
        switch bytes.first {
        case ActivityLog.opcode: return "activity \(bytes[1])"
        case DailyTotals.opcode: return "totals"
        case HeartRateLog.opcode:
            let frame = try? Frame(decoding: bytes)
            let request = frame.flatMap { try? HeartRateLog.Request(decoding: $0) }
            return "heart rates of \(request?.time.date.year ?? 0)"
        default: return nil
        }
    }

    @Test(arguments: scenarios)
    func aRingIsAskedForItsDay(_ days: Days) throws {
        try virtually { air in
            let worn = air.add(
                ScriptedRing(VirtualRing(.r10, days: 0)) { bytes, _ in
                    days.answer(bytes)
                })
            let written = Box<[[UInt8]]>([])
            var options = RingOptions.keeping()
            options.daysReadBeforeClockChange = 1
            options.observer = { trace in
                guard trace.kind == .request, trace.operation == .write else { return }
                if let bytes = trace.bytes { written.change { $0.append(bytes) } }
            }
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            let before = written.value.prefix { words in
                words.first != SetTime.opcode && words.first != TodayTotals.opcode
            }
            // If no day is known, the replies with dates are read next.
            let asked = before.map { Self.words($0) ?? "something else" }
            #expect(asked.starts(with: days.requests))
            if days.historyOf == nil { #expect(asked == days.requests) }
            #expect(ring.clock.wasSet)
            #expect(ring.historyBeforeClockChange?.today == days.historyOf)
            await ring.disconnect()
        }
    }

    @Test func thereAreScenarios() { #expect(Self.scenarios.count == 14) }
}
