// swift-tools-version: 6.2
import PackageDescription

// Programs of other people: each uses public API only, checks something, and fails if it is not so.
let package = Package(
    name: "Consumers",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "HaloProtocol", path: "../../..")],
    targets: [
        .executableTarget(
            name: "ProtocolConsumer",
            dependencies: [.product(name: "HaloProtocol", package: "HaloProtocol")]),
        .executableTarget(
            name: "BackendConsumer",
            dependencies: [
                .product(name: "HaloTransport", package: "HaloProtocol"),
                .product(name: "HaloTesting", package: "HaloProtocol"),
            ]),
        .executableTarget(
            name: "HostConsumer",
            dependencies: [
                .product(name: "HaloProtocol", package: "HaloProtocol"),
                .product(name: "HaloTransport", package: "HaloProtocol"),
            ]),
        .executableTarget(
            name: "AppConsumer",
            dependencies: [
                .product(name: "HaloDevices", package: "HaloProtocol"),
                .product(name: "HaloFoundation", package: "HaloProtocol"),
                .product(name: "HaloSimulator", package: "HaloProtocol"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
