#if os(Linux)
package import HaloDBus

/// `org.bluez.Adapter1`: a Bluetooth controller of this computer.
package enum Adapter1 {
    package static let interfaceName = "org.bluez.Adapter1"

    /// Starts discovery for the calling client.
    package static let startDiscovery = "StartDiscovery"
    /// Stops discovery for the calling client.
    package static let stopDiscovery = "StopDiscovery"
    /// Sets the calling client's filter (``DiscoveryFilter``).
    package static let setDiscoveryFilter = "SetDiscoveryFilter"
    /// Lists the keys that a filter may have.
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
    /// `true` while the controller is on; writable.
    package static let powered = "Powered"
    /// The power state, with more values than ``powered``, such as ``blockedPowerState``;
    /// experimental at first.
    package static let powerState = "PowerState"
    /// The ``powerState`` while rfkill keeps the adapter off.
    package static let blockedPowerState = "off-blocked"
    /// `true` while other devices can find the adapter by Bluetooth Classic.
    package static let discoverable = "Discoverable"
    /// The timeout of ``discoverable`` in seconds.
    package static let discoverableTimeout = "DiscoverableTimeout"
    /// `true` while other devices may pair.
    package static let pairable = "Pairable"
    /// The timeout of ``pairable`` in seconds.
    package static let pairableTimeout = "PairableTimeout"
    /// `true` while any client's discovery runs.
    package static let discovering = "Discovering"
    /// The services of this computer.
    package static let uuids = "UUIDs"
    /// Vendor, product and version of the controller.
    package static let modalias = "Modalias"
    /// ``centralRole``, ``peripheralRole``, ``bothRoles``.
    package static let roles = "Roles"
    /// The UUIDs of experimental features that are on.
    package static let experimentalFeatures = "ExperimentalFeatures"

    /// An element of ``roles``: connects to devices.
    package static let centralRole = "central"
    /// An element of ``roles``: can be a peripheral.
    package static let peripheralRole = "peripheral"
    /// An element of ``roles``: can be central and peripheral at a time.
    package static let bothRoles = "central-peripheral"

    /// The interface as the daemon describes it.
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
