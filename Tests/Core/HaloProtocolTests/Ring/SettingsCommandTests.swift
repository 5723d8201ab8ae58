import HaloProtocol
import TestSupport
import Testing

/// Settings, capabilities and dangerous commands, where their meaning is easy to get wrong.
@Suite(.computes) struct SettingsCommandTests {
    // MARK: Capabilities of four rings

    @Test func readsCapabilitiesOfR02() throws {
        let reply = try SetTime.Reply(decoding: frame("01000100220000000001003001001066"))
        #expect(reply.temperature == .unsupported)
        #expect(reply.watchFaces == .supported)
        #expect(reply.menstruation == .unsupported)
        #expect(reply.healthFeatures == [.bloodOxygen, .weather])
        #expect(reply.newSleepProtocol == .supported)
        #expect(reply.mediaFeatures.contains(.jieLiMusic))
        #expect(reply.companionFeatures == [.manualHeartRate])
        #expect(reply.stressFeatures == [.stress])
    }

    @Test func readsCapabilitiesOfR12AndR10() throws {
        let r12 = try SetTime.Reply(decoding: frame("01000000020000000001002001003055"))
        let r10 = try SetTime.Reply(decoding: frame("01010000020000000001002000003055"))
        #expect(r12.temperature == .unsupported)
        #expect(r10.temperature == .supported)
        #expect(r12.companionFeatures == [.manualHeartRate])
        #expect(r10.companionFeatures == [])
        for reply in [r12, r10] {
            #expect(reply.healthFeatures == [.bloodOxygen])
            #expect(reply.stressFeatures == [.stress, .heartRateVariability])
            #expect(reply.screenWidth == 0 && reply.screenHeight == 0)
        }
    }

    @Test func readsCapabilitiesOfH59() throws {
        let reply = try SetTime.Reply(decoding: frame("01000001160000000001002000003069"))
        #expect(reply.menstruation == .supported)
        #expect(reply.healthFeatures == [.bloodOxygen, .bloodPressure, .healthCheck])
        #expect(!reply.stressFeatures.contains(.bloodPressureSetting))
    }

    @Test func theDefaultLimitOfContactsIsTwenty() {
        var reply = SetTime.Reply()
        #expect(Explanation(of: reply.frame).reading.contains("contactTens: 20 contacts"))
        reply.contactTens = 3
        #expect(Explanation(of: reply.frame).reading.contains("contactTens: 30 contacts"))
    }

    @Test func keepsUndescribedCapabilities() throws {
        let all = try Frame(
            opcode: SetTime.opcode, payload: InlineBytes(prefix: repeatElement(0xFF, count: 14)))
        #expect(try SetTime.Reply(decoding: all).frame == all)
    }

    /// Fields that lie in one word leave each other alone.
    @Test func everyCapabilityIsItsOwn() throws {
        var reply = SetTime.Reply()
        reply.mediaFeatures = SetTime.MediaFeatures(rawValue: 0x11)
        reply.companionFeatures = SetTime.CompanionFeatures(rawValue: 0x12)
        reply.contactTens = 0x13
        reply.stressFeatures = SetTime.StressFeatures(rawValue: 0x14)
        #expect(reply.frame == (try frame("01 00 00 00 00 00 00 00 00 00 00 11 12 13 14")))
        reply.companionFeatures = []
        reply.contactTens = 0xFF
        #expect(reply.mediaFeatures.rawValue == 0x11 && reply.stressFeatures.rawValue == 0x14)
        #expect(reply.frame == (try frame("01 00 00 00 00 00 00 00 00 00 00 11 00 FF 14")))
        #expect(try SetTime.Reply(decoding: reply.frame) == reply)
    }

    @Test func everyPartOfADayIsItsOwn() throws {
        let date = try DecimalDate(CivilDate(year: 2026, month: 7, day: 2))
        var day = try DailyTotals.Day(daysAgo: 12, date: .unset)
        day.date = date
        #expect(day == (try DailyTotals.Day(daysAgo: 12, date: date)))
        day.offset = DailyTotals.Day.noOffset
        #expect(day.daysAgo == nil)
        #expect(day.date == date)
        day.date = .unset
        #expect(day == .unknown)
    }

    // MARK: Decimal time

