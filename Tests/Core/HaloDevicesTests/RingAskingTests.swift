import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct RingAskingTests {
    @Test func settingsAreReadAndWritten() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        try await ring.set(.stressLog, to: false)
        #expect(try await ring.setting(.stressLog) == false)
        try await ring.set(.stressLog, to: true)
        #expect(try await ring.setting(.stressLog))
        let goals = try await ring.setting(.goals)
        try await ring.set(.goals, to: goals)
        #expect(try await ring.setting(.goals) == goals)
    }

    @Test func aRefusalIsAnAnswerOfAskAndElseAnError() async throws {
        let bench = try await RingBench.connected(.r10)
        let answer = try await bench.ring.ask(SettingRequest<DoNotDisturb>.read)
        #expect(answer == .refused)
        let error = await #expect(throws: DeviceError.self) {
            _ = try await bench.ring.setting(.doNotDisturb)
        }
        #expect(error?.kind == .notSupported)
        #expect(error?.command == DoNotDisturb.name)
    }

    @Test func requestsOfEveryShapeAreAnswered() async throws {
        let bench = try await RingBench.connected(.r12)
        let ring = bench.ring
        #expect(try await ring.ask(Battery.Request()).value?.percent == 80)
        #expect(try await ring.ask(StressLog.Request(day: 1)).value?.samples.count == 48)
        #expect(try await ring.ask(BloodOxygen.Request.allDays).value?.days.isEmpty == false)
        #expect(try await ring.ask(Sleep.Request.allNights).value?.nights.isEmpty == false)
        #expect(try await ring.ask(StressLog.Request(day: 40)) == .noData)
    }

    @Test func commandsOfWhichOnlyTheNameIsKnownAreFrames() async throws {
        let ring = try await RingBench.connected(.r12).ring
        let cycle = try Frame(opcode: 0x2B, payload: [2, 0, 6])
        #expect(try await ring.ask(raw: cycle) == .value(try Frame(opcode: 0x2B)))
        #expect(try await ring.ask(raw: try Frame(opcode: 0x1A)) == .refused)
        let error = await #expect(throws: DeviceError.self) {
            _ = try await ring.ask(raw: Battery.Request().frame)
        }
        #expect(error?.kind == .badValue)
    }

    @Test func recordsOfWhichOnlyTheNameIsKnownAreFrames() async throws {
        let ring = try await RingBench.connected(.h59).ring
        let alarms = try BigDataFrame(id: 0x2C, payload: [])
        #expect(try await ring.ask(raw: alarms) == .value(BigDataFrame(id: 0x2C, payload: [1, 0])))
        #expect(try await ring.ask(raw: try BigDataFrame(id: 0x48, payload: [])) == .noData)
        let error = await #expect(throws: DeviceError.self) {
            _ = try await ring.ask(raw: FileList.Request().frame)
        }
        #expect(error?.kind == .badValue)
    }

    @Test func manyTasksMayAskAtOnce() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 { group.addTask { try await ring.battery().percent } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: 80, count: 40))
    }

    @Test func tooManyRequestsAreAnError() async throws {
        var options = RingOptions()
        options.rules.queueLimit = 4
        let bench = try await RingBench.connected(options: options)
        let ring = bench.ring
        let kinds = await withTaskGroup(of: DeviceError.Kind?.self) { group in
            for _ in 0..<50 {
                group.addTask { await kind { _ = try await ring.totals() } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.allSatisfy { $0 == nil || $0 == .overloaded })
        #expect(try await ring.battery().percent == 80)
    }

    @Test func deviceInformationIsRead() async throws {
        let bench = try await RingBench.connected(.r02)
        let information = try await bench.ring.deviceInformation()
        #expect(information.firmwareRevision?.text == RingProfile.r02.firmware)
        #expect(information.hardwareRevision?.text == RingProfile.r02.hardware)
    }

    @Test func theLightIsSwitchedOn() async throws {
        let bench = try await RingBench.connected()
        try await bench.ring.findMe()
        #expect(bench.worn.state?.isLit == true)
        try await bench.ring.blink()
        #expect(try await bench.ring.battery().percent == 80)
    }

    /// Someone looks for a ring that does not reply, and asks again at once.
    @Test func theLightIsSwitchedOnAgain() async throws {
        var profile = RingProfile.r10
        for opcode in [FindDevice.opcode, BlinkLight.opcode] {
            profile.commands = profile.commands.with(.silent, "made up", for: opcode)
        }
        let bench = try await RingBench.connected(profile)
        let start = bench.air.time.now()
        for _ in 0..<2 {
            try await bench.ring.findMe()
            try await bench.ring.blink()
        }
        let took = bench.air.time.now().duration(since: start)
        #expect(took < SessionRules().frameTimeout * 4.5)
    }

    @Test func silenceEndsInTime() async throws {
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: TodayTotals.opcode)
        let bench = try await RingBench.connected(profile)
        let start = bench.air.time.now()
        let error = await #expect(throws: DeviceError.self) { _ = try await bench.ring.totals() }
        #expect(error?.kind == .timedOut)
        #expect(error?.command == TodayTotals.name)
        #expect(error?.sessionError?.kind == .timedOut)
        #expect(error?.isTransient == true)
        #expect(bench.air.time.now().duration(since: start) < .seconds(40))
        #expect(try await bench.ring.battery().percent == 80)
    }

    @Test func errorsAreSentences() {
        let error = DeviceError(
            .disconnected, command: Battery.name, disconnectReason: DisconnectReason(.outOfReach))
        #expect(
            error.description
                == "Battery: there is no link to the device (the device is out of reach).")
        #expect(DeviceError(.notSupported).description == "the device does not support this.")
    }
}
