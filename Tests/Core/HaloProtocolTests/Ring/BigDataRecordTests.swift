import TestSupport
import Testing

@testable import HaloProtocol

@Suite(.computes) struct BigDataRecordTests {
    private func decoded<Record: BigDataRecord>(
        _ type: Record.Type, _ hex: String
    ) throws -> Record {
        try Record(decoding: HexText.parse(hex))
    }

    @Test func aFrameHasNoLongerPayloadThanItsLengthField() throws {
        #expect(try BigDataFrame(id: 1, payload: [UInt8](repeating: 2, count: 65_535)).id == 1)
        let error = #expect(throws: ValueError.self) {
            try BigDataFrame(id: 1, payload: [UInt8](repeating: 2, count: 65_536))
        }
        #expect(error?.found == 65_536)
    }

    @Test func mistypedChecksumIsRefusedForThatReason() {
        #expect(throws: FrameError(.wrongChecksum, at: 4, expected: 0x7BD8, found: 0x80D8)) {
            try BigDataFrame(decoding: mistypedNight())
        }
    }

    @Test func catalogueListsEachIdOnceInEachDirection() throws {
        for direction in Direction.allCases {
            let ids = BigDataCatalog.entries.compactMap { $0.id(direction) }
            #expect(Set(ids).count == ids.count)
            for id in ids {
                let entry = try #require(BigDataCatalog.entry(id: id, direction))
                #expect(entry.id(direction) == id && entry.form(direction) != nil)
            }
        }
        #expect(BigDataCatalog.entry(id: 0x42, .fromDevice)?.name == WorkoutList.name)
        #expect(BigDataCatalog.entry(id: 0x42, .toDevice) == nil)
        #expect(BigDataCatalog.entry(id: 0x44, .fromDevice)?.name == WorkoutDetail.name)
        #expect(BigDataCatalog.entry(id: 0x45, .fromDevice)?.name == WorkoutSamples.name)
        #expect(BigDataCatalog.entry(id: 0x3E, .toDevice) == nil)
    }

    @Test func singleZeroIsNoDataUnlessItIsARecord() throws {
        for id in UInt8.min...UInt8.max {
            let frame = BigDataNoData(id: id).frame
            #expect(frame.id == id && frame.isSingleZero)
            let form = try #require(BigDataCatalog.form(of: frame, .fromDevice))
            #expect(try form.reencode([0]) == [0])
        }
        let unknown = BigDataNoData(id: 0x8C).frame
        #expect(BigDataCatalog.form(of: unknown, .fromDevice)?.name.subject == "BigDataNoData")
        #expect(BigDataCatalog.form(of: unknown, .toDevice) == nil)
        let explanation = Explanation(of: unknown, direction: .fromDevice)
        #expect(explanation.description.contains("nothing stored, or an unknown record"))
        #expect(try Sleep.Reply.answer(BigDataNoData(id: 0x27).frame) == .noData)
        #expect(try decoded(Sleep.Reply.self, "00").nights.isEmpty)
        #expect(try BloodOxygen.Reply.answer(BigDataNoData(id: 0x2A).frame) == .noData)
        #expect(throws: PacketError.self) { try decoded(BloodOxygen.Reply.self, "00") }
        #expect(
            try Nickname.Reply.answer(BigDataNoData(id: 0x4A).frame)
                == .value(Nickname.Reply()))
        let start = BigDataCatalog.form(of: BigDataNoData(id: 1).frame, .fromDevice)
        #expect(start?.name.description == "DangerousFirmwareUpdateStart.Reply")
    }

    @Test func nightBelongsToTheMorningOnWhichItEnds() throws {
        // 23:19 to 07:37, from the frame with the mistyped checksum.
        let payload = try mistypedNight().dropFirst(6)
        let night = try #require(try Sleep.Reply(decoding: payload).nights.first)
        let today = try CivilDate(year: 2026, month: 3, day: 1)
        #expect(night.startsOnPreviousDay && night.isConsistent)
        #expect(night.minutes == 498 && night.stages.count == 16)
        #expect(night.startTime(today: today)?.description == "2026-02-28 23:19:00")
        #expect(night.endTime(today: today)?.description == "2026-03-01 07:37:00")
        let all = SleepStage.allCases.reduce(0) { $0 + night.minutes(of: $1) }
        #expect(all == night.minutesOfStages)
    }

    @Test func sleepKeepsUndescribedBytes() throws {
        // An unknown stage, a minute that no day has, an odd length.
        let odd = "01 00 07 FFFF 0100 6305 2A"
        let night = try #require(try decoded(Sleep.Reply.self, odd).nights.first)
        #expect(night.stages.first?.stage.known == nil)
        #expect(night.stages.first?.stage.rawValue == 0x63)
        #expect(night.start.time == nil)
        #expect(night.startTime(today: try CivilDate(daysSince1970: 9)) == nil)
        #expect(try Sleep.Reply(nights: [night]).bytes == HexText.parse(odd))
        #expect(throws: PacketError.self) { try decoded(Sleep.Reply.self, "01 00 03 000000") }
        #expect(throws: PacketError.self) { try decoded(Sleep.Reply.self, "01 00 04 00000000 05") }
        #expect(throws: PacketError.self) { try decoded(Sleep.Reply.self, "02 00 04 00000000") }
    }

    @Test func longNightsAreRefused() throws {
        let stages = [SleepPeriod.Stage](repeating: .init(.deep, minutes: 1), count: 125)
        let night = try SleepPeriod(
            daysAgo: 0, start: .midnight, end: .midnight, stages: stages)
        #expect(try Sleep.Reply(decoding: Sleep.Reply(nights: [night]).bytes).nights == [night])
        #expect(throws: ValueError.self) {
            try SleepPeriod(
                daysAgo: 0, start: .midnight, end: .midnight, stages: stages + stages)
        }
    }

    @Test(arguments: [
        ("", Sleep.Request.empty), ("FF", .allNightsInOneByte), ("FF 01", .allNights),
        ("06 01", Sleep.Request(days: 6, flag: 1)),
    ])
    func sleepHasManyRequestForms(hex: String, request: Sleep.Request) throws {
        #expect(try decoded(Sleep.Request.self, hex) == request)
        #expect(try request.bytes == HexText.parse(hex))
        #expect(throws: PacketError.self) { try decoded(Sleep.Request.self, "060101") }
    }

    @Test func temperaturesAreUnsigned() throws {
        var values = [UInt8](repeating: 0, count: 48)
        values[0] = 0xA7
        values[1] = 1
        let day = try TemperatureSeries.Day(daysAgo: 2, values: values)
        #expect(day.celsius(slot: 0) == 36.7)
        #expect(day.celsius(slot: 1) == 20.1)
        #expect(day.celsius(slot: 2) == nil && day.celsius(slot: 48) == nil)
        #expect(day.slots.start(of: 29)?.description == "14:30:00")
        let reply = try TemperatureSeries.Reply(days: [day, day])
        #expect(try TemperatureSeries.Reply(decoding: reply.frame) == reply)
    }

    @Test func everyHourIsItsOwn() throws {
        let hours = (UInt8(0)..<24).map { (minimum: $0 + 1, maximum: 100 - $0) }
        let day = try BloodOxygen.Day(daysAgo: 2, percent: hours)
        var bytes: [UInt8] = [2]
        for hour in hours { bytes += [hour.minimum, hour.maximum] }
        let record = try BloodOxygen.Reply(days: [day, day])
        #expect(record.bytes == bytes + bytes)
        let read = try BloodOxygen.Reply(decoding: try BigDataFrame(id: 0x2A, payload: bytes))
        #expect(read.days == [day])
        for hour in 0..<24 {
            #expect(day.minimum(hour: hour) == hours[hour].minimum)
            #expect(day.maximum(hour: hour) == hours[hour].maximum)
        }
        #expect([-1, 24, .min, .max].allSatisfy { day.minimum(hour: $0) == 0 })
        #expect([-1, 24, .min, .max].allSatisfy { day.maximum(hour: $0) == 0 })
        for length in 0..<bytes.count {
            let found = kind { try BloodOxygen.Reply(decoding: bytes + bytes.prefix(length)) }
            // The last day may end after its first byte.
            #expect(found == (length <= 1 ? nil : .truncated))
        }
    }

    /// The reply of an R10 that has measured no temperature today.
    @Test func aDayMayEndAfterItsHeader() throws {
        let frame = try BigDataFrame(decoding: HexText.parse("BC 25 02 00 81 B8 00 1E"))
        let reply = try TemperatureSeries.Reply(decoding: frame)
        #expect(reply.days == [try TemperatureSeries.Day(daysAgo: 0, values: [])])
        #expect(reply.frame == frame)
        #expect(try TemperatureSeries.Reply.answer(frame) == .value(reply))
        let request = RingRequest(TemperatureSeries.Request.today)
        let whole = try request.answer(ReceivedAnswer(bigData: [frame])).value?.days.first
        #expect(whole?.values == [UInt8](repeating: 0, count: 48))
    }

    @Test func onlyTheLastDayMayEndEarly() throws {
        let short = try TemperatureSeries.Day(daysAgo: 0, values: [0xA7, 0, 0xA6])
        let whole = try TemperatureSeries.Day(
            daysAgo: 1, values: [UInt8](repeating: 0xA8, count: 48))
        let reply = try TemperatureSeries.Reply(days: [whole, short])
        #expect(try TemperatureSeries.Reply(decoding: reply.frame) == reply)
        #expect(short.celsius(slot: 2) == 36.6 && short.celsius(slot: 3) == nil)
        #expect(throws: ValueError.self) { try TemperatureSeries.Reply(days: [short, whole]) }
        for (hex, days) in [("01", 1), ("00 00", nil), ("01 00", nil)] as [(String, Int?)] {
            let oxygen = try? BloodOxygen.Reply(decoding: HexText.parse(hex))
            #expect(oxygen?.days.count == days, "\(hex)")
        }
        // A record of one byte is not made: it could be taken for "no data".
        let lone = try BloodOxygen.Reply(decoding: HexText.parse("01")).days
        #expect(throws: ValueError.self) { try BloodOxygen.Reply(days: lone) }
        // A single zero is "no data", and no day.
        for id in [TemperatureSeries.replyID, BloodOxygen.replyID, BloodSugar.replyID] {
            let nothing = try BigDataFrame(id: id, payload: [0])
            #expect(Explanation(of: nothing).packet == BigDataNoData.Payload.name, "\(id)")
        }
    }

    @Test func bloodOxygenHasTwentyFourHours() throws {
        let hours = (0..<24).map { (minimum: UInt8($0), maximum: UInt8($0 + 1)) }
        let day = try BloodOxygen.Day(daysAgo: 1, percent: hours)
        #expect(day.minimum(hour: 23) == 23 && day.maximum(hour: 23) == 24)
        #expect(day.maximum(hour: 24) == 0 && day.minimum(hour: -1) == 0)
        #expect(throws: ValueError.self) {
            try BloodOxygen.Day(daysAgo: 1, percent: hours.dropLast())
        }
        #expect(throws: ValueError.self) {
            try BloodOxygen.Reply(days: [BloodOxygen.Day](repeating: day, count: 1338))
        }
    }

    @Test func workoutsKeepOrderLengthsAndUnknownTags() throws {
        // The start twice, a distance of one byte, an unknown tag, an empty value.
        let hex = "01 1707 0601 01000000 0601 02000000 0303 05 0463 AABB 0204"
        let list = try decoded(WorkoutList.Reply.self, hex)
        let workout = try #require(list.workouts.first)
        #expect(try list.bytes == HexText.parse(hex))
        #expect(workout.sport == .run && workout.fields.count == 5)
        #expect(workout.start?.secondsSince1970 == 1 && workout.metres == 5)
        #expect(workout.steps == nil && workout.kilocalories == nil)
        #expect(workout.fields[3].tag.known == nil)
        // A field may not reach beyond its workout.
        for bad in ["01 0507 0601 0100", "01 0307 02 01", "01 0107", "01 0407 0001", "01 02"] {
            #expect(throws: PacketError.self) { try decoded(WorkoutList.Reply.self, bad) }
        }
        let made = try StoredWorkout(
            sport: .run, fields: [.init(.start, 7), .init(.duration, 60), .init(.steps, 99)])
        let request = WorkoutDetail.Request(made)
        #expect(request?.bytes == [7, 7, 0, 0, 0])
        #expect(made.durationSeconds == 60 && made.steps == 99)
    }

    @Test func workoutMayBeUnknown() throws {
        #expect(WorkoutDetail.Reply.unknownWorkout.bytes == [1])
        #expect(try decoded(WorkoutDetail.Reply.self, "01") == .unknownWorkout)
        let reply = try decoded(WorkoutDetail.Reply.self, "000100010111")
        #expect(reply == WorkoutDetail.Reply(.init(packageCount: 1)))
    }

    @Test func nicknamesAreSentAsTheyAre() throws {
        #expect(try Nickname.Request(text: [0, 0x41]).bytes == [0, 0x41])
        #expect(try decoded(Nickname.Request.self, "410042").text == [0x41, 0, 0x42])
        let longest = [UInt8](repeating: 0x41, count: 65_535)
        #expect(try Nickname.Request(text: longest).text == longest)
        #expect(throws: ValueError.self) { try Nickname.Request(text: longest + [0x41]) }
    }

    @Test func namesOfFilesAreLengthPrefixed() throws {
        let list = try decoded(FileList.Reply.self, "02 03 612E62 00")
        #expect(list.texts == ["a.b", ""])
        let fields = Explanation(of: list.frame, direction: .fromDevice).fields
        #expect(fields.last?.name == "names[1].length" && fields.last?.meaning == "0")
        #expect(throws: PacketError.self) { try decoded(FileList.Reply.self, "01 03 6162") }
    }
}
