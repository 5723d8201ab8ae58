#if os(Linux)
package import HaloDBus

/// `org.bluez.Device1`: a device that was discovered, or is paired.
package enum Device1 {
    package static let interfaceName = "org.bluez.Device1"

    package static let connect = "Connect"
    package static let disconnect = "Disconnect"
    package static let pair = "Pair"
    package static let cancelPairing = "CancelPairing"
    /// Signal: the link has ended, with the reason (``BlueZReason``); from 5.83 on.
    package static let disconnected = "Disconnected"
    /// The address, in upper case with colons.
    package static let address = "Address"
    /// `public` or `random`.
    package static let addressType = "AddressType"
    package static let name = "Name"
    /// The alias that a user set, or else ``name``, or else the address with hyphens.
    package static let alias = "Alias"
    package static let paired = "Paired"
    /// `true` while the daemon stores the keys.
    package static let bonded = "Bonded"
    package static let trusted = "Trusted"
    /// `true` if the daemon refuses links with the device.
    package static let blocked = "Blocked"
    /// `true` if the device pairs as before Bluetooth 2.1.
    package static let legacyPairing = "LegacyPairing"
    /// The RSSI of the last advertisement in dBm; absent without discovery.
    package static let rssi = "RSSI"
    package static let connected = "Connected"
    /// The services that the device advertises or has.
    package static let uuids = "UUIDs"
    package static let modalias = "Modalias"
    package static let adapter = "Adapter"
    package static let manufacturerData = "ManufacturerData"
    package static let serviceData = "ServiceData"
    /// The advertised transmit power in dBm.
    package static let txPower = "TxPower"
    package static let servicesResolved = "ServicesResolved"
    package static let wakeAllowed = "WakeAllowed"

    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(connect),
            .init(disconnect),
            // Connects one profile of Bluetooth Classic.
            .init("ConnectProfile", [.init("UUID", .string)]),
            .init("DisconnectProfile", [.init("UUID", .string)]),
            .init(pair),
            .init(cancelPairing),
        ],
        properties: [
            .init(address, .string),
            .init(addressType, .string),
            .init(name, .string),
            .init(alias, .string, .readwrite),
            // The class of device of Bluetooth Classic.
            .init("Class", .uint32),
            .init("Appearance", .uint16),
            // The name of an icon for the appearance.
            .init("Icon", .string),
            .init(paired, .boolean),
            .init(bonded, .boolean),
            .init(trusted, .boolean, .readwrite),
            .init(blocked, .boolean, .readwrite),
            .init(legacyPairing, .boolean),
            .init(rssi, .int16),
            .init(connected, .boolean),
            .init(uuids, .array(.string)),
            .init(modalias, .string),
            .init(adapter, .objectPath),
            .init(manufacturerData, .dictionary(key: .uint16, value: .variant)),
            .init(serviceData, .options),
            .init(txPower, .int16),
            .init(servicesResolved, .boolean),
            .init(wakeAllowed, .boolean, .readwrite),
        ])
}

/// Returns the interface of one bearer, whose members have the names of those in ``Device1``.
func bearer(_ name: String) -> DBusInterface {
    DBusInterface(
        name,
        methods: [.init(Device1.connect), .init(Device1.disconnect)],
        properties: [
            .init(Device1.adapter, .objectPath), .init(Device1.paired, .boolean),
            .init(Device1.bonded, .boolean), .init(Device1.connected, .boolean),
        ])
}
#endif