    @Test func writesTimeInDecimalDigits() throws {
        let request = try SetTime.Request(time: time(2026, 7, 2, 14, 16, 30))
        #expect(try request.frame == frame("0126070214163001000000000000008b"))
        let urdu = try SetTime.Request(time: time(2099, 12, 31, 23, 59, 59), language: .urdu)
        #expect(
            urdu.frame.payload.prefix(7).elementsEqual([0x99, 0x12, 0x31, 0x23, 0x59, 0x59, 35]))
    }

    @Test func refusesYearsWithoutTwoDigits() throws {
        for year in [1999, 2100] {
            let time = try time(year, 1, 1, 0, 0, 0)
            #expect(throws: ValueError.self) { try SetTime.Request(time: time) }
        }
    }

    @Test(
        arguments: [
            ([0x26, 0x07, 0x0A, 0x14, 0x16, 0x30, 1], PacketError.Kind.notDecimal),
            ([0x26, 0x07, 0x02, 0x14, 0xF0, 0x30, 1], .notDecimal),
            ([0x26, 0x13, 0x02, 0x14, 0x16, 0x30, 1], .noSuchTime),
            ([0x26, 0x02, 0x29, 0x14, 0x16, 0x30, 1], .noSuchTime),
            ([0x26, 0x07, 0x02, 0x24, 0x16, 0x30, 1], .noSuchTime),
            ([0x26, 0x07, 0x02, 0x14, 0x16, 0x60, 1], .noSuchTime),
            ([0x26, 0x07, 0x02, 0x14, 0x16, 0x30, 27], .unknownCode),
        ] as [([UInt8], PacketError.Kind)])
    func refusesInvalidTimes(bytes: [UInt8], kind: PacketError.Kind) throws {
        let frame = try Frame(opcode: SetTime.opcode, payload: InlineBytes(prefix: bytes))
        let error = #expect(throws: PacketError.self) { try SetTime.Request(decoding: frame) }
        #expect(error?.kind == kind)
        #expect(error?.field == (kind == .unknownCode ? "language" : "time"))
    }

    // MARK: On and off

    @Test func writesOffInTheDialectOfTheCommand() throws {
        #expect(
            try AutoHeartRate.Request.write(.init(isOn: false, minutesPerMeasurement: 5)).frame
                == frame("1602020500000000000000000000001f"))
        #expect(
            try AutoStress.Request.write(.init(.off)).frame
                == frame("36020000000000000000000000000038"))
        #expect(try AutoStress.Request.read.frame == frame("36010000000000000000000000000037"))
    }

    @Test(arguments: [
        ("3802000000000000000000000000003a", SwitchState.off),
        ("3802010000000000000000000000003b", .on),
        ("3802020000000000000000000000003c", .offAsTwo),
    ])
    func readsBothDialectsOfOff(hex: String, toggle: SwitchState) throws {
        let reply = try AutoHeartRateVariability.Reply(decoding: frame(hex))
        #expect(reply.echo == ToggleSetting(toggle))
        #expect(toggle.isOn == (toggle == .on))
    }

    @Test func tellsReadingFromEcho() throws {
        let reading = try AutoHeartRate.Reply(
            decoding: frame("1601011e05000000000000000000003b"))
        #expect(reading.reading?.minutesPerMeasurement == 30)
        #expect(reading.reading?.minimumMinutes == 5)
        let echo = try AutoHeartRate.Reply(decoding: frame("16020100000000000000000000000019"))
        #expect(echo.echo == ToggleSetting(.on))
        #expect(echo.reading == nil)
    }

    @Test func keepsBytesThatDoNotFit() throws {
        let ofR12 = try BloodPressureSetting.Reply(
            decoding: frame("0c011628000c00000000000000000057"))
        #expect(ofR12.reading?.enabled.known == nil)
        #expect(ofR12.reading?.period.start == nil)
        let ofR02 = try UserPreferences.Reply(
            decoding: frame("0a02cc9600000000000000000000006e"))
        #expect(ofR02.unclaimed.elementsEqual([0xCC, 0x96]))
    }

    // MARK: Text from a phone

    @Test func escapesPhoneNames() throws {
        let request = try PhoneName.Request(
            platform: .android, systemVersion: 10, phoneName: "a\u{1B}[2J\\")
        #expect(request.printableName == "a\\x1B[2J\\x5C")
        #expect(throws: ValueError.self) {
            try PhoneName.Request(platform: .iOS, systemVersion: 18, phoneName: "Zoë")
        }
        #expect(throws: ValueError.self) {
            try PhoneName.Request(platform: .iOS, systemVersion: 18, phoneName: "thirteen char")
        }
    }

    // MARK: Dangers

    @Test func namesEveryDanger() {
        let dangers: [UInt8] = [0x08, 0x0F, 0xC0, 0xC1, 0xC9, 0xCA, 0xFF]
        for entry in CommandCatalog.entries {
            let isNamed = entry.name.description.hasPrefix("Dangerous")
            #expect(isNamed == dangers.contains(entry.opcode), "\(entry.name)")
            #expect(isNamed == (entry.facts.danger != nil), "\(entry.name)")
        }
        for entry in BigDataCatalog.entries {
            let isNamed = entry.name.description.hasPrefix("Dangerous")
            #expect(isNamed == (entry.facts.danger != nil), "\(entry.name)")
        }
    }

    @Test func knowsAFactoryResetFromAMistake() throws {
        let reset = DangerousFactoryReset.Request.knowinglyErasingEverything
        #expect(reset.frame.payload.prefix(3).elementsEqual([0x66, 0x66, 0]))
        let mistake = try Frame(opcode: DangerousFactoryReset.opcode)
        #expect(try !DangerousFactoryReset.Request(decoding: mistake).isConfirmed)
    }

    @Test func mistakesNoRefusalForAReplyOfAHighOpcode() throws {
        let refusal = Refusal(of: 0x21).frame
        #expect(refusal.opcode == RawSensors.opcode)
        let error = #expect(throws: PacketError.self) { try RawSensors.Reply.answer(refusal) }
        #expect(error?.kind == .wrongOpcode)
        #expect(error?.found == 0x21)
    }

    @Test func listsOpcodesOnceAndInOrder() {
        let entries = CommandCatalog.entries
        for (entry, next) in zip(entries, entries.dropFirst()) where entry.opcode >= next.opcode {
            Issue.record(
                """
                CommandCatalog.swift lists \(entry.name), \(HexText.byte(entry.opcode)), before \
                \(next.name), \(HexText.byte(next.opcode)).
                """)
        }
    }

    @Test(arguments: ["16070105", "05090102", "3B0501", "3A0304AA", "0A00112233"])
    func keepsUndescribedReplies(_ hex: String) throws {
        let frame = try frame(hex)
        let form = try #require(CommandCatalog.entry(opcode: frame.opcode)?.reply)
        #expect(try form.reencode(frame) == frame)
    }
}

private func time(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
) throws -> CivilDateTime {
    CivilDateTime(
        try CivilDate(year: year, month: month, day: day),
        try CivilTime(hour: hour, minute: minute, second: second))
}
