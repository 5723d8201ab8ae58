#if os(Linux)
package import HaloDBus

/// `org.bluez.Media1` of Bluetooth Classic: present, not used here.
package enum Media1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Media1"
    /// The kinds of audio that the daemon knows.
    package static let supportedUUIDs = "SupportedUUIDs"

    /// Registers a codec.
    package static let registerEndpoint = "RegisterEndpoint"
    /// Withdraws a codec.
    package static let unregisterEndpoint = "UnregisterEndpoint"
    /// Registers a media player.
    package static let registerPlayer = "RegisterPlayer"
    /// Withdraws a media player.
    package static let unregisterPlayer = "UnregisterPlayer"
    /// Registers several codecs and players.
    package static let registerApplication = "RegisterApplication"
    /// Withdraws an application.
    package static let unregisterApplication = "UnregisterApplication"

    /// The interface as the daemon describes it.
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

    private static func registering(_ name: String, _ object: String) -> DBusInterface.Method {
        .init(name, [.init(object, .objectPath), .init("properties", .options)])
    }
}
#endif
