/// A part of the package whose tests are measured.
struct TargetUnderTest: Sendable {
    let name: String
    /// The folders of the sources in which faults are planted.
    let sources: [String]
    /// The test targets that should find the faults, the target's own first. All are in one
    /// package.
    let tests: [String]

    init(name: String, sources: String..., tests: [String]) {
        (self.name, self.sources, self.tests) = (name, sources, tests)
    }

    /// The modules of the sources.
    var modules: [String] { sources.map { String($0.split(separator: "/")[1]) } }

    static let all = [
        TargetUnderTest(
            name: "HaloDevices", sources: "Sources/HaloDevices",
            tests: ["HaloDevicesTests", "HaloSimulatorTests"]),
        TargetUnderTest(
            name: "HaloTransport", sources: "Sources/HaloTransport",
            tests: [
                "HaloTransportTests", "HaloSimulatorTests", "HaloDevicesTests", "HaloBlueZTests",
                "HaloCaptureTests",
            ]),
        TargetUnderTest(
            name: "HaloBlueZ", sources: "Sources/HaloBlueZ",
            tests: ["HaloBlueZTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloCoreBluetooth", sources: "Sources/HaloCoreBluetooth",
            tests: ["HaloCoreBluetoothTests"]),
        TargetUnderTest(
            name: "HaloDBus", sources: "Sources/HaloDBus",
            tests: ["HaloDBusTests", "FakeBlueZTests", "HaloBlueZTests"]),
        TargetUnderTest(
            name: "HaloCapture", sources: "Sources/HaloCapture",
            tests: [
                "HaloCaptureTests", "HaloSimulatorTests", "HaloTestingTests",
                "HaloCommandLineTests", "HaloTrafficTests",
            ]),
        TargetUnderTest(
            name: "HaloTraffic", sources: "Sources/HaloTraffic",
            tests: ["HaloTrafficTests", "HaloTestingTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloSimulator", sources: "Sources/HaloSimulator",
            tests: ["HaloSimulatorTests", "HaloDevicesTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloProtocol/Session", sources: "Sources/HaloProtocol/Ring/Session",
            tests: ["HaloProtocolTests", "HaloSimulatorTests", "HaloDevicesTests"]),
        TargetUnderTest(
            name: "HaloProtocol/Answers", sources: "Sources/HaloProtocol/Ring/Answers",
            tests: ["HaloProtocolTests", "HaloSimulatorTests", "HaloDevicesTests"]),
        TargetUnderTest(
            name: "HaloProtocol/HeartRateSensor",
            sources: "Sources/HaloProtocol/HeartRateSensor",
            tests: ["HaloProtocolTests", "HaloSimulatorTests", "HaloDevicesTests"]),
        TargetUnderTest(
            name: "LEDStrip", sources: "Sources/HaloDevices/LEDStrip",
            "Sources/HaloProtocol/LEDStrip", "Sources/HaloSimulator/LEDStrip",
            tests: [
                "HaloDevicesTests", "HaloSimulatorTests", "HaloProtocolTests",
                "HaloCommandLineTests",
            ]),
        TargetUnderTest(
            name: "FakeBlueZ", sources: "Sources/FakeBlueZ",
            tests: ["FakeBlueZTests", "HaloBlueZTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "halo", sources: "Sources/halo", tests: ["HaloCommandLineTests"]),
    ]
}
