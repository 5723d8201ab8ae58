// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HaloProtocol",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .library(name: "HaloProtocol", targets: ["HaloProtocol"]),
        .library(name: "HaloTransport", targets: ["HaloTransport"]),
        .library(name: "HaloDevices", targets: ["HaloDevices"]),
        .library(name: "HaloCapture", targets: ["HaloCapture"]),
        .library(name: "HaloTraffic", targets: ["HaloTraffic"]),
        .library(name: "HaloSimulator", targets: ["HaloSimulator"]),
        .library(name: "HaloDBus", targets: ["HaloDBus"]),
        .library(name: "HaloBlueZ", targets: ["HaloBlueZ"]),
        .library(name: "FakeBlueZ", targets: ["FakeBlueZ"]),
        .library(name: "HaloTesting", targets: ["HaloTesting"]),
        .executable(name: "halo", targets: ["halo"]),
    ],
    targets: [
        .target(
            name: "HaloProtocol",
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), .strictMemorySafety()]),
        .target(name: "HaloTransport", dependencies: ["HaloProtocol"]),
        .target(name: "HaloDevices", dependencies: ["HaloProtocol", "HaloTransport"]),
        .target(name: "HaloCapture", dependencies: ["HaloProtocol", "HaloTransport"]),
        .target(
            name: "HaloTraffic", dependencies: ["HaloProtocol", "HaloTransport", "HaloCapture"]),
        .target(
            name: "HaloSimulator", dependencies: ["HaloProtocol", "HaloTransport", "HaloCapture"]),
        .target(name: "HaloDBus"),
        .target(
            name: "BlueZVocabulary", dependencies: ["HaloDBus", "HaloTransport", "HaloProtocol"]),
        .target(
            name: "HaloBlueZ",
            dependencies: ["BlueZVocabulary", "HaloDBus", "HaloTransport", "HaloProtocol"]),
        .target(
            name: "FakeBlueZ",
            dependencies: ["BlueZVocabulary", "HaloDBus", "HaloTransport", "HaloProtocol"]),
        .target(name: "HaloTesting", dependencies: ["HaloProtocol", "HaloTransport"]),
        .executableTarget(
            name: "halo",
            dependencies: [
                "HaloProtocol", "HaloTransport", "HaloDevices", "HaloCapture", "HaloTraffic",
                "HaloSimulator", "HaloDBus", "HaloBlueZ", "FakeBlueZ",
            ]),
        .testTarget(
            name: "HaloProtocolTests",
            dependencies: ["HaloProtocol", "HaloCapture", "HaloTesting"]),
        .testTarget(
            name: "HaloTransportTests",
            dependencies: ["HaloTesting", "HaloTransport", "HaloProtocol"]),
        .testTarget(
            name: "HaloDevicesTests",
            dependencies: [
                "HaloDevices", "HaloSimulator", "HaloTesting", "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloSimulatorTests",
            dependencies: [
                "HaloSimulator", "HaloDevices", "HaloTesting", "HaloTransport", "HaloTraffic",
                "HaloCapture", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloCommandLineTests",
            dependencies: [
                "halo", "BlueZVocabulary", "HaloDBus", "HaloTraffic", "HaloCapture",
                "HaloTesting", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloCaptureTests",
            dependencies: [
                "HaloCapture", "HaloSimulator", "HaloDevices", "HaloTesting", "HaloTransport",
                "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloTrafficTests",
            dependencies: [
                "HaloTraffic", "HaloCapture", "HaloSimulator", "HaloDevices", "HaloTesting",
                "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(name: "HaloDBusTests", dependencies: ["HaloDBus", "HaloTesting"]),
        .testTarget(
            name: "HaloBlueZTests",
            dependencies: [
                "HaloBlueZ", "FakeBlueZ", "BlueZVocabulary", "HaloDBus", "HaloSimulator",
                "HaloDevices", "HaloTesting", "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "FakeBlueZTests",
            dependencies: [
                "FakeBlueZ", "BlueZVocabulary", "HaloDBus", "HaloSimulator", "HaloTesting",
                "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloTestingTests",
            dependencies: [
                "HaloTesting", "HaloTransport", "HaloProtocol", "HaloCapture", "HaloTraffic",
                "HaloSimulator",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Tests of one target alone, where optimised code is tested: the compiler does not survive to
// optimise all of them.
if let only = Context.environment["HALO_TEST_TARGET"] {
    package.targets.removeAll { $0.type == .test && $0.name != only }
}

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
