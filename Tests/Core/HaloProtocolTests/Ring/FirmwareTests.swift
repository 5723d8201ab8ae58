import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct FirmwareTests {
    @Test(
        arguments: [
            ("R02_3.00.06_240523", "R02", 3, 0, 6, "2024-05-23", ChipFamily.blueX),
            ("R02_3.00.17_240903", "R02", 3, 0, 17, "2024-09-03", .blueX),
            ("RY02_3.00.33_250117", "RY02", 3, 0, 33, "2025-01-17", .blueX),
            ("RY02_3.00.38_250403", "RY02", 3, 0, 38, "2025-04-03", .blueX),
            ("RT02R_3.11.00_250611", "RT02R", 3, 11, 0, "2025-06-11", .realtek),
            ("RT02CR_3.12.00_251205", "RT02CR", 3, 12, 0, "2025-12-05", .realtek),
            ("RT03CR_1.00.02_260319", "RT03CR", 1, 0, 2, "2026-03-19", .realtek),
            ("RT09_3.10.21_251107", "RT09", 3, 10, 21, "2025-11-07", .realtek),
            ("RT09_3.10.22_260420", "RT09", 3, 10, 22, "2026-04-20", .realtek),
            ("RT11CR_1.00.08_250514", "RT11CR", 1, 0, 8, "2025-05-14", .realtek),
            ("H59_2.20.02_260319", "H59", 2, 20, 2, "2026-03-19", nil),
            ("R02_003.0.0006_240230", "R02", 3, 0, 6, nil, .blueX),
        ] as [(String, String, Int, Int, Int, String?, ChipFamily?)])
    func readsAsWritten(
        text: String, board: String, major: Int, minor: Int, patch: Int, date: String?,
        chip: ChipFamily?
    ) throws {
        let version = try FirmwareVersion(parsing: text)
        #expect(version.description == text)
        #expect(version.board.description == board)
        #expect([version.major, version.minor, version.patch] == [major, minor, patch])
        #expect(version.buildDate?.description == date)
        #expect(version.board.chip.value == chip)
    }

    @Test(arguments: [
        "R02_V3.0", "RY02_V3.0", "RT02R_V3.1", "RT02CR_V3.1", "RT03CR_V1.0", "RT08_V3.1",
        "RT11CR_V1.0", "H59_V2.2",
    ])
    func hardwareReadsAsWritten(text: String) throws {
        #expect(try HardwareVersion(parsing: text).description == text)
    }

    @Test func refusesEveryTruncationAndMore() {
        let whole = "RT03CR_1.00.02_260319"
        for length in 0..<whole.utf8.count {
            let cut = String(whole.prefix(length))
            #expect(throws: TextError.self) { try FirmwareVersion(parsing: cut) }
        }
        for text in [
            "\(whole)0", "\(whole)\0", " \(whole)", "RT03CR-1.00.02_260319",
            "RT03CR_1.00.x_260319", "RT03CR_1.00.00002_260319", "12345678901234567_1.0.0_260319",
            "ÄT03_1.0.0_260319",
        ] {
            #expect(throws: TextError.self) { try FirmwareVersion(parsing: text) }
        }
        #expect(throws: TextError("hardware version", expected: "a V", at: 4)) {
            try HardwareVersion(parsing: "R02_3.0")
        }
    }

    @Test func dialectFollowsTheBoard() throws {
        let r10 = Dialect(firmware: try FirmwareVersion(parsing: "RT03CR_1.00.02_260319"))
        #expect(r10.workoutHoursBehind.value == 8)
        #expect(r10.rawSensors.value == nil)
        #expect(r10.heartRateVariability.value == true && r10.temperature.value == true)
        let r02 = Dialect(firmware: try FirmwareVersion(parsing: "R02_3.00.06_240523"))
        #expect(r02.workoutHoursBehind.value == nil)
        #expect(r02.rawSensors.value == true)
        #expect(r02.heartRateVariability.value == false && r02.temperature.value == false)
        let r12 = Dialect(firmware: try FirmwareVersion(parsing: "RT11CR_1.00.08_250514"))
        #expect(r12.heartRateVariability.value == true && r12.temperature.value == false)
        let h59 = Dialect(firmware: try FirmwareVersion(parsing: "H59_2.20.02_260319"))
        #expect(h59.heartRateVariability.value == true && h59.temperature.value == false)
        let r09 = Dialect(firmware: try FirmwareVersion(parsing: "RT09_3.10.21_251107"))
        #expect(r09.heartRateVariability.value == nil && r09.temperature.value == nil)
    }

    @Test func dialectBelievesTheRing() {
        var said = Capabilities()
        #expect(Dialect(firmware: nil).sleepRequests.value?.last == .oldCommand)
        said.newSleepProtocol = false
        #expect(Dialect(firmware: nil, capabilities: said).sleepRequests.value == [.oldCommand])
        said.newSleepProtocol = true
        said.pairing = true
        said.temperature = true
        said.heartRateVariability = false
        let dialect = Dialect(firmware: nil, capabilities: said)
        #expect(dialect.sleepRequests.value == [.twoBytes, .oneByte, .empty])
        #expect(dialect.bondIsUseful.value == true)
        let r02 = Dialect(
            firmware: try? FirmwareVersion(parsing: "R02_3.00.06_240523"), capabilities: said)
        #expect(r02.temperature.value == true && r02.heartRateVariability.value == false)
    }

    /// A ring that has touch need not report touches; one without it reports none.
    @Test(arguments: [nil, false, true] as [Bool?]) func touchesOfRings(_ has: Bool?) throws {
        var said = Capabilities()
        said.touch = has
        let unknown = Dialect(firmware: nil, capabilities: said)
        #expect(unknown.touches.value == (has == false ? false : nil))
        let version = try FirmwareVersion(parsing: "RT08_3.10.48_260309")
        #expect(Dialect(firmware: version, capabilities: said).touches.value == true)
    }

    /// The answers of real rings to the clock being set: R02, R12, R10, H59.
    @Test(arguments: [
        ("01000100220000000001003001001066", false, false, false, true),
        ("01000000020000000001002001003055", false, false, true, true),
        ("01010000020000000001002000003055", true, false, true, false),
        ("01000001160000000001002000003069", false, true, true, false),
    ])
    func capabilitiesAreWhatTheRingSays(
        hex: String, temperature: Bool, bloodPressure: Bool, variability: Bool, manual: Bool
    ) throws {
        let digits = hex.utf8.compactMap(HexText.value(ofDigit:))
        let frame = try Frame(
            decoding: stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
        let said = Capabilities(try SetTime.Reply(decoding: frame))
        #expect(said.temperature == temperature)
        #expect(said.bloodPressure == bloodPressure)
        #expect(said.healthCheck == bloodPressure)
        #expect(said.heartRateVariability == variability)
        #expect(said.manualHeartRate == manual)
        #expect(said.bloodOxygen == true)
        #expect(said.stress == true)
        #expect(said.newSleepProtocol == true)
        #expect(said.touch == nil)
    }

    @Test func eachFlagIsACapabilityOfItsOwn() {
        let none = Capabilities(SetTime.Reply()).entries
        func names(_ change: (inout SetTime.Reply) -> Void) -> [String] {
            var reply = SetTime.Reply()
            change(&reply)
            return zip(Capabilities(reply).entries, none)
                .filter { $0.isSupported != $1.isSupported }.map(\.0.name)
        }
        #expect(names { $0.healthFeatures = [.bloodOxygen] } == ["blood oxygen"])
        #expect(names { $0.healthFeatures = [.bloodPressure] } == ["blood pressure"])
        #expect(names { $0.healthFeatures = [.healthCheck] } == ["health check"])
        #expect(names { $0.stressFeatures = [.stress] } == ["stress"])
        #expect(names { $0.stressFeatures = [.heartRateVariability] } == ["heart-rate variability"])
        #expect(names { $0.stressFeatures = [.bloodPressureSetting] } == ["blood-pressure setting"])
        #expect(names { $0.companionFeatures = [.bloodSugar] } == ["blood sugar"])
        #expect(
            names { $0.companionFeatures = [.manualHeartRate] } == ["stored measurements on demand"]
        )
    }

    @Test func functionsAddToCapabilities() {
        let functions = DeviceFunctions.Reply(touchFeatures: [.pairing, .gesture])
        let said = Capabilities(nil, functions)
        #expect(said.pairing == true)
        #expect(said.gesture == true)
        #expect(said.touch == false)
        #expect(said.temperature == nil)
    }
}
