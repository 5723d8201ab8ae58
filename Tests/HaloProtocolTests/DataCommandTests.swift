import HaloProtocol
import Testing

private func frame(_ hex: String) throws -> Frame {
    let digits = hex.utf8.compactMap(HexText.value(ofDigit:))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
        digits[$0] << 4 | digits[$0 + 1]
    }
    return try Frame(
        opcode: try #require(bytes.first), payload: InlineBytes(prefix: bytes.dropFirst()))
}

private func stressLog(daysAgo: UInt8, sample: UInt8) throws -> StressLog.Reply {
    try StressLog.Reply(
        day: DaysAgo(daysAgo), minutesPerSample: 30,
        samples: [UInt8](repeating: sample, count: 48))
}

/// What an assembly answers to frames one after another; the errors are left out.
private func answers<Assembly: ReplyAssembly>(
    _ assembly: inout Assembly, _ frames: some Sequence<Frame>
) -> [Answer<Assembly.Reply>] {
    var answers: [Answer<Assembly.Reply>] = []
    for frame in frames {
        if let answer = try? assembly.receive(frame) { answers.append(answer) }
    }
    return answers
}

struct SlotLogTests {
    @Test(arguments: 1..<5)
    func gapsFillByAskingAgain(lost: Int) throws {
        let log = try stressLog(daysAgo: 1, sample: 40)
        var frames = log.frames
        frames.remove(at: lost)
        var assembly = StressLog.Assembly()
        #expect(answers(&assembly, frames).isEmpty)
        #expect(assembly.missing.contains(UInt8(lost)))
        #expect(answers(&assembly, log.frames).compactMap(\.value) == [log])
    }

    @Test func theLastFrameNamesWhatIsMissing() throws {
        let frames = try stressLog(daysAgo: 1, sample: 40).frames
        var assembly = StressLog.Assembly()
        #expect(answers(&assembly, [frames[0], frames[1], frames[3]]).isEmpty)
        let error = #expect(throws: PacketError.self) { try assembly.receive(frames[4]) }
        #expect(error?.kind == .missing)
        #expect(error?.expected == 2...2)
        #expect(assembly.missing == [2])
        #expect(assembly.partial?.values.count == 51)
    }

    @Test func repeatsAreHarmless() throws {
        let log = try stressLog(daysAgo: 0, sample: 7)
        var assembly = StressLog.Assembly()
        let twice = log.frames.flatMap { [$0, $0] }
        #expect(answers(&assembly, twice) == [.value(log)])
    }

    @Test func answersAnewAfterAnAnswer() throws {
        let earlier = try stressLog(daysAgo: 0, sample: 7)
        let later = try stressLog(daysAgo: 0, sample: 8)
        var assembly = StressLog.Assembly()
        #expect(
            answers(&assembly, earlier.frames + later.frames)
                == [.value(earlier), .value(later)])
    }

    @Test(arguments: 0..<5)
    func anotherDayNeverMixesIn(lost: Int) throws {
        var stale = try stressLog(daysAgo: 2, sample: 99).frames
        stale.remove(at: lost)
        let log = try stressLog(daysAgo: 1, sample: 1)
        var assembly = StressLog.Assembly()
        #expect(answers(&assembly, stale + log.frames) == [.value(log)])
    }

    @Test func refusesFramesWithoutAHeader() throws {
        var assembly = StressLog.Assembly()
        for stray in try stressLog(daysAgo: 2, sample: 9).frames.dropFirst() {
            let error = #expect(throws: PacketError.self) { try assembly.receive(stray) }
            #expect(error?.kind == .outOfOrder)
        }
    }

    @Test func refusesAHeaderThatLeavesNoRoom() throws {
        var assembly = HeartRateLog.Assembly()
        let error = #expect(throws: PacketError.self) {
            try assembly.receive(try frame("15 00 01 05"))
        }
        #expect(error?.kind == .impossibleCount)
    }

    @Test func joinsTheLongestLog() throws {
        let samples = (0..<3301).map { UInt8(truncatingIfNeeded: $0 * 7 | 1) }
        let log = try HourlySeries.Reply(day: 3, minutesPerSample: 1, samples: samples)
        #expect(log.frames.count == 255)
        #expect(log.samples.count == 1440)
        var assembly = HourlySeries.Assembly()
        #expect(answers(&assembly, log.frames) == [.value(log)])
        #expect(throws: ValueError.self) {
            try HourlySeries.Reply(day: 3, minutesPerSample: 1, samples: samples + [1])
        }
    }

    @Test func keepsWhatTheHeaderHoldsBehindItsFields() throws {
        var frames = try stressLog(daysAgo: 0, sample: 7).frames
        frames[0] = try frame("37 00 05 1E 00 AB")
        var assembly = StressLog.Assembly()
        #expect(answers(&assembly, frames).first?.value?.frames == frames)
    }

    @Test func noDataAndRefusalAreAnswers() throws {
        var assembly = StressLog.Assembly()
        #expect(try assembly.receive(try frame("37 FF")) == .noData)
        #expect(try assembly.receive(try frame("B7 EE")) == .refused)
    }
}

