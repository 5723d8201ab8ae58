// swift-tools-version: 6.2
import PackageDescription

// A program whose runs tell which files a value and a request pass. It is compiled with counters.
let package = Package(
    name: "Trips",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "HaloProtocol", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Trips",
            dependencies: [
                .product(name: "HaloTransport", package: "HaloProtocol"),
                .product(name: "HaloDevices", package: "HaloProtocol"),
                .product(name: "HaloSimulator", package: "HaloProtocol"),
                .product(name: "HaloBlueZ", package: "HaloProtocol"),
                .product(name: "FakeBlueZ", package: "HaloProtocol"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
