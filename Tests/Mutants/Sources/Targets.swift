/// A part of the package whose tests are measured.
struct TargetUnderTest: Sendable {
    let name: String
    /// The folder of the sources in which faults are planted.
    let sources: String
    /// The test targets that should find the faults, the target's own first. All are in one
    /// package.
    let tests: [String]

    /// The module of the sources.
    var module: String { String(sources.split(separator: "/")[1]) }

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
    ]
}