struct ActivityLogTests {
    private func log(day: Int, count: Int = 5) throws -> ActivityLog.Reply {
        let date = try CivilDate(year: 2026, month: 7, day: day)
        return try ActivityLog.Reply(
            records: (0..<count).map { index in
                try ActivityLog.Record(
                    date: date, slot: UInt8(index % 96), energy: 112, steps: 28, metres: 19)
            })
    }

    @Test(arguments: 0..<6)
    func gapsFillByAskingAgain(lost: Int) throws {
        let log = try log(day: 2)
        var frames = log.frames
        frames.remove(at: lost)
        var assembly = ActivityLog.Assembly()
        #expect(answers(&assembly, frames).isEmpty)
        #expect(answers(&assembly, log.frames) == [.value(log)])
    }

    @Test func theLastRecordNamesWhatIsMissing() throws {
        var frames = try log(day: 2).frames
        frames.remove(at: 3)
        let last = frames.removeLast()
        var assembly = ActivityLog.Assembly()
        #expect(answers(&assembly, frames + frames).isEmpty)
        let error = #expect(throws: PacketError.self) { try assembly.receive(last) }
        #expect(error?.kind == .missing)
        #expect(error?.expected == 2...2)
        #expect(assembly.missing == [2])
        #expect(assembly.partial?.records.count == 4)
    }

    @Test func anotherDateStartsANewLog() throws {
        let log = try log(day: 3)
        var assembly = ActivityLog.Assembly()
        let stale = try self.log(day: 2).frames.dropLast()
        #expect(answers(&assembly, stale + log.frames) == [.value(log)])
    }

    @Test func refusesARecordThatContradictsTheHeader() throws {
        var assembly = ActivityLog.Assembly()
        _ = try assembly.receive(try frame("43 F0 04 01"))
        let error = #expect(throws: PacketError.self) {
            try assembly.receive(try frame("43 26 07 02 04 00 05 70 00 1C 00 13"))
        }
        #expect(error?.kind == .contradiction)
        #expect(error?.expected == 4...4)
        #expect(error?.found == 5)
    }

    @Test func joinsTheLongestLog() throws {
        let log = try log(day: 2, count: 255)
        var assembly = ActivityLog.Assembly()
        #expect(answers(&assembly, log.frames) == [.value(log)])
    }

    @Test(arguments: [(UInt8(1), 28.85), (UInt8(0), 2.885)])
    func energyHasTwoUnits(unit: UInt8, kilocalories: Double) throws {
        var assembly = ActivityLog.Assembly()
        _ = try assembly.receive(
            try Frame(opcode: 0x43, payload: [0xF0, 0x01, unit]))
        let answer = try assembly.receive(try frame("43 26 09 05 00 00 01 45 0B 6D 02 FA 01"))
        let reply = try #require(answer?.value)
        let record = try #require(reply.records.first)
        #expect(reply.kilocalories(of: record) == kilocalories)
        #expect(record.steps == 621)
        #expect(record.metres == 506)
    }

    @Test func keepsAYearThatTheRingForgot() throws {
        let bytes = try frame("43 00 09 05 04 00 01 45 0B 6D 02 FA 01")
        let part = try ActivityLog.Part(decoding: bytes)
        guard case .record(_, let record) = part else { throw Unexpected() }
        #expect(record.date.year == 0)
        #expect(record.date.month == 9)
        #expect(record.start == (try CivilTime(hour: 1, minute: 0)))
        #expect(part.frame == bytes)
    }

    @Test func noDataMayNameTheUnit() throws {
        let bytes = try frame("43 FF 00 01")
        guard case .noData(let header) = try ActivityLog.Part(decoding: bytes) else {
            throw Unexpected()
        }
        #expect(header.energyUnit == .tensOfCalories)
        var assembly = ActivityLog.Assembly()
        #expect(try assembly.receive(bytes) == .noData)
    }
}

