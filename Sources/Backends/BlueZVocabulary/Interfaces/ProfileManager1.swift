#if os(Linux)
package import HaloDBus

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
#endif
