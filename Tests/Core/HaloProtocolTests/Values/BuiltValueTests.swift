import HaloProtocol
import HaloTesting
import TestSupport
import Testing

/// Values from public initialisers survive encoding and decoding, for all valid arguments.
@Suite(.computes) struct BuiltValueTests {
    @Test func readAsTheyWereWritten() throws {
        for seed in 0..<200 as Range<UInt64> {
            var chance = FuzzBytes(seed: seed, count: 2_000)
            try settings(&chance)
            try requests(&chance)
            try replies(&chance)
            try records(&chance)
            try characteristics(&chance)
        }
    }

    private func verify(_ packet: some FramePacket) throws { try PacketVerifier.verify(packet) }
    private func verify(_ packet: some BytePacket) throws { try PacketVerifier.verify(packet) }

    private func settings(_ chance: inout FuzzBytes) throws {
        let period = DailyPeriod(from: try time(&chance), to: try time(&chance))
        let isOn = chance.flag()
        try both(
            AutoBloodOxygen.self,
            .init(SwitchState(isOn), minutesPerMeasurement: chance.byte()))
        if let setting = try? AutoHeartRate.Setting(
            isOn: isOn, minutesPerMeasurement: chance.byte())
        {
            try verify(AutoHeartRate.Request.write(setting))
        }
        try verify(
            AutoHeartRate.Reply(
                .read,
                reading: .init(
                    isOn: isOn, minutesPerMeasurement: chance.byte(),
                    minimumMinutes: chance.byte())))
        try both(AutoStress.self, .init(SwitchState(isOn)))
        try both(
            BloodPressureSetting.self,
            .init(isOn: isOn, period: period, minutesPerMeasurement: chance.byte()))
        try verify(DoNotDisturb.Request.write(.init(isOn: isOn, period: period)))
        try both(
            Goals.self,
            .init(
                steps: number(&chance), smallCalories: number(&chance), metres: number(&chance),
                sportMinutes: chance.integer(), sleepMinutes: chance.integer()))
        try both(
            UserPreferences.self,
            .init(
                sex: chance.choice(of: UserPreferences.Sex.allCases) ?? .other,
                ageYears: chance.byte(), heightCentimetres: chance.byte(),
                weightKilograms: chance.byte(), systolicMillimetresOfMercury: chance.byte()))
        if let setting = try? Display.Setting(
            isOn: isOn, hand: .left, brightness: chance.byte(), brightnessLimit: chance.byte(),
            allDay: .yes, period: period)
        {
            try verify(Display.Request.write(setting))
            try verify(Display.Reply(.read, reading: setting))
        }
        try verify(TemperatureSetting.Request.write(.temperature, isOn: isOn))
        try verify(TouchGesture.Request.writeTouch(.music, sleepMinutes: chance.byte()))
        #expect(throws: ValueError("strength", allowed: 1...10, found: 11)) {
            try TouchGesture.Request.writeGesture(.music, strength: 11)
        }
    }

    private func both<Subject: SettingCommand>(
        _ command: Subject.Type, _ setting: Subject.Setting
    ) throws where Subject.Reading == Subject.Setting {
        try verify(SettingRequest<Subject>.read)
        try verify(SettingRequest<Subject>.write(setting))
        try verify(SettingReply<Subject>(.read, reading: setting))
    }

    private func requests(_ chance: inout FuzzBytes) throws {
        let time = CivilDateTime(secondsSince1970: chance.integer())
        try verify(HeartRateLog.Request(time: time))
        try verify(StressLog.Request(day: DaysAgo(chance.byte())))
        if let request = try? SetTime.Request(time: time, language: .german) {
            try verify(request)
        }
        let first = chance.byte()
        let slots = first...max(first, chance.byte())
        if let request = try? ActivityLog.Request(day: 0, slots: slots) { try verify(request) }
        let characters = chance.bytes(chance.integer(in: 0...14)).map { $0 & 0x7F }
        if let request = try? PhoneName.Request(
            platform: .iOS, systemVersion: chance.byte(),
            phoneName: String(decoding: characters, as: UTF8.self))
        {
            try verify(request)
        }
        let bytes = InlineBytes(prefix: chance.bytes(chance.integer(in: 0...16)))
        if let request = try? SetNotificationSwitches.Request(bytes) { try verify(request) }
        if let frame = try? Frame(opcode: chance.byte(), payload: bytes) {
            #expect(frame.payload.starts(with: bytes))
        }
        try verify(RealtimeMeasurement.Request(.stress, .startAsVendor25))
    }

    private func replies(_ chance: inout FuzzBytes) throws {
        try verify(Battery.Reply(percent: chance.byte(), charging: .charging))
        try verify(BloodPressureData.Reply.noData)
        try verify(
            RealtimeMeasurement.Reply(
                .heartRate, value: chance.byte(), second: chance.byte(), third: chance.byte(),
                beatIntervalMilliseconds: chance.integer()))
        let activity = LiveActivity(
            steps: number(&chance), smallCalories: number(&chance), metres: number(&chance))
        try verify(RingNotification.Reply(.liveActivity(activity)))
        try verify(RingNotification.Reply(.stressStored(score: chance.byte())))
        try verify(
            RingNotification.Reply(
                .battery(percent: chance.byte(), charging: Reported(rawValue: chance.byte()))))
        if let narrow = try? Acceleration(
            x: counts(&chance), y: counts(&chance), z: counts(&chance))
        {
            try verify(RawSensors.Reply(.acceleration(narrow)))
        }
        let wide = Acceleration(
            wide: chance.integer(), y: chance.integer(), z: chance.integer())
        try verify(RawSensors.Reply(.acceleration(wide)))
        let start = CivilDateTime(secondsSince1970: chance.integer())
        try verify(WorkoutControl.Reply.started(at: start))
        try verify(
            WorkoutProgress.Reply(
                .run, .running, elapsedSeconds: chance.integer(), beatsPerMinute: chance.byte(),
                steps: number(&chance), metres: number(&chance), smallCalories: number(&chance)))
        try verify(OldSleep.Part.header(.init(recordCount: chance.byte())))
        try verify(OldSleep.Part.noData(.init(recordCount: chance.byte())))
        try verify(
            ActivityLog.Part.noData(
                .init(recordCount: chance.byte(), energyUnit: Reported(.smallCalories))))
        let date = DecimalDate.unset
        if let day = try? DailyTotals.Day(daysAgo: chance.byte(), date: date) {
            try verify(
                DailyTotals.Part.movement(
                    day, .init(steps: number(&chance), smallCalories: number(&chance))))
        }
    }

    private func records(_ chance: inout FuzzBytes) throws {
        var fields: [StoredWorkout.Field] = []
        for _ in 0..<chance.integer(in: 0...50 as ClosedRange<Int>) {
            let tag = chance.choice(of: WorkoutTag.allCases) ?? .start
            let number: UInt32 = chance.integer()
            if let field = try? StoredWorkout.Field(tag, number) {
                #expect(field.number == number)
                fields.append(field)
            }
        }
        if let workout = try? StoredWorkout(sport: .run, fields: fields) {
            try verify(try WorkoutList.Reply(workouts: [workout, workout]))
        }
        let names = (0..<chance.integer(in: 0...4)).map { _ in
            chance.bytes(chance.integer(in: 0...300))
        }
        if let reply = try? FileList.Reply(names: names) { try verify(reply) }
        let samples = (0..<chance.integer(in: 0...20)).map { _ in
            ManualHeartRate.Sample(
                time: CivilDateTime(secondsSince1970: chance.integer()).time,
                beatsPerMinute: chance.byte())
        }
        try verify(try ManualHeartRate.Reply(day: chance.byte(), samples: samples))
        if let day = try? TemperatureSeries.Day(
            daysAgo: chance.byte(), values: chance.bytes(chance.integer(in: 47...49)))
        {
            try verify(try TemperatureSeries.Reply(days: [day]))
        }
        try verify(WorkoutDetail.Reply(.init(packageCount: chance.byte())))
        try verify(try Nickname.Request(text: chance.bytes(20)))
    }

    private func characteristics(_ chance: inout FuzzBytes) throws {
        let energy: UInt16? = chance.flag() ? chance.integer() : nil
        let intervals = (0..<chance.integer(in: 0...300)).map { _ in chance.integer(UInt16.self) }
        if let measurement = try? HeartRateMeasurement(
            beatsPerMinute: chance.integer(), width: chance.flag() ? .oneByte : nil,
            contact: .detected, energyKilojoules: energy, rrIntervals: intervals)
        {
            try verify(measurement)
            for piece in (try? measurement.split(maximumLength: chance.integer())) ?? [] {
                try verify(piece)
            }
        }
        try verify(try DeviceInformationText(String(decoding: chance.bytes(30), as: UTF8.self)))
        try verify(SystemID(address: chance.integer()))
        let version = PnPID.Version(rawValue: chance.integer())
        try verify(
            PnPID(
                source: .usb, vendor: chance.integer(), product: chance.integer(),
                version: version))
        try verify(LEDStripClock(CivilDateTime(secondsSince1970: chance.integer())))
        let uuid = BluetoothUUID(high: chance.integer(), low: chance.integer())
        let contents: [AdvertisingStructure.Content] = [
            .flags(AdvertisingFlags(rawValue: chance.byte())),
            .name(
                AdvertisedName(bytes: chance.bytes(chance.integer(in: 0...300))), isComplete: true),
            .services(.long([uuid, uuid]), isComplete: false),
            .manufacturerData(company: chance.integer(), chance.bytes(9)),
        ]
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        try verify(try AdvertisingData(structures: structures))
    }

    private func number(_ chance: inout FuzzBytes) -> UInt24 {
        UInt24(truncating: chance.integer())
    }

    private func counts(_ chance: inout FuzzBytes) -> Int {
        Int(chance.integer(Int16.self) >> 3)
    }

    private func time(_ chance: inout FuzzBytes) throws -> CivilTime {
        try CivilTime(minuteOfDay: chance.integer(in: 0...1439))
    }

    @Test func refuseWhatTheirBytesCannotHold() throws {
        #expect(throws: ValueError("duration", allowed: 0...65_535, found: 70_000)) {
            try StoredWorkout.Field(.duration, 70_000)
        }
        let first = try record(CivilDate(year: 2026, month: 7, day: 1))
        let second = try record(CivilDate(year: 2026, month: 7, day: 2))
        #expect(throws: ValueError("dates", allowed: 0...1, found: 2)) {
            try ActivityLogReply(records: [first, second])
        }
        #expect(try ActivityLogReply(records: [first, first]).frames.count == 3)
    }

    private func record(_ date: CivilDate) throws -> ActivityLog.Record {
        try ActivityLog.Record(date: date, slot: 1, energy: 2, steps: 3, metres: 4)
    }

    @Test func aDisplayOfZerosHasNothingElse() throws {
        let frame = Display.Request.write(Display.Setting()).frame
        #expect(frame.bytes.dropFirst(2).dropLast().allSatisfy { $0 == 0 })
    }

    @Test func sayInWordsWhatIsNotANumber() throws {
        let text = #expect(throws: PacketError.self) {
            try DeviceInformationText(decoding: [0x41, 0xC3])
        }
        #expect(text?.description.hasSuffix("the text ends within a character.") == true)
        let hex = #expect(throws: HexTextError.self) { try HexText.parse("0\u{0}") }
        #expect(hex?.found == 0)
        #expect(hex?.description.hasSuffix("found \"\\x00\" after the first.") == true)
        #expect(#expect(throws: HexTextError.self) { try HexText.parse("0") }?.found == nil)
        #expect(try HexText.parse("03\r\n40") == [3, 0x40])
    }

    @Test func nameNoNumberWhereDatesContradict() throws {
        let july = try CivilDate(year: 2026, month: 7, day: 1)
        let today = try DailyTotals.Day(daysAgo: 0, date: DecimalDate(july))
        let unset = try DailyTotals.Day(daysAgo: 0, date: .unset)
        var assembly = DailyTotals.Assembly()
        let movement = DailyTotals.Movement(steps: 1, smallCalories: 1)
        _ = try assembly.receive(DailyTotals.Part.movement(today, movement).frame)
        let duration = DailyTotals.Duration(metres: 1, activeMinutes: 1, sleepMinutes: 0)
        let second = DailyTotals.Part.duration(unset, duration).frame
        let error = #expect(throws: PacketError.self) { try assembly.receive(second) }
        #expect(
            error?.description
                == "DailyTotals.Part, date at byte 3: earlier parts said something else.")
    }
}
