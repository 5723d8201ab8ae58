#if os(Linux)
package import HaloDBus

/// `org.bluez.ProfileManager1`, of the older Bluetooth: there, and not used.
package enum ProfileManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.ProfileManager1"

    /// Offers a profile of a program.
    package static let registerProfile = "RegisterProfile"
    /// Ends that.
    package static let unregisterProfile = "UnregisterProfile"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(
                registerProfile,
                [
                    .init("profile", .objectPath), .init("UUID", .string),
                    .init("options", .options),
                ]),
            .init(unregisterProfile, [.init("profile", .objectPath)]),
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

    /// Offers a codec of a program.
    package static let registerEndpoint = "RegisterEndpoint"
    /// Ends that.
    package static let unregisterEndpoint = "UnregisterEndpoint"
    /// Offers what a program plays.
    package static let registerPlayer = "RegisterPlayer"
    /// Ends that.
    package static let unregisterPlayer = "UnregisterPlayer"
    /// Offers several of these.
    package static let registerApplication = "RegisterApplication"
    /// Ends that.
    package static let unregisterApplication = "UnregisterApplication"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            registering(registerEndpoint, "endpoint"),
            .init(unregisterEndpoint, [.init("endpoint", .objectPath)]),
            registering(registerPlayer, "player"),
            .init(unregisterPlayer, [.init("player", .objectPath)]),
            .init(
                registerApplication,
                [.init("application", .objectPath), .init("options", .options)]),
            .init(unregisterApplication, [.init("application", .objectPath)]),
        ],
        properties: [.init(supportedUUIDs, .array(.string))])

    private static func registering(_ name: String, _ what: String) -> DBusInterface.Method {
        .init(name, [.init(what, .objectPath), .init("properties", .options)])
    }
}
#endif
