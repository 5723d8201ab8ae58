import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// Relations between the values of a body, and between its days, are preserved.
@Suite(.computes) struct ScrubbedBodyTests {
    private static let seeds: [UInt64] = (0..<24).map { $0 &* 0x51_7CC1 }

    private func scrubbed(
        _ seed: UInt64, _ make: (inout PlantedCapture) throws -> Void
    ) throws -> Capture {
        var planted = PlantedCapture()
        try make(&planted)
        return try planted.capture.scrubbed(seed: seed).capture
    }

    private func frames(_ capture: Capture) -> [Frame] {
        capture.packets.compactMap { try? Frame(decoding: $0.bytes) }
    }

    @Test(arguments: seeds)
    func totalsStayInTheirOrder(_ seed: UInt64) throws {
        let steps: [UInt32] = [0, 5, 5, 6, 900, 901, 4000, 4000, 12_345, 16_777_215]
        let capture = try scrubbed(seed) { planted in
            for steps in steps {
                let number = UInt24(clamping: steps)
                let reply = TodayTotals.Reply(
                    steps: number, runningSteps: 0, smallCalories: number, metres: 3,
                    activeMinutes: 0)
                try planted.put(.fromDevice, .uart, Array(reply.frame.bytes))
            }
        }
        let replies = try frames(capture).map { try TodayTotals.Reply(decoding: $0) }
        let new = replies.map { $0.steps.value }
        for (old, new) in zip(zip(steps, steps.dropFirst()), zip(new, new.dropFirst())) {
            #expect((old.0 == old.1) == (new.0 == new.1) || new.1 == 0xFF_FFFF)
            #expect(new.0 <= new.1)
        }
        #expect(new.first == 0)
        #expect(new != steps)
        #expect(replies.allSatisfy { $0.runningSteps == 0 && $0.activeMinutes == 0 })
    }

    @Test(arguments: seeds)
    func lightIsReplacedAndStaysInItsOrder(_ seed: UInt64) throws {
        let old = RawSensors.Optical(value: 907, maximum: 911, minimum: 903, difference: 8)
        let capture = try scrubbed(seed) { planted in
            let reply = RawSensors.Reply(.bloodOxygen(old))
            try planted.put(.fromDevice, .uart, Array(reply.frame.bytes))
        }
        let reply = try RawSensors.Reply(decoding: try #require(frames(capture).first))
        guard case .bloodOxygen(let new) = reply.content else {
            Issue.record("\(reply)")
            return
        }
        #expect(new.minimum <= new.value && new.value <= new.maximum)
        #expect(new.difference == new.maximum - new.minimum)
        #expect(new.maximum != old.maximum && new.minimum != old.minimum)
    }

    @Test(arguments: seeds)
    func minimumStaysBelowMaximum(_ seed: UInt64) throws {
        var hours = [(minimum: UInt8, maximum: UInt8)](repeating: (91, 97), count: 24)
        hours[3] = (0, 0)
        hours[4] = (0, 97)
        let day = try BloodOxygen.Day(daysAgo: 2, percent: hours)
        let record = try BloodOxygen.Reply(days: [day]).frame
        let capture = try scrubbed(seed) { planted in
            try planted.record(.fromDevice, record.id, record.payload, cut: 20)
        }
        let bytes = capture.packets.flatMap(\.bytes)
        let reply = try BloodOxygen.Reply(decoding: try BigDataFrame(decoding: bytes))
        let new = try #require(reply.days.first)
        #expect(new.daysAgo == 2)
        for hour in 0..<24 {
            #expect((new.minimum(hour: hour) == 0) == (hours[hour].minimum == 0))
            #expect((new.maximum(hour: hour) == 0) == (hours[hour].maximum == 0))
            #expect(new.minimum(hour: hour) <= new.maximum(hour: hour))
        }
        #expect(capture.packets.map(\.bytes.count) == [20, 20, 15])
    }

    @Test(arguments: seeds)
    func stagesAddUpToTheNight(_ seed: UInt64) throws {
        let stages: [(SleepStage, UInt8)] = [
            (.light, 200), (.deep, 100), (.rem, 70), (.awake, 100),
        ]
        let night = try SleepPeriod(
            daysAgo: 0, start: CivilTime(hour: 23, minute: 10), end: CivilTime(hour: 7, minute: 0),
            stages: stages.map { SleepPeriod.Stage($0.0, minutes: $0.1) })
        let nap = try SleepPeriod(
            daysAgo: 1, start: CivilTime(hour: 13, minute: 0), end: CivilTime(hour: 14, minute: 0),
            stages: [SleepPeriod.Stage(.light, minutes: 60)])
        let reply = try Sleep.Reply(nights: [nap, night])
        let capture = try scrubbed(seed) { planted in
            let frame = reply.frame
            try planted.record(.fromDevice, frame.id, frame.payload)
        }
        let bytes = capture.packets.flatMap(\.bytes)
        let new = try Sleep.Reply(decoding: try BigDataFrame(decoding: bytes))
        #expect(new.nights.count == 2)
        for (old, new) in zip(reply.nights, new.nights) {
            #expect(old.stages.count == new.stages.count)
            #expect(old.daysAgo == new.daysAgo)
            let start = try #require(new.start.time?.minuteOfDay)
            let end = try #require(new.end.time?.minuteOfDay)
            let sum = new.stages.reduce(0) { $0 + Int($1.minutes) }
            #expect((end - start + 1440) % 1440 == sum)
            #expect((start > end) == (old.daysAgo == 0))
            for (first, second) in zip(new.stages, new.stages.dropFirst()) {
                #expect(first.stage != second.stage)
            }
        }
    }

    @Test(arguments: seeds)
    func intervalsBetweenDatesStay(_ seed: UInt64) throws {
        let first = CivilDateTime(secondsSince1970: 1_765_493_657)
        let date = try #require(first.date.advanced(byDays: 40))
        let capture = try scrubbed(seed) { planted in
            planted.say("clock: \(first) +08:00")
            for frame in [
                try SetTime.Request(time: first, language: .english).frame,
                HeartRateLog.Request(time: first).frame,
                WorkoutControl.Reply.started(at: first.advanced(bySeconds: 3601)).frame,
                try SetTime.Request(
                    time: CivilDateTime(date, first.time), language: .english
                ).frame,
            ] { try planted.put(.toDevice, .uart, Array(frame.bytes)) }
            try planted.put(.toDevice, .family(.ledStrip), LEDStripClock(first).bytes)
        }
        let new = frames(capture)
        let set = try SetTime.Request(decoding: new[0]).time
        #expect(set != first)
        #expect(set.time == first.time)
        let days = set.date.daysAgo(from: first.date)
        #expect(days != 0 && days % 7 == 0)
        #expect(try HeartRateLog.Request(decoding: new[1]).time == set)
        #expect(capture.text.contains("# clock: \(set) +08:00\n"))
        #expect(
            try SetTime.Request(decoding: new[3]).time.date == set.date.advanced(byDays: 40))
        let clock = try LEDStripClock(decoding: capture.packets[4].bytes)
        #expect(clock == LEDStripClock(set))
    }

