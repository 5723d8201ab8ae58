#if os(Linux)
package import HaloDBus

/// `org.bluez.Adapter1`: a Bluetooth controller of this computer.
package enum Adapter1 {
    package static let interfaceName = "org.bluez.Adapter1"

    /// Starts discovery for the calling client.
    package static let startDiscovery = "StartDiscovery"
    package static let stopDiscovery = "StopDiscovery"
    package static let setDiscoveryFilter = "SetDiscoveryFilter"
    package static let getDiscoveryFilters = "GetDiscoveryFilters"
    /// Removes a device with its bond.
    package static let removeDevice = "RemoveDevice"
    /// The address, in upper case with colons.
    package static let address = "Address"
    /// `public` or `random`.
    package static let addressType = "AddressType"
    /// The name of the computer.
    package static let name = "Name"
    /// The name that other devices see.
    package static let alias = "Alias"
    /// The class of device of Bluetooth Classic.
    package static let deviceClass = "Class"
    package static let powered = "Powered"
    /// The power state, such as ``blockedPowerState``; experimental at first.
    package static let powerState = "PowerState"
    /// The ``powerState`` while rfkill keeps the adapter off.
    package static let blockedPowerState = "off-blocked"
    /// `true` while other devices can find the adapter by Bluetooth Classic.
    package static let discoverable = "Discoverable"
    /// The timeout of ``discoverable`` in seconds.
    package static let discoverableTimeout = "DiscoverableTimeout"
    package static let pairable = "Pairable"
    /// The timeout of ``pairable`` in seconds.
    package static let pairableTimeout = "PairableTimeout"
    /// `true` while any client's discovery runs.
    package static let discovering = "Discovering"
    package static let uuids = "UUIDs"
    /// Vendor, product and version of the controller.
    package static let modalias = "Modalias"
    /// ``centralRole``, ``peripheralRole``, ``bothRoles``.
    package static let roles = "Roles"
    /// The UUIDs of experimental features that are on.
    package static let experimentalFeatures = "ExperimentalFeatures"

    package static let centralRole = "central"
    package static let peripheralRole = "peripheral"
    package static let bothRoles = "central-peripheral"

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
            .init(uuids, .array(.string)),
            .init(modalias, .string),
            .init(roles, .array(.string)),
            .init(experimentalFeatures, .array(.string)),
        ])
}
#endif
