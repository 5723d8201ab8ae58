#if os(Linux)
package import HaloDBus

/// `org.bluez.ProfileManager1`, of the older Bluetooth: there, and not used.
package enum ProfileManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.ProfileManager1"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(
                "RegisterProfile",
                [
                    .init("profile", .objectPath), .init("UUID", .string),
                    .init("options", .options),
                ]),
            .init("UnregisterProfile", [.init("profile", .objectPath)]),
        ])
}

/// `org.bluez.HealthManager1`, of the older Bluetooth: there, and not used.
package enum HealthManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.HealthManager1"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(
                "CreateApplication", [.init("config", .options)],
                returns: [.init("application", .objectPath)]),
            .init("DestroyApplication", [.init("application", .objectPath)]),
        ])
}

/// `org.bluez.Media1`, of the older Bluetooth: there, and not used.
package enum Media1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Media1"
    /// What kinds of sound it knows.
    package static let supportedUUIDs = "SupportedUUIDs"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            registering("RegisterEndpoint", "endpoint"),
            .init("UnregisterEndpoint", [.init("endpoint", .objectPath)]),
            registering("RegisterPlayer", "player"),
            .init("UnregisterPlayer", [.init("player", .objectPath)]),
            .init(
                "RegisterApplication",
                [.init("application", .objectPath), .init("options", .options)]),
            .init("UnregisterApplication", [.init("application", .objectPath)]),
        ],
        properties: [.init(supportedUUIDs, .array(.string))])

    private static func registering(_ name: String, _ what: String) -> DBusInterface.Method {
        .init(name, [.init(what, .objectPath), .init("properties", .options)])
    }
}
#endif