    @Test(arguments: seeds)
    func aForgottenYearStaysForgotten(_ seed: UInt64) throws {
        let days = try [[2, 29], [3, 1], [12, 31]].map {
            try CivilDate(year: 2024, month: $0[0], day: $0[1])
        }
        let capture = try scrubbed(seed) { planted in
            for date in days {
                for year in [date.year, 2000] {
                    let date = try CivilDate(year: year, month: date.month, day: date.day)
                    let bytes = [date.year - 2000, date.month, date.day].map(
                        BinaryCodedDecimal.byte)
                    try planted.frames(
                        .fromDevice, ActivityLog.opcode, bytes + [4, 0, 1, 1, 2, 3, 4, 5, 6])
                }
            }
        }
        let dates = capture.packets.compactMap { packet in
            FieldScrubber.date(packet.bytes[1..<4].reduce(0) { $0 << 8 | UInt64($1) })
        }
        #expect(dates.count == 6)
        for index in stride(from: 0, to: dates.count - 1, by: 2) {
            #expect(dates[index + 1].year == 2000)
            #expect(dates[index + 1].month == dates[index].month)
            #expect(dates[index + 1].day == dates[index].day)
            #expect(dates[index].daysAgo(from: days[index / 2]) % 7 == 0)
        }
    }

    @Test func aLogThatIsSentTwiceStaysOneLog() throws {
        let samples = (0..<288).map { UInt8(50 + $0 % 60) }
        let log = try heartRates(samples)
        let capture = try scrubbed(3) { planted in
            for frame in log.frames + log.frames {
                try planted.put(.fromDevice, .uart, Array(frame.bytes))
            }
        }
        let new = frames(capture)
        #expect(Array(new.prefix(log.frames.count)) == Array(new.suffix(log.frames.count)))
        #expect(Array(new.prefix(log.frames.count)) != log.frames)
    }

    @Test func samplesAreIndependentOfTheOriginals() throws {
        // Two wearers who have nothing in common become one and the same.
        let texts = try [50, 120].map { base in
            let log = try heartRates((0..<288).map { UInt8(base + $0 % 40) })
            return try scrubbed(3) { planted in
                for frame in log.frames {
                    try planted.put(.fromDevice, .uart, Array(frame.bytes))
                }
            }.text
        }
        #expect(texts[0] == texts[1])
    }

    private func heartRates(_ samples: [UInt8]) throws -> HeartRateLog.Reply {
        let time = CivilDateTime(secondsSince1970: 1_765_411_200)
        return try HeartRateLog.Reply(
            day: HeartRateLog.Day(time: time), minutesPerSample: 5, samples: samples)
    }
}
