// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HaloProtocol",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .library(name: "HaloProtocol", targets: ["HaloProtocol"]),
        .library(name: "HaloCapture", targets: ["HaloCapture"]),
        .library(name: "HaloTesting", targets: ["HaloTesting"]),
        .executable(name: "halo", targets: ["halo"]),
    ],
    targets: [
        .target(
            name: "HaloProtocol",
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), .strictMemorySafety()]),
        .target(name: "HaloCapture", dependencies: ["HaloProtocol"]),
        .target(name: "HaloTesting", dependencies: ["HaloProtocol"]),
        .executableTarget(name: "halo", dependencies: ["HaloProtocol"]),
        .testTarget(
            name: "HaloProtocolTests",
            dependencies: ["HaloProtocol", "HaloCapture", "HaloTesting"]),
        .testTarget(
            name: "HaloCommandLineTests", dependencies: ["halo", "HaloCapture", "HaloProtocol"]),
        .testTarget(name: "HaloCaptureTests", dependencies: ["HaloCapture", "HaloProtocol"]),
        .testTarget(
            name: "HaloTestingTests", dependencies: ["HaloTesting", "HaloProtocol", "HaloCapture"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
