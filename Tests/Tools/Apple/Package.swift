// swift-tools-version: 6.2
import PackageDescription

// HaloCoreBluetooth on Linux: a stand-in for Apple's frameworks, the product's own sources, and
// programs that use them. Each module has the name that an app imports.
//
// The package above has a target of the product's name, which is empty on Linux. So the target here
// has another name, and an alias stands for it where it is imported. Nothing here may depend on the
// empty one: its second compilation would find the stand-ins, and not link. This package has a
// build folder of its own: in a common one, the package above would find the stand-ins.
let ours: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The target of the sources behind the link, and the settings of targets that import it.
let backend = "HaloCoreBluetoothOnStandIns"
let importing = ours + [.unsafeFlags(["-module-alias", "HaloCoreBluetooth=\(backend)"])]

/// The name of the package above: that of its folder.
let halo = String(Context.packageDirectory.split(separator: "/").dropLast(3).last ?? "")

func product(_ name: String) -> Target.Dependency { .product(name: name, package: halo) }

/// The virtual devices of the programs.
let simulated = [product("HaloProtocol"), product("HaloSimulator")]

let package = Package(
    name: "Apple",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: halo, path: "../../..")],
    targets: [
        .target(
            name: "CoreBluetooth",
            dependencies: [
                product("HaloTransport"), product("HaloProtocol"), product("HaloSimulator"),
            ],
            swiftSettings: ours),
        .target(name: "UIKit", swiftSettings: ours),
        .target(
            name: "AccessorySetupKit",
            dependencies: [
                "CoreBluetooth", "UIKit", product("HaloTransport"), product("HaloProtocol"),
            ],
            swiftSettings: ours),
        .target(
            name: backend,
            dependencies: [
                "CoreBluetooth", "AccessorySetupKit", "UIKit", product("HaloTransport"),
                product("HaloProtocol"),
            ],
            path: "Sources/HaloCoreBluetooth", swiftSettings: ours),
        .testTarget(
            name: "StandInTests",
            dependencies: [
                "CoreBluetooth", product("HaloTransport"), product("HaloProtocol"),
                product("HaloSimulator"), product("HaloTesting"),
            ],
            swiftSettings: ours),
        .testTarget(
            name: "AccessoryTests",
            dependencies: [
                "AccessorySetupKit", "CoreBluetooth", "UIKit", product("HaloTransport"),
                product("HaloProtocol"), product("HaloSimulator"),
            ],
            swiftSettings: ours),
        .testTarget(
            name: "HaloCoreBluetoothTests",
            dependencies: [
                "AccessorySetupKit", "CoreBluetooth", .target(name: backend), "UIKit",
                product("HaloTransport"), product("HaloProtocol"), product("HaloSimulator"),
                product("HaloTesting"), product("HaloDevices"),
            ],
            swiftSettings: importing),
        .executableTarget(
            name: "NotificationBenchmark",
            dependencies: [
                "CoreBluetooth", .target(name: backend), product("HaloTransport"),
                product("HaloProtocol"),
            ],
            swiftSettings: importing),
        .executableTarget(
            name: "RingSessionPlain",
            dependencies: ["AccessorySetupKit", "CoreBluetooth", "UIKit"] + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "RingSession",
            dependencies: [
                "AccessorySetupKit", "CoreBluetooth", .target(name: backend), "UIKit",
                product("HaloDevices"),
            ] + simulated,
            swiftSettings: importing),
        .executableTarget(
            name: "HeartRateMonitorPlain", dependencies: ["CoreBluetooth", "UIKit"] + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "HeartRateMonitor",
            dependencies: [
                "CoreBluetooth", .target(name: backend), product("HaloDevices"),
            ]
                + simulated,
            swiftSettings: importing),
        .executableTarget(
            name: "BeaconPlain", dependencies: ["CoreBluetooth"] + simulated, swiftSettings: ours),
        .executableTarget(
            name: "Beacon",
            dependencies: [
                "CoreBluetooth", .target(name: backend), product("HaloTransport"),
            ]
                + simulated,
            swiftSettings: importing),
        .target(
            name: "FourDevicesAir", dependencies: [product("HaloTransport")] + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "FourDevicesPlain",
            dependencies: ["CoreBluetooth", "FourDevicesAir"],
            swiftSettings: ours),
        .executableTarget(
            name: "FourDevices",
            dependencies: [
                "CoreBluetooth", "FourDevicesAir", .target(name: backend),
                product("HaloDevices"), product("HaloTransport"),
            ] + simulated,
            swiftSettings: importing),
        .executableTarget(
            name: "RingModel",
            dependencies: [
                "AccessorySetupKit", "CoreBluetooth", .target(name: backend), "UIKit",
                product("HaloDevices"), product("HaloTransport"),
            ] + simulated,
            swiftSettings: importing),
    ],
    swiftLanguageModes: [.v6]
)
