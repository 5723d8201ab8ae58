// swift-tools-version: 6.2
import PackageDescription

/// One executable for each boundary where bytes come in, and one that must fail.
let boundaries = ["Frames", "Commands", "Assemblies", "Canary"]

let package = Package(
    name: "HaloFuzz",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9)],
    dependencies: [.package(name: "HaloProtocol", path: "../..")],
    targets: [
        .target(name: "FuzzDriver"),
        .target(
            name: "FuzzHarness",
            dependencies: ["FuzzDriver", .product(name: "HaloTesting", package: "HaloProtocol")]),
    ]
        + boundaries.map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    "FuzzHarness",
                    .product(name: "HaloProtocol", package: "HaloProtocol"),
                    .product(name: "HaloTesting", package: "HaloProtocol"),
                ])
        },
    swiftLanguageModes: [.v6]
)
