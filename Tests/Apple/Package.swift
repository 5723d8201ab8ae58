// swift-tools-version: 6.2
import PackageDescription

// HaloCoreBluetooth on Linux: a stand-in for Apple's frameworks, the product's own sources, and
// programs that use them. Each module has the name that an app imports.
//
// The package above has a target of the product's name, which is empty on Linux. OwnBuild renames
// it, so that the name is free for the sources that lie behind the link. This package has a build
// folder of its own: in a common one, the package above would find the stand-in.
let ours: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The name of the package above: renaming needs the name of its folder.
let halo = String(Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "")

func product(_ name: String) -> Target.Dependency { .product(name: name, package: halo) }

/// The virtual devices of the programs.
let simulated = [product("HaloProtocol"), product("HaloSimulator")]

let package = Package(
    name: "Apple",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9)],
    dependencies: [.package(name: halo, path: "../..")],
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
            name: "OwnBuild",
            dependencies: [
                .product(
                    name: "HaloCoreBluetooth", package: halo,
                    moduleAliases: ["HaloCoreBluetooth": "HaloCoreBluetoothWithoutApple"])
            ]),
        .target(
            name: "HaloCoreBluetooth",
            dependencies: [
                "CoreBluetooth", "AccessorySetupKit", "UIKit", product("HaloTransport"),
                product("HaloProtocol"),
            ],
            swiftSettings: ours),
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
                "OwnBuild", "AccessorySetupKit", "CoreBluetooth", "HaloCoreBluetooth", "UIKit",
                product("HaloTransport"), product("HaloProtocol"), product("HaloSimulator"),
                product("HaloTesting"), product("HaloDevices"),
            ],
            swiftSettings: ours),
        .executableTarget(
            name: "NotificationBenchmark",
            dependencies: [
                "OwnBuild", "CoreBluetooth", "HaloCoreBluetooth", product("HaloTransport"),
                product("HaloProtocol"),
            ],
            swiftSettings: ours),
        .executableTarget(
            name: "RingSessionPlain",
            dependencies: ["AccessorySetupKit", "CoreBluetooth", "UIKit"] + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "RingSession",
            dependencies: [
                "OwnBuild", "AccessorySetupKit", "CoreBluetooth", "HaloCoreBluetooth", "UIKit",
                product("HaloDevices"),
            ] + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "HeartRateMonitorPlain", dependencies: ["CoreBluetooth", "UIKit"] + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "HeartRateMonitor",
            dependencies: [
                "OwnBuild", "CoreBluetooth", "HaloCoreBluetooth", product("HaloDevices"),
            ]
                + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "BeaconPlain", dependencies: ["CoreBluetooth"] + simulated, swiftSettings: ours),
        .executableTarget(
            name: "Beacon",
            dependencies: [
                "OwnBuild", "CoreBluetooth", "HaloCoreBluetooth", product("HaloTransport"),
            ]
                + simulated,
            swiftSettings: ours),
        .executableTarget(
            name: "RingModel",
            dependencies: [
                "OwnBuild", "AccessorySetupKit", "CoreBluetooth", "HaloCoreBluetooth", "UIKit",
                product("HaloDevices"), product("HaloTransport"),
            ] + simulated,
            swiftSettings: ours),
    ],
    swiftLanguageModes: [.v6]
)
