// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HaloProtocol",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "HaloProtocol", targets: ["HaloProtocol"]),
        .library(name: "HaloTransport", targets: ["HaloTransport"]),
        .library(name: "HaloDevices", targets: ["HaloDevices"]),
        .library(name: "HaloCapture", targets: ["HaloCapture"]),
        .library(name: "HaloTraffic", targets: ["HaloTraffic"]),
        .library(name: "HaloSimulator", targets: ["HaloSimulator"]),
        .library(name: "HaloBlueZ", targets: ["HaloBlueZ"]),
        .library(name: "FakeBlueZ", targets: ["FakeBlueZ"]),
        .library(name: "HaloCoreBluetooth", targets: ["HaloCoreBluetooth"]),
        .library(name: "HaloTesting", targets: ["HaloTesting"]),
        .library(name: "HaloFoundation", targets: ["HaloFoundation"]),
        .library(name: "HaloCaptureFoundation", targets: ["HaloCaptureFoundation"]),
        .library(name: "HaloHealth", targets: ["HaloHealth"]),
        .library(name: "HaloHealthFoundation", targets: ["HaloHealthFoundation"]),
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
        .target(name: "HaloDBus", dependencies: ["HaloTransport", "HaloProtocol"]),
        .target(
            name: "BlueZVocabulary", dependencies: ["HaloDBus", "HaloTransport", "HaloProtocol"]),
        .target(
            name: "HaloBlueZ",
            dependencies: ["BlueZVocabulary", "HaloDBus", "HaloTransport", "HaloProtocol"]),
        .target(
            name: "FakeBlueZ",
            dependencies: ["BlueZVocabulary", "HaloDBus", "HaloTransport", "HaloProtocol"]),
        .target(name: "HaloCoreBluetooth", dependencies: ["HaloProtocol", "HaloTransport"]),
        .target(
            name: "HaloTesting", dependencies: ["HaloProtocol", "HaloTransport", "HaloCapture"]),
        .target(
            name: "HaloFoundation", dependencies: ["HaloProtocol", "HaloTransport", "HaloDevices"]),
        .target(name: "HaloCaptureFoundation", dependencies: ["HaloCapture", "HaloTraffic"]),
        .target(
            name: "HaloHealth", dependencies: ["HaloProtocol", "HaloTransport", "HaloDevices"]),
        .target(name: "HaloHealthFoundation", dependencies: ["HaloHealth"]),
        .executableTarget(
            name: "halo",
            dependencies: [
                "HaloProtocol", "HaloTransport", "HaloDevices", "HaloCapture", "HaloTraffic",
                "HaloSimulator", "HaloDBus", "HaloBlueZ", "FakeBlueZ", "HaloHealth",
            ]),
        // Recorded output; turns and waiting, for tests that open sockets and wait for real time.
        .target(name: "TestSupport", dependencies: ["HaloTransport", "HaloProtocol"]),
        // Recorded sessions, damaged files and samples, for tests of captures and of traffic.
        .target(
            name: "CaptureSupport",
            dependencies: [
                "HaloCapture", "HaloSimulator", "HaloDevices", "HaloTesting", "TestSupport",
                "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloProtocolTests",
            dependencies: [
                "HaloProtocol", "HaloCapture", "HaloTesting", "TestSupport", "HaloTransport",
            ],
            exclude: ["Tidy/Floors.md"]),
        .testTarget(
            name: "HaloTransportTests",
            dependencies: ["HaloTesting", "TestSupport", "HaloTransport", "HaloProtocol"]),
        .testTarget(
            name: "HaloDevicesTests",
            dependencies: [
                "HaloDevices", "HaloSimulator", "HaloTesting", "TestSupport", "HaloTransport",
                "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloSimulatorTests",
            dependencies: [
                "HaloSimulator", "HaloDevices", "HaloTesting", "TestSupport", "HaloTransport",
                "HaloTraffic", "HaloCapture", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloCommandLineTests",
            dependencies: [
                "halo", "BlueZVocabulary", "FakeBlueZ", "HaloDBus", "HaloTraffic", "HaloCapture",
                "HaloSimulator", "HaloHealth", "HaloDevices", "HaloTesting", "TestSupport",
                "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloCaptureTests",
            dependencies: [
                "HaloCapture", "HaloSimulator", "HaloDevices", "HaloTesting", "TestSupport",
                "CaptureSupport", "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloTrafficTests",
            dependencies: [
                "HaloTraffic", "HaloCapture", "HaloSimulator", "HaloDevices", "HaloTesting",
                "TestSupport", "CaptureSupport", "HaloTransport", "HaloProtocol",
            ],
            path: "Tests",
            sources: ["Captures/HaloTrafficTests", "Tools/Fuzz/Checks/TrafficChecks"]),
        .testTarget(
            name: "HaloDBusTests",
            dependencies: ["HaloDBus", "HaloTransport", "HaloTesting", "TestSupport"],
            path: "Tests", sources: ["Backends/HaloDBusTests", "Tools/Fuzz/Checks/DBusChecks"]),
        .testTarget(
            name: "HaloBlueZTests",
            dependencies: [
                "HaloBlueZ", "FakeBlueZ", "BlueZVocabulary", "HaloDBus", "HaloSimulator",
                "HaloDevices", "HaloTesting", "TestSupport", "HaloTransport", "HaloProtocol",
            ],
            path: "Tests", sources: ["Backends/HaloBlueZTests", "Tools/Fuzz/Checks/BlueZChecks"]),
        .testTarget(
            name: "FakeBlueZTests",
            dependencies: [
                "FakeBlueZ", "BlueZVocabulary", "HaloDBus", "HaloSimulator", "HaloTesting",
                "TestSupport", "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloFoundationTests",
            dependencies: [
                "HaloFoundation", "HaloCaptureFoundation", "HaloTraffic", "HaloCapture",
                "HaloDevices", "HaloTesting", "TestSupport", "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloHealthTests",
            dependencies: [
                "HaloHealth", "HaloHealthFoundation", "HaloSimulator", "HaloDevices", "HaloTesting",
                "TestSupport", "HaloTransport", "HaloProtocol",
            ]),
        .testTarget(
            name: "HaloTestingTests",
            dependencies: [
                "HaloTesting", "TestSupport", "HaloTransport", "HaloProtocol", "HaloCapture",
                "HaloSimulator",
            ],
            path: "Tests",
            sources: [
                "Testing/HaloTestingTests", "Tools/Fuzz/Checks/CaptureChecks",
                "Tools/Fuzz/Checks/ProtocolChecks",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The groups, as the arrows run: a group depends on those above it, and no group on one below.
// Sources and Tests have a folder for each.
let groups = [
    "Core": ["HaloProtocol", "HaloTransport", "HaloDevices"],
    "Captures": ["HaloCapture", "HaloTraffic"],
    "Backends": ["HaloDBus", "BlueZVocabulary", "HaloBlueZ", "HaloCoreBluetooth"],
    "Virtual": ["HaloSimulator", "FakeBlueZ"],
    "Testing": ["HaloTesting", "TestSupport", "CaptureSupport"],
    "Foundation": ["HaloFoundation", "HaloCaptureFoundation"],
    "Health": ["HaloHealth", "HaloHealthFoundation"],
    "Program": ["halo", "HaloCommandLine"],
]
let folders = groups.flatMap { group, names in
    names.flatMap { ["\(group)/\($0)Tests", "\(group)/\($0)"] }
}
for target in package.targets where target.path == nil {
    let isOfTests = target.type == .test || target.name.hasSuffix("Support")
    let place = folders.first { $0.hasSuffix("/\(target.name)") } ?? target.name
    target.path = "\(isOfTests ? "Tests" : "Sources")/\(place)"
}

// These test targets compile checks of the fuzz package as well; of all else in Tests they see
// nothing.
let tools =
    ["Apple", "Benchmarks", "Clients", "Consumers", "EndToEnd", "HomeAssistant", "Linkage"]
    + ["Mutants", "NewFamily", "Pages", "README.md", "Trips"]
    + ["Package.swift", "Regressions", "Sources", "build", "halo.dict", "page", "run"].map {
        "Fuzz/\($0)"
    }
    + ["Protocol", "Capture", "Traffic", "DBus", "BlueZ"].map { "Fuzz/Checks/\($0)Checks" }
let tested = package.targets.filter { $0.type == .test || $0.name.hasSuffix("Support") }.map(\.name)
for target in package.targets {
    guard target.path == "Tests", let sources = target.sources else { continue }
    let others = folders.filter { folder in tested.contains { folder.hasSuffix("/\($0)") } }
    target.exclude = (others + tools.map { "Tools/\($0)" }).filter { !sources.contains($0) }
}

// The bus and the daemon are Linux's.
#if !os(Linux)
package.targets.removeAll {
    ["HaloDBusTests", "HaloBlueZTests", "FakeBlueZTests"].contains($0.name)
}
#endif

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
