#if os(Linux)
package import HaloDBus

/// `org.bluez.LEAdvertisingManager1`: registers advertisements.
package enum LEAdvertisingManager1 {
    package static let interfaceName = "org.bluez.LEAdvertisingManager1"

    package static let registerAdvertisement = "RegisterAdvertisement"
    /// Withdraws a registration.
    package static let unregisterAdvertisement = "UnregisterAdvertisement"
    /// The number of advertisements in use.
    package static let activeInstances = "ActiveInstances"
    /// The number of advertisements that can be added.
    package static let supportedInstances = "SupportedInstances"
    /// The values that ``LEAdvertisement1/includes`` may have.
    package static let supportedIncludes = "SupportedIncludes"
    /// The values that ``LEAdvertisement1/secondaryChannel`` may have.
    package static let supportedSecondaryChannels = "SupportedSecondaryChannels"

    /// The interface as the daemon describes it.
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
