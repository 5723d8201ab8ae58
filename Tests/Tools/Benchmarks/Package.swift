// swift-tools-version: 6.2
import PackageDescription

// Nobody depends on this package, so its C targets may choose how they are optimised: the same
// sources are compiled twice, and a subject is measured against the faster of the two.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "HaloProtocol", path: "../../..")],
    targets: [
        .target(name: "PeersO2", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "PeersO3", cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "Instruments"),
        .target(
            name: "Subjects",
            dependencies: [
                "Instruments", .product(name: "HaloProtocol", package: "HaloProtocol"),
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Instruments", "PeersO2", "PeersO3", "Subjects",
                .product(name: "HaloProtocol", package: "HaloProtocol"),
                .product(name: "HaloTransport", package: "HaloProtocol"),
                .product(name: "HaloDevices", package: "HaloProtocol"),
                .product(name: "HaloCapture", package: "HaloProtocol"),
                .product(name: "HaloTraffic", package: "HaloProtocol"),
                .product(name: "HaloSimulator", package: "HaloProtocol"),
                .product(name: "HaloHealth", package: "HaloProtocol"),
                .product(name: "HaloTesting", package: "HaloProtocol"),
            ],
            // As the sources of the package, of which it compiles some itself.
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(
            name: "BusBenchmarks",
            dependencies: [
                .product(name: "HaloProtocol", package: "HaloProtocol"),
                .product(name: "HaloTransport", package: "HaloProtocol"),
                .product(name: "HaloBlueZ", package: "HaloProtocol"),
                .product(name: "FakeBlueZ", package: "HaloProtocol"),
                .product(name: "HaloSimulator", package: "HaloProtocol"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
