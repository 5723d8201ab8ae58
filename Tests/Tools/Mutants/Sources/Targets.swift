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
    var modules: [String] { sources.map { String($0.split(separator: "/")[2]) } }

    static let all = [
        TargetUnderTest(
            name: "HaloDevices", sources: "Sources/Core/HaloDevices",
            tests: ["HaloDevicesTests", "HaloSimulatorTests"]),
        TargetUnderTest(
            name: "HaloTransport", sources: "Sources/Core/HaloTransport",
            tests: [
                "HaloTransportTests", "HaloSimulatorTests", "HaloDevicesTests", "HaloBlueZTests",
                "HaloCaptureTests",
            ]),
        TargetUnderTest(
            name: "HaloBlueZ", sources: "Sources/Backends/HaloBlueZ",
            tests: ["HaloBlueZTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloCoreBluetooth", sources: "Sources/Backends/HaloCoreBluetooth",
            tests: ["HaloCoreBluetoothTests"]),
        TargetUnderTest(
            name: "HaloDBus", sources: "Sources/Backends/HaloDBus",
            tests: ["HaloDBusTests", "FakeBlueZTests", "HaloBlueZTests"]),
        TargetUnderTest(
            name: "HaloCapture", sources: "Sources/Captures/HaloCapture",
            tests: [
                "HaloCaptureTests", "HaloSimulatorTests", "HaloTestingTests",
                "HaloCommandLineTests", "HaloTrafficTests",
            ]),
        TargetUnderTest(
            name: "HaloTraffic", sources: "Sources/Captures/HaloTraffic",
            tests: ["HaloTrafficTests", "HaloTestingTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloSimulator", sources: "Sources/Virtual/HaloSimulator",
            tests: ["HaloSimulatorTests", "HaloDevicesTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloProtocol", sources: "Sources/Core/HaloProtocol",
            tests: [
                "HaloProtocolTests", "HaloTestingTests", "HaloCaptureTests", "HaloSimulatorTests",
                "HaloDevicesTests",
            ]),
        TargetUnderTest(
            name: "HaloProtocol/Session", sources: "Sources/Core/HaloProtocol/Ring/Session",
            tests: ["HaloProtocolTests", "HaloSimulatorTests", "HaloDevicesTests"]),
        TargetUnderTest(
            name: "HaloProtocol/Answers", sources: "Sources/Core/HaloProtocol/Ring/Answers",
            tests: ["HaloProtocolTests", "HaloSimulatorTests", "HaloDevicesTests"]),
        TargetUnderTest(
            name: "HaloProtocol/HeartRateSensor",
            sources: "Sources/Core/HaloProtocol/HeartRateSensor",
            tests: ["HaloProtocolTests", "HaloSimulatorTests", "HaloDevicesTests"]),
        TargetUnderTest(
            name: "LEDStrip", sources: "Sources/Core/HaloDevices/LEDStrip",
            "Sources/Core/HaloProtocol/LEDStrip", "Sources/Virtual/HaloSimulator/LEDStrip",
            tests: [
                "HaloDevicesTests", "HaloSimulatorTests", "HaloProtocolTests",
                "HaloCommandLineTests",
            ]),
        TargetUnderTest(
            name: "FakeBlueZ", sources: "Sources/Virtual/FakeBlueZ",
            tests: ["FakeBlueZTests", "HaloBlueZTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "HaloHealth", sources: "Sources/Health/HaloHealth",
            tests: ["HaloHealthTests", "HaloCommandLineTests"]),
        TargetUnderTest(
            name: "halo", sources: "Sources/Program/halo", tests: ["HaloCommandLineTests"]),
    ]
}
