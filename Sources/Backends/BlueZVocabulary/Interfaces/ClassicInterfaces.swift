#if os(Linux)
package import HaloDBus

/// The daemon's interfaces for Bluetooth Classic: present, not used here.
package enum ClassicInterfaces {
    /// The property of `org.bluez.Media1` with the kinds of audio that the daemon knows.
    package static let audioUUIDs = "SupportedUUIDs"

    package static let healthManager = DBusInterface(
        "org.bluez.HealthManager1",
        methods: [
            .init(
                "CreateApplication", [.init("config", .options)],
                returns: [.init("application", .objectPath)]),
            .init("DestroyApplication", [.init("application", .objectPath)]),
        ])

    package static let profileManager = DBusInterface(
        "org.bluez.ProfileManager1",
        methods: [
            .init(
                "RegisterProfile",
                [
                    .init("profile", .objectPath), .init("UUID", .string),
                    .init("options", .options),
                ]),
            .init("UnregisterProfile", [.init("profile", .objectPath)]),
        ])

    package static let media = DBusInterface(
        "org.bluez.Media1",
        methods: [
            ("Endpoint", "endpoint", "properties"), ("Player", "player", "properties"),
            ("Application", "application", "options"),
        ].flatMap { what, object, options -> [DBusInterface.Method] in
            [
                .init(
                    "Register\(what)", [.init(object, .objectPath), .init(options, .options)]),
                .init("Unregister\(what)", [.init(object, .objectPath)]),
            ]
        },
        properties: [.init(audioUUIDs, .array(.string))])
}
#endif
