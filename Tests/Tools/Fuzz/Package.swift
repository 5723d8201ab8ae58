// swift-tools-version: 6.2
import PackageDescription

/// One executable for each boundary where bytes come in, one that must fail, and one that makes
/// seeds from fixtures. The last has the form of a fuzz target, so that one build makes them all.
/// `run` reads the names here.
let targets = [
    "Frames", "Commands", "Assemblies", "Replies", "BigData", "Reassembler", "Characteristics",
    "Advertising", "Families", "Explanations", "Texts", "Session", "CaptureReader", "Replay",
    "Exports", "BTSnoop", "Pcap", "PcapNG", "PacketLogger", "BTSnooz", "BtmonText", "HexLines",
    "RingFrames", "NRFConnect", "Wireshark", "WiresharkJSON", "Inflate", "Archive", "DBus",
    "BlueZ", "Canary", "Seeds",
]

/// A product of the package that is fuzzed.
func halo(_ name: String) -> Target.Dependency {
    .product(name: name, package: "HaloProtocol")
}

/// A target of checks that tests of the package above compile as well, as sources of their own.
func checks(_ name: String, _ dependencies: [String]) -> Target {
    .target(
        name: name, dependencies: (dependencies + ["HaloTesting"]).map(halo),
        path: "Checks/\(name)",
        swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")])
}

let package = Package(
    name: "HaloFuzz",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "HaloProtocol", path: "../../..")],
    targets: [
        .target(name: "FuzzCounters"),
        checks("ProtocolChecks", ["HaloCapture", "HaloProtocol"]),
        checks(
            "CaptureChecks", ["HaloCapture", "HaloSimulator", "HaloTransport", "HaloProtocol"]),
        checks("TrafficChecks", ["HaloTraffic", "HaloCapture", "HaloProtocol"]),
        // HaloDBus is no product. It is built with HaloBlueZ, and imported with @testable, which
        // gives access to what is internal to its package.
        checks("DBusChecks", ["HaloBlueZ"]),
        checks("BlueZChecks", ["HaloBlueZ", "HaloTransport", "HaloProtocol"]),
    ]
        + targets.map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    "FuzzCounters", "ProtocolChecks", "CaptureChecks", "TrafficChecks",
                    "DBusChecks",
                    "BlueZChecks", halo("HaloCapture"), halo("HaloTraffic"),
                    halo("HaloBlueZ"),
                    halo("HaloProtocol"), halo("HaloSimulator"), halo("HaloTesting"),
                ])
        },
    swiftLanguageModes: [.v6]
)
