#if os(Linux)
package import HaloDBus

/// `org.bluez.Agent1`: a program's object that the daemon calls while a device pairs.
package enum Agent1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Agent1"

    /// Releases the agent: the daemon does not use it any more.
    package static let release = "Release"
    /// Requests a PIN of letters and digits.
    package static let requestPinCode = "RequestPinCode"
    /// Shows a PIN of letters and digits.
    package static let displayPinCode = "DisplayPinCode"
    /// Requests a passkey.
    package static let requestPasskey = "RequestPasskey"
    /// Shows a passkey.
    package static let displayPasskey = "DisplayPasskey"
    /// Requests that the user compare a passkey with the one on the device.
    package static let requestConfirmation = "RequestConfirmation"
    /// Requests permission to pair with a device that shows no passkey.
    package static let requestAuthorization = "RequestAuthorization"
    /// Requests permission to use a service.
    package static let authorizeService = "AuthorizeService"
    /// Cancels the last request.
    package static let cancel = "Cancel"

    /// The interface of a program's object.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(release),
            .init(requestPinCode, [device], returns: [.init("pincode", .string)]),
            .init(displayPinCode, [device, .init("pincode", .string)]),
            .init(requestPasskey, [device], returns: [.init("passkey", .uint32)]),
            .init(
                displayPasskey,
                [device, .init("passkey", .uint32), .init("entered", .uint16)]),
            .init(requestConfirmation, [device, .init("passkey", .uint32)]),
            .init(requestAuthorization, [device]),
            .init(authorizeService, [device, .init("uuid", .string)]),
            .init(cancel),
        ])

    private static let device = DBusInterface.Argument("device", .objectPath)
}

/// `org.bluez.AgentManager1`: registers agents.
package enum AgentManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.AgentManager1"

    /// Registers an agent with its ``AgentCapability``.
    package static let registerAgent = "RegisterAgent"
    /// Withdraws the registration.
    package static let unregisterAgent = "UnregisterAgent"
    /// Makes the agent the default one, which is also called for other programs.
    package static let requestDefaultAgent = "RequestDefaultAgent"

    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(registerAgent, [.init("agent", .objectPath), .init("capability", .string)]),
            .init(unregisterAgent, [.init("agent", .objectPath)]),
            .init(requestDefaultAgent, [.init("agent", .objectPath)]),
        ])
}

/// Input and output capabilities of an agent, in the daemon's words.
package enum AgentCapability {
    /// Neither display nor keyboard.
    package static let noInputNoOutput = "NoInputNoOutput"

    /// All capabilities that the daemon knows; the empty one means `KeyboardDisplay`.
    package static let all = [
        "", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", noInputNoOutput, "KeyboardDisplay",
    ]
}

/// `org.bluez.ProfileManager1` of Bluetooth Classic: present, not used here.
package enum ProfileManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.ProfileManager1"

    /// Registers a profile.
    package static let registerProfile = "RegisterProfile"
    /// Withdraws the registration.
    package static let unregisterProfile = "UnregisterProfile"

    /// The interface as the daemon describes it.
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

/// `org.bluez.HealthManager1` of Bluetooth Classic: present, not used here.
package enum HealthManager1 {
    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        "org.bluez.HealthManager1",
        methods: [
            .init(
                "CreateApplication", [.init("config", .options)],
                returns: [.init("application", .objectPath)]),
            .init("DestroyApplication", [.init("application", .objectPath)]),
        ])
}

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