private struct Unexpected: Error {}

struct DailyTotalsTests {
    @Test func joinsItsTwoFrames() throws {
        let frames = [
            try frame("07 00 00 25 01 27 00 00 2C 00 00 00 00 09 F8"),
            try frame("07 01 00 25 01 27 00 00 00 00 02"),
        ]
        var assembly = DailyTotals.Assembly()
        let reply = try #require(answers(&assembly, frames).first?.value)
        #expect(reply.day.daysAgo == 0)
        #expect(reply.movement.steps == 44)
        #expect(reply.kilocalories == 2.552)
        #expect(reply.duration.activeMinutes == 2)
        #expect(reply.frames == frames)
    }

    @Test func refusesTwoDaysInOneAnswer() throws {
        let second = try frame("07 01 01 25 01 27 00 00 00 00 02")
        var assembly = DailyTotals.Assembly()
        let early = #expect(throws: PacketError.self) { try assembly.receive(second) }
        #expect(early?.kind == .missing)
        _ = try assembly.receive(try frame("07 00 80 24 09 21 00 00 00 00 00 00 00 02 F2"))
        let other = #expect(throws: PacketError.self) { try assembly.receive(second) }
        #expect(other?.kind == .contradiction)
    }
}

struct RealtimeMeasurementTests {
    @Test(arguments: [
        ("69 01 00", RealtimeMeasurement.Request(asVendor: .heartRate)),
        ("69 0A 25", RealtimeMeasurement.Request(asVendor: .heartRateVariability)),
        ("69 03 01", RealtimeMeasurement.Request(.bloodOxygen)),
        ("69 06 03", RealtimeMeasurement.Request(.heartRateStream, .resume)),
        ("69 01 04", RealtimeMeasurement.Request(.heartRate, .stop)),
    ])
    func speaksBothDialects(hex: String, request: RealtimeMeasurement.Request) throws {
        #expect(request.frame == (try frame(hex)))
        #expect(try RealtimeMeasurement.Request(decoding: try frame(hex)) == request)
    }

    @Test func zeroIsNeitherAReadingNorAnError() throws {
        let warming = try RealtimeMeasurement.Reply(decoding: try frame("69 01 00 00 00 00 77 02"))
        #expect(warming.reading == nil)
        #expect(warming.isWarmingUp)
        #expect(warming.beatInterval == 631)
        let notWorn = try RealtimeMeasurement.Reply(decoding: try frame("69 01 01"))
        #expect(notWorn.fault == .notWorn)
        #expect(notWorn.reading == nil)
        #expect(!notWorn.isWarmingUp)
    }

