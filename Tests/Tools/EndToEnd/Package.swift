// swift-tools-version: 6.2
import PackageDescription

// What runs in the guest, which has no Swift: its libraries are taken along.
let package = Package(
    name: "EndToEnd",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "HaloProtocol", path: "../../..")],
    targets: [
        .executableTarget(
            name: "EndToEnd",
            dependencies: [
                .product(name: "HaloProtocol", package: "HaloProtocol"),
                .product(name: "HaloTransport", package: "HaloProtocol"),
                .product(name: "HaloDevices", package: "HaloProtocol"),
                .product(name: "HaloSimulator", package: "HaloProtocol"),
                .product(name: "HaloBlueZ", package: "HaloProtocol"),
                .product(name: "HaloTesting", package: "HaloProtocol"),
                // Built with it, for the guest and for what is recorded there.
                .product(name: "halo", package: "HaloProtocol"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
