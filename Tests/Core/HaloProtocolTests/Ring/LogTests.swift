import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct SlotLogTests {
    @Test(arguments: 1..<5)
    func gapsAreFilledByARepeatedRequest(lost: Int) throws {
        let log = try stressLog(daysAgo: 1, sample: 40)
        var frames = log.frames
        frames.remove(at: lost)
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, frames).isEmpty)
        #expect(results(&assembly, log.frames).compactMap(\.value) == [log])
    }

    @Test func theLastFrameNamesWhatIsMissing() throws {
        let frames = try stressLog(daysAgo: 1, sample: 40).frames
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, [frames[0], frames[1], frames[3]]).isEmpty)
        let error = #expect(throws: PacketError.self) { try assembly.receive(frames[4]) }
        #expect(error?.kind == .missing)
        #expect(error?.expected == 2...2)
        #expect(assembly.partial?.values.count == 51)
    }

    @Test func repeatsAreHarmless() throws {
        let log = try stressLog(daysAgo: 0, sample: 7)
        var assembly = StressLog.Assembly()
        let twice = log.frames.flatMap { [$0, $0] }
        #expect(results(&assembly, twice) == [.value(log)])
    }

    @Test func answersAnewAfterAnAnswer() throws {
        let earlier = try stressLog(daysAgo: 0, sample: 7)
        let later = try stressLog(daysAgo: 0, sample: 8)
        var assembly = StressLog.Assembly()
        #expect(
            results(&assembly, earlier.frames + later.frames)
                == [.value(earlier), .value(later)])
    }

    @Test(arguments: 0..<5)
    func anotherDayNeverMixesIn(lost: Int) throws {
        var stale = try stressLog(daysAgo: 2, sample: 99).frames
        stale.remove(at: lost)
        let log = try stressLog(daysAgo: 1, sample: 1)
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, stale + log.frames) == [.value(log)])
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
        #expect(results(&assembly, log.frames) == [.value(log)])
        #expect(throws: ValueError.self) {
            try HourlySeries.Reply(day: 3, minutesPerSample: 1, samples: samples + [1])
        }
    }

    @Test func aNightOfOldFirmwareBeginsAgainWithItsHeader() throws {
        let header = OldSleep.Part.header(.init(recordCount: 2)).frame
        let (first, second) = (OldSleep.Part.record([1]).frame, OldSleep.Part.record([2]).frame)
        var night = OldSleep.Assembly()
        #expect(results(&night, [header, first, first, header]).isEmpty)
        #expect(night.partial?.records == [])
        #expect(results(&night, [second, first]).map { $0.value?.records } == [[[2], [1]]])
    }

    @Test func keepsWhatTheHeaderHoldsBehindItsFields() throws {
        var frames = try stressLog(daysAgo: 0, sample: 7).frames
        frames[0] = try frame("37 00 05 1E 00 AB")
        var assembly = StressLog.Assembly()
        #expect(results(&assembly, frames).first?.value?.frames == frames)
    }

    @Test func noDataAndRefusalEndALog() throws {
        var assembly = StressLog.Assembly()
        #expect(try assembly.receive(try frame("37 FF")) == .noData)
        #expect(try assembly.receive(try frame("B7 EE")) == .refused)
    }
}

@Suite(.computes) struct ActivityLogTests {
    private func log(day: Int, count: Int = 5) throws -> ActivityLog.Reply {
        let date = try CivilDate(year: 2026, month: 7, day: day)
        return try ActivityLog.Reply(
            records: (0..<count).map { index in
                try ActivityLog.Record(
                    date: date, slot: UInt8(index % 96), energy: 112, steps: 28, metres: 19)
            })
    }

    @Test(arguments: 0..<6)
    func gapsAreFilledByARepeatedRequest(lost: Int) throws {
        let log = try log(day: 2)
        var frames = log.frames
        frames.remove(at: lost)
        var assembly = ActivityLog.Assembly()
        #expect(results(&assembly, frames).isEmpty)
        #expect(results(&assembly, log.frames) == [.value(log)])
    }

    @Test func theLastRecordNamesTheMissingOnes() throws {
        var frames = try log(day: 2).frames
        frames.remove(at: 3)
        let last = frames.removeLast()
        var assembly = ActivityLog.Assembly()
        #expect(results(&assembly, frames + frames).isEmpty)
        let error = #expect(throws: PacketError.self) { try assembly.receive(last) }
        #expect(error?.kind == .missing)
        #expect(error?.expected == 2...2)
        #expect(assembly.partial?.records.count == 4)
    }

    @Test func aWholeLogEndsOnceAndIsNotKept() throws {
        let log = try log(day: 2)
        var frames = log.frames
        var assembly = ActivityLog.Assembly()
        #expect(results(&assembly, frames + frames.suffix(1)) == [.value(log)])
        frames.remove(at: 2)
        #expect(results(&assembly, frames).isEmpty)
    }

    @Test func anotherDateStartsANewLog() throws {
        let log = try log(day: 3)
        var assembly = ActivityLog.Assembly()
        let stale = try self.log(day: 2).frames.dropLast()
        #expect(results(&assembly, stale + log.frames) == [.value(log)])
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
        #expect(results(&assembly, log.frames) == [.value(log)])
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

    @Test func keepsAMissingYear() throws {
        let bytes = try frame("43 00 09 05 04 00 01 45 0B 6D 02 FA 01")
        let part = try ActivityLog.Part(decoding: bytes)
        guard case .record(let record, _, _) = part else { throw Unexpected() }
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
        #expect(header.energyUnit == .tensOfSmallCalories)
        var assembly = ActivityLog.Assembly()
        #expect(try assembly.receive(bytes) == .noData)
    }
}

@Suite(.computes) struct DailyTotalsTests {
    @Test func joinsItsTwoFrames() throws {
        let frames = [
            try frame("07 00 00 25 01 27 00 00 2C 00 00 00 00 09 F8"),
            try frame("07 01 00 25 01 27 00 00 00 00 02"),
        ]
        var assembly = DailyTotals.Assembly()
        let reply = try #require(results(&assembly, frames).first?.value)
        #expect(reply.day.daysAgo == 0)
        #expect(reply.movement.steps == 44)
        #expect(reply.kilocalories == 2.552)
        #expect(reply.duration.activeMinutes == 2)
        #expect(reply.frames == frames)
    }

    @Test func refusesTwoDaysInOneReply() throws {
        let second = try frame("07 01 01 25 01 27 00 00 00 00 02")
        var assembly = DailyTotals.Assembly()
        let early = #expect(throws: PacketError.self) { try assembly.receive(second) }
        #expect(early?.kind == .missing)
        _ = try assembly.receive(try frame("07 00 80 24 09 21 00 00 00 00 00 00 00 02 F2"))
        let other = #expect(throws: PacketError.self) { try assembly.receive(second) }
        #expect(other?.kind == .contradiction)
    }
}
