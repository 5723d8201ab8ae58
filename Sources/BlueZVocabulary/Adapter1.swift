#if os(Linux)
package import HaloDBus

/// `org.bluez.Adapter1`. An adapter: this computer's radio.
package enum Adapter1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Adapter1"

    /// Begins to look for devices.
    package static let startDiscovery = "StartDiscovery"
    /// Ends it.
    package static let stopDiscovery = "StopDiscovery"
    /// Says what to look for.
    package static let setDiscoveryFilter = "SetDiscoveryFilter"
    /// Tells what can be looked for.
    package static let getDiscoveryFilters = "GetDiscoveryFilters"
    /// Forgets a device.
    package static let removeDevice = "RemoveDevice"
    /// Its address.
    package static let address = "Address"
    /// `public` or `random`.
    package static let addressType = "AddressType"
    /// The computer's name.
    package static let name = "Name"
    /// What others are told.
    package static let alias = "Alias"
    /// Of the older Bluetooth.
    package static let deviceClass = "Class"
    /// Whether it is on.
    package static let powered = "Powered"
    /// The same with more words, experimental at first: ``blockedPowerState`` among them.
    package static let powerState = "PowerState"
    /// What it is when a switch of the computer keeps the adapter off.
    package static let blockedPowerState = "off-blocked"
    /// Of the older Bluetooth.
    package static let discoverable = "Discoverable"
    /// In seconds.
    package static let discoverableTimeout = "DiscoverableTimeout"
    /// Whether others may pair.
    package static let pairable = "Pairable"
    /// In seconds.
    package static let pairableTimeout = "PairableTimeout"
    /// Whether somebody looks for devices.
    package static let discovering = "Discovering"
    /// What services the computer has.
    package static let uuiDs = "UUIDs"
    /// Who made it.
    package static let modalias = "Modalias"
    /// `central`, `peripheral`, `central-peripheral`.
    package static let roles = "Roles"
    /// What was switched on, by numbers.
    package static let experimentalFeatures = "ExperimentalFeatures"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(startDiscovery),
            .init(stopDiscovery),
            .init(setDiscoveryFilter, [.init("properties", .options)]),
            .init(getDiscoveryFilters, returns: [.init("filters", .array(.string))]),
            .init(removeDevice, [.init("device", .objectPath)]),
        ],
        properties: [
            .init(address, .string),
            .init(addressType, .string),
            .init(name, .string),
            .init(alias, .string, .readwrite),
            .init(deviceClass, .uint32),
            .init(powered, .boolean, .readwrite),
            .init(discoverable, .boolean, .readwrite),
            .init(discoverableTimeout, .uint32, .readwrite),
            .init(pairable, .boolean, .readwrite),
            .init(pairableTimeout, .uint32, .readwrite),
            .init(discovering, .boolean),
            .init(uuiDs, .array(.string)),
            .init(modalias, .string),
            .init(roles, .array(.string)),
            .init(experimentalFeatures, .array(.string)),
        ])
}
#endif
