#if os(Linux)
package import HaloDBus

/// `org.bluez.Device1`. A device that was seen or is remembered.
package enum Device1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Device1"

    /// Connects.
    package static let connect = "Connect"
    /// Ends the link.
    package static let disconnect = "Disconnect"
    /// Of the older Bluetooth.
    package static let connectProfile = "ConnectProfile"
    /// Of the older Bluetooth.
    package static let disconnectProfile = "DisconnectProfile"
    /// Pairs.
    package static let pair = "Pair"
    /// Stops that.
    package static let cancelPairing = "CancelPairing"
    /// Says that the link has ended, and why: a signal, from 5.83 on.
    package static let disconnected = "Disconnected"
    /// Its address.
    package static let address = "Address"
    /// `public` or `random`.
    package static let addressType = "AddressType"
    /// Its name.
    package static let name = "Name"
    /// Its name, or what somebody called it.
    package static let alias = "Alias"
    /// Of the older Bluetooth.
    package static let deviceClass = "Class"
    /// What it looks like.
    package static let appearance = "Appearance"
    /// The same in words.
    package static let icon = "Icon"
    /// Whether it is paired.
    package static let paired = "Paired"
    /// Whether keys are kept.
    package static let bonded = "Bonded"
    /// Whether somebody trusts it.
    package static let trusted = "Trusted"
    /// Whether it is kept away.
    package static let blocked = "Blocked"
    /// Of the older Bluetooth.
    package static let legacyPairing = "LegacyPairing"
    /// How strong it was heard.
    package static let rssi = "RSSI"
    /// Whether there is a link.
    package static let connected = "Connected"
    /// What services it has.
    package static let uuiDs = "UUIDs"
    /// Who made it.
    package static let modalias = "Modalias"
    /// Who sees it.
    package static let adapter = "Adapter"
    /// What companies say in its advertisement.
    package static let manufacturerData = "ManufacturerData"
    /// What services say in it.
    package static let serviceData = "ServiceData"
    /// How strong it says to send.
    package static let txPower = "TxPower"
    /// Whether its services are known.
    package static let servicesResolved = "ServicesResolved"
    /// Whether it may wake the computer.
    package static let wakeAllowed = "WakeAllowed"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(connect),
            .init(disconnect),
            .init(connectProfile, [.init("UUID", .string)]),
            .init(disconnectProfile, [.init("UUID", .string)]),
            .init(pair),
            .init(cancelPairing),
        ],
        properties: [
            .init(address, .string),
            .init(addressType, .string),
            .init(name, .string),
            .init(alias, .string, .readwrite),
            .init(deviceClass, .uint32),
            .init(appearance, .uint16),
            .init(icon, .string),
            .init(paired, .boolean),
            .init(bonded, .boolean),
            .init(trusted, .boolean, .readwrite),
            .init(blocked, .boolean, .readwrite),
            .init(legacyPairing, .boolean),
            .init(rssi, .int16),
            .init(connected, .boolean),
            .init(uuiDs, .array(.string)),
            .init(modalias, .string),
            .init(adapter, .objectPath),
            .init(manufacturerData, .dictionary(key: .uint16, value: .variant)),
            .init(serviceData, .options),
            .init(txPower, .int16),
            .init(servicesResolved, .boolean),
            .init(wakeAllowed, .boolean, .readwrite),
        ])
}
#endif
