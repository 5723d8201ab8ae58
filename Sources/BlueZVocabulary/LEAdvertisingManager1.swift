#if os(Linux)
package import HaloDBus

/// `org.bluez.LEAdvertisingManager1`. Where programs register what a computer advertises.
package enum LEAdvertisingManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.LEAdvertisingManager1"

    /// Advertises.
    package static let registerAdvertisement = "RegisterAdvertisement"
    /// Ends that.
    package static let unregisterAdvertisement = "UnregisterAdvertisement"
    /// How many advertisements there are.
    package static let activeInstances = "ActiveInstances"
    /// How many more there can be.
    package static let supportedInstances = "SupportedInstances"
    /// What it can add by itself.
    package static let supportedIncludes = "SupportedIncludes"
    /// Of extended advertising.
    package static let supportedSecondaryChannels = "SupportedSecondaryChannels"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(
                registerAdvertisement,
                [.init("advertisement", .objectPath), .init("options", .options)]),
            .init(unregisterAdvertisement, [.init("service", .objectPath)]),
        ],
        properties: [
            .init(activeInstances, .byte),
            .init(supportedInstances, .byte),
            .init(supportedIncludes, .array(.string)),
            .init(supportedSecondaryChannels, .array(.string)),
        ])
}
#endif
