#if os(Linux)
package import HaloDBus

/// `org.bluez.LEAdvertisingManager1`: registers advertisements.
package enum LEAdvertisingManager1 {
    package static let interfaceName = "org.bluez.LEAdvertisingManager1"

    package static let registerAdvertisement = "RegisterAdvertisement"
    package static let unregisterAdvertisement = "UnregisterAdvertisement"
    /// The number of advertisements in use.
    package static let activeInstances = "ActiveInstances"
    /// The number of advertisements that can be added.
    package static let supportedInstances = "SupportedInstances"
    package static let supportedIncludes = "SupportedIncludes"

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
            .init("SupportedSecondaryChannels", .array(.string)),
        ])
}
#endif