    @Test func readsEachQuantityFromItsPlace() throws {
        let heart = try RealtimeMeasurement.Reply(decoding: try frame("69 01 00 56 00 00 C3 02"))
        #expect(heart.beatsPerMinute == 86)
        #expect(heart.beatInterval == 707)
        #expect(heart.bloodOxygenPercent == nil)
        let oxygen = try RealtimeMeasurement.Reply(decoding: try frame("69 03 00 63 01"))
        #expect(oxygen.bloodOxygenPercent == 99)
        let check = try RealtimeMeasurement.Reply(decoding: try frame("69 05 00 43 6F 48 A9 03"))
        #expect(check.beatsPerMinute == 67)
        #expect(check.pressure?.systolicMillimetresOfMercury == 111)
        #expect(check.pressure?.diastolicMillimetresOfMercury == 72)
        #expect(check.beatInterval == 937)
        let unknown = try RealtimeMeasurement.Reply(decoding: try frame("69 63 07 01"))
        #expect(unknown.quantity.known == nil)
        #expect(unknown.fault.known == nil)
        #expect(unknown.frame == (try frame("69 63 07 01")))
    }
}

struct RingNotificationTests {
    @Test func liveActivityHasTheHighestByteFirst() throws {
        let reply = try RingNotification.Reply(
            decoding: try frame("73 12 00 05 85 00 F9 8F 00 04 3C"))
        #expect(
            reply.content
                == .liveActivity(LiveActivity(steps: 1413, calories: 63_887, metres: 1084)))
    }

    @Test func temperaturesStartAtTwenty() throws {
        let reply = try RingNotification.Reply(decoding: try frame("73 27 A6"))
        guard case .temperatureStored(let temperature) = reply.content else { throw Unexpected() }
        #expect(temperature.celsius == 36.6)
    }

    @Test func keepsWhatNobodyHasDescribed() throws {
        let bytes = try frame("73 5A 01 02 00 04")
        let reply = try RingNotification.Reply(decoding: bytes)
        guard case .unknown(let unknown) = reply.content else { throw Unexpected() }
        #expect(unknown.kind.rawValue == 0x5A)
        #expect(Array(unknown.bytes) == [1, 2, 0, 4])
        #expect(reply.frame == bytes)
    }
}

struct WorkoutTests {
    @Test func onlyAStartHasAStart() throws {
        let started = try WorkoutControl.Reply(decoding: try frame("77 01 00 66 5C 9C 6A"))
        #expect(started.start?.description == "2026-09-05 18:16:06")
        #expect(try WorkoutControl.Reply(decoding: try frame("77")) == .done)
        let echoed = try WorkoutControl.Reply(decoding: try frame("77 02"))
        #expect(echoed.start == nil)
        #expect(echoed.frame == (try frame("77 02")))
    }
}

struct RawSensorsTests {
    @Test(arguments: [
        ("A1 03 00 0C 1F 06 FB 03", 12, 502, -77),
        ("A1 03 12 03 0B 0D 17 04", 291, 189, 372),
    ])
    func axesAreSigned(hex: String, y: Int16, z: Int16, x: Int16) throws {
        let reply = try RawSensors.Reply(decoding: try frame(hex))
        guard case .acceleration(let acceleration) = reply.content else { throw Unexpected() }
        #expect(acceleration.y.counts == y)
        #expect(acceleration.z.counts == z)
        #expect(acceleration.x.counts == x)
        #expect(acceleration.gX == Double(x) / 512)
    }

    @Test func everyCountSurvives() throws {
        for counts in -2048...2047 {
            let axis = try Acceleration.Axis(counts: counts)
            let sent = RawSensors.Reply(.acceleration(Acceleration(x: axis, y: axis, z: axis)))
            guard case .acceleration(let read) = try RawSensors.Reply(decoding: sent.frame).content
            else { throw Unexpected() }
            #expect(Int(read.x.counts) == counts)
        }
        #expect(throws: ValueError.self) { try Acceleration.Axis(counts: 2048) }
    }

    @Test func keepsBitsThatBelongToNoNumber() throws {
        let bytes = try frame("A1 03 12 93 0B FD 17 54")
        let reply = try RawSensors.Reply(decoding: bytes)
        guard case .acceleration(let acceleration) = reply.content else { throw Unexpected() }
        #expect(acceleration.y.counts == 291)
        #expect(reply.frame == bytes)
    }
}
