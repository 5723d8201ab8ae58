// swift-tools-version: 6.2
import PackageDescription

// A program that uses only HaloProtocol, to see its linked libraries.
let package = Package(
    name: "Linkage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "HaloProtocol", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Minimal",
            dependencies: [.product(name: "HaloProtocol", package: "HaloProtocol")])
    ],
    swiftLanguageModes: [.v6]
)
