import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Settings are kept, and acknowledged as in captures.
@Suite(.passesTime) struct VirtualRingSettingsTests {
    private static func frame(_ digits: String) throws -> Frame {
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest = rest.dropFirst(2)
        }
        return try Frame(decoding: bytes)
    }

    @Test(arguments: [
        ("R02", "01000100220000000001003001001066"), ("R12", "01000000020000000001002001003055"),
        ("R10", "01010000020000000001002000003055"), ("H59", "01000001160000000001002000003069"),
    ])
    func capabilitiesAreThoseThatWereCaptured(_ model: String, _ digits: String) throws {
        let profile = try #require(RingProfile.all.first { $0.model == model })
        let captured = try Self.frame(digits)
        #expect(profile.capabilities.frame == captured)
    }

    @Test(arguments: [
        ("R12", "3c008c27002880000000000000000097"), ("R10", "3c00ac2700000000000000000000000f"),
        ("H59", "3c00400020000000000000000000009c"),
    ])
    func functionsAreThoseThatWereCaptured(_ model: String, _ digits: String) throws {
        let profile = try #require(RingProfile.all.first { $0.model == model })
        let captured = try Self.frame(digits)
        #expect(profile.functions.frame == captured)
    }

    @Test(arguments: [
        ("R12", "16010000000000000000000000000017", "16010105050000000000000000000022"),
        ("R12", "0a01000000000000000000000000000b", "0a01000000000000000000000000000b"),
        ("R12", "0c01000000000000000000000000000d", "0c011628000c00000000000000000057"),
        ("R12", "05030000000000000000000000000008", "0503010102050116001700000000003f"),
        ("R12", "1901000000000000000000000000001a", "1901000100000000000000000000001b"),
        ("R12", "3a03010000000000000000000000003e", "3a03010000000000000000000000003e"),
        ("R12", "21010000000000000000000000000022", "2101881300e09304b80b0000000000f7"),
        ("R12", "2c01000000000000000000000000002d", "2c01010000000000000000000000002e"),
        ("R12", "61000000000000000000000000000061", "61ffff0000000000000000000000005f"),
        ("R12", "3b01010000000000000000000000003d", "3b01010001000000000000000000003e"),
        ("R12", "3b01000000000000000000000000003c", "3b01000001000000000000000000003d"),
        ("R10", "2c01000000000000000000000000002d", "2c01011e00000000000000000000004c"),
        ("R10", "3a03010000000000000000000000003e", "3a03010100000000000000000000003f"),
        ("R02", "16010000000000000000000000000017", "1601013c000000000000000000000054"),
    ])
    func factorySettingsAreThoseThatWereCaptured(
        _ model: String, _ request: String, _ reply: String
    ) throws {
        let profile = try #require(RingProfile.all.first { $0.model == model })
        var bench = RingBench.connected(profile, days: 0)
        bench.send(try Self.frame(request))
        bench.advance(by: .seconds(1))
        let captured = try Self.frame(reply)
        #expect(bench.takeFrames() == [captured])
    }

    @Test func theIntervalOfHeartRatesIsKeptAndNotEchoed() throws {
        var bench = RingBench.connected(.r12, days: 0)
        let setting = try AutoHeartRate.Setting(isOn: false, minutesPerMeasurement: 30)
        let echo = bench.ask(AutoHeartRate.Request.write(setting))
        let captured = try Self.frame("1602020000000000000000000000001a")
        #expect(echo == [captured])
        let reading = try AutoHeartRate.Reply(
            decoding: try #require(bench.ask(AutoHeartRate.Request.read).first)
        ).reading
        #expect(reading?.minutesPerMeasurement == 30)
        #expect(reading?.enabled.isOn == false)
    }

    @Test(arguments: [SwitchState.off, .on, .offAsTwo])
    func toggleIsEchoedAsItWasWritten(_ toggle: SwitchState) throws {
        var bench = RingBench.connected(.r10, days: 0)
        let written = ToggleSetting(toggle)
        let echo = bench.ask(AutoHeartRateVariability.Request.write(written))
        #expect(echo == [AutoHeartRateVariability.Reply(.write, echo: written).frame])
        let read = bench.ask(AutoHeartRateVariability.Request.read)
        #expect(read == [AutoHeartRateVariability.Reply(.read, reading: written).frame])
    }

    @Test func theIntervalOfBloodOxygenIsReadAndNotEchoed() throws {
        var bench = RingBench.connected(.r10, days: 0)
        let echo = bench.ask(AutoBloodOxygen.Request.write(AutoBloodOxygen.Setting(.off)))
        let captured = try Self.frame("2c02000000000000000000000000002e")
        #expect(echo == [captured])
        let reading = try AutoBloodOxygen.Reply(
            decoding: try #require(bench.ask(AutoBloodOxygen.Request.read).first)
        ).reading
        #expect(reading?.minutesPerMeasurement == 30)
        #expect(reading?.enabled.isOn == false)
    }

    @Test func preferencesGoalsAndGesturesAreKept() throws {
        var bench = RingBench.connected(.r10, days: 0)
        let preferences = UserPreferences.Setting(
            sex: .female, ageYears: 41, heightCentimetres: 168, weightKilograms: 59)
        let echo = bench.ask(UserPreferences.Request.write(preferences))
        let captured = try Self.frame("0a02000000000000000000000000000c")
        #expect(echo == [captured])
        let read = bench.ask(UserPreferences.Request.read)
        #expect(read == [UserPreferences.Reply(.read, reading: preferences).frame])
        let goals = Goals.Setting(steps: 9000, smallCalories: 1, metres: 2)
        _ = bench.ask(Goals.Request.write(goals))
        #expect(bench.ask(Goals.Request.read) == [Goals.Reply(.read, reading: goals).frame])
        let gesture = TouchGesture.Setting(.camera, parameter: 7)
        _ = bench.ask(TouchGesture.Request.write(gesture, to: .gesture))
        let reading = TouchGesture.Reply(.read, reading: .init(.gesture, gesture)).frame
        #expect(bench.ask(TouchGesture.Request.read(.gesture)) == [reading])
        _ = bench.ask(TouchGesture.Request.write(.init(.heart, parameter: 1), to: .special))
        #expect(bench.ring.settings.special == TouchGesture.Setting(.heart, parameter: 1))
        #expect(bench.ring.settings.goals == goals)
    }

    @Test(arguments: [true, false], [1, 33, 255] as [UInt8])
    func theIntervalOfBloodPressureIsKept(isOn: Bool, minutes: UInt8) throws {
        var bench = RingBench.connected(.h59, days: 0)
        let before = try BloodPressureSetting.Reply(
            decoding: try #require(bench.ask(BloodPressureSetting.Request.read).first)
        ).reading
        let setting = BloodPressureSetting.Setting(
            isOn: isOn, period: try #require(before).period, minutesPerMeasurement: minutes)
        _ = bench.ask(BloodPressureSetting.Request.write(setting))
        let after = bench.ask(BloodPressureSetting.Request.read)
        #expect(after == [BloodPressureSetting.Reply(.read, reading: setting).frame])
    }

    @Test func recordsThatNobodyHasDescribedAreAsCaptured() throws {
        var bench = RingBench.connected(.h59, days: 0)
        let alarms = bench.ask(try BigDataFrame(id: RawRecord.storedAlarms.code, payload: []))
        #expect(alarms.map { Array($0.payload) } == [[1, 0]])
        let unknown = bench.ask(try BigDataFrame(id: RawRecord.undescribed5A.code, payload: []))
        #expect(unknown.map { Array($0.payload) } == [[1, 1, 6]])
    }

    @Test func anR02EchoesPreferencesAsCaptured() throws {
        var bench = RingBench.connected(.r02, days: 0)
        let setting = UserPreferences.Setting(
            sex: .male, ageYears: 30, heightCentimetres: 175, weightKilograms: 70)
        let echo = bench.ask(UserPreferences.Request.write(setting))
        let captured = try Self.frame("0a02cc9600000000000000000000006e")
        #expect(echo == [captured])
    }

    @Test func whatIsSwitchedOffIsNotMeasured() throws {
        var bench = RingBench.connected(.r10, days: 0)
        _ = bench.ask(AutoStress.Request.write(ToggleSetting(.off)))
        let off = try AutoHeartRate.Setting(isOn: false, minutesPerMeasurement: 5)
        _ = bench.ask(AutoHeartRate.Request.write(off))
        bench.advance(by: .seconds(3 * 3600))
        let frames = bench.takeFrames().filter { $0.opcode == RingNotification.opcode }
        let kinds = try frames.map { try RingNotification.Reply(decoding: $0).content.kind }
        #expect(!kinds.contains(Reported(.heartRateStored)))
        #expect(!kinds.contains(Reported(.stressStored)))
        #expect(kinds.contains(Reported(.temperatureStored)))
    }

    @Test func resetForgetsEverything() throws {
        var bench = RingBench.connected(.r10)
        _ = bench.ask(Goals.Request.write(Goals.Setting(steps: 1, smallCalories: 1, metres: 1)))
        #expect(bench.ask(HeartRateLog.Request(day: RingBench.start.date)).count == 24)
        bench.send(DangerousFactoryReset.Request.knowinglyErasingEverything.frame)
        bench.advance(by: .seconds(1))
        #expect(bench.takeFrames().isEmpty)
        #expect(bench.ring.settings == RingProfile.r10.factorySettings)
        #expect(bench.ring.time.date.year == 2000)
        #expect(bench.ask(HeartRateLog.Request(day: RingBench.start.date)).count == 1)
        #expect(bench.ask(Sleep.Request.allNights).allSatisfy { $0.isSingleZero })
    }

    @Test func anUnconfirmedResetDoesNothing() throws {
        var bench = RingBench.connected(.r10)
        bench.send(try Frame(opcode: DangerousFactoryReset.opcode))
        bench.advance(by: .seconds(1))
        #expect(bench.ask(HeartRateLog.Request(day: RingBench.start.date)).count == 24)
    }
}
