// swift-tools-version: 6.2
import PackageDescription

/// One executable for each boundary where bytes come in; one that must fail; and the one that makes
/// seeds of fixtures, which has the form of a fuzz target, so that one build makes them all.
let targets = [
    "Frames", "Commands", "Assemblies", "Replies", "BigData", "Reassembler", "Characteristics",
    "Advertising", "LEDStrip", "Explanations", "Texts", "Session", "CaptureReader", "Replay",
    "Exports", "BTSnoop", "Pcap", "PcapNG", "PacketLogger", "BtmonText", "HexLines", "RingFrames",
    "DBus",
    "BlueZ", "Canary",
    "Seeds",
]

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
        + targets.map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    "FuzzDriver", "FuzzHarness",
                    .product(name: "HaloCapture", package: "HaloProtocol"),
                    .product(name: "HaloTraffic", package: "HaloProtocol"),
                    .product(name: "HaloBlueZ", package: "HaloProtocol"),
                    .product(name: "HaloDBus", package: "HaloProtocol"),
                    .product(name: "HaloProtocol", package: "HaloProtocol"),
                    .product(name: "HaloSimulator", package: "HaloProtocol"),
                    .product(name: "HaloTesting", package: "HaloProtocol"),
                ])
        },
    swiftLanguageModes: [.v6]
)
