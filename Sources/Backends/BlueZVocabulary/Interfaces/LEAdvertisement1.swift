#if os(Linux)
package import HaloDBus

/// `org.bluez.LEAdvertisement1`: a program's advertisement, read when it is registered.
package enum LEAdvertisement1 {
    package static let interfaceName = "org.bluez.LEAdvertisement1"

    /// Releases the advertisement: the daemon no longer advertises it.
    package static let release = "Release"
    package static let type = "Type"
    /// A value of ``type``: connectable.
    package static let peripheral = "peripheral"
    /// A value of ``type``: not connectable.
    package static let broadcast = "broadcast"
    package static let serviceUUIDs = "ServiceUUIDs"
    /// Data by company.
    package static let manufacturerData = "ManufacturerData"
    package static let solicitUUIDs = "SolicitUUIDs"
    package static let serviceData = "ServiceData"
    /// Structures by type; the daemon refuses a type that has a property of its own.
    package static let data = "Data"
    /// `true` sets the flag "general discoverable".
    package static let discoverable = "Discoverable"
    /// Data that the daemon adds: ``includesPower``, ``includesName``.
    package static let includes = "Includes"
    /// The name, which goes into the scan response.
    package static let localName = "LocalName"
    package static let appearance = "Appearance"
    /// The shortest interval in milliseconds; ignored by 5.66 without `--experimental`.
    package static let minInterval = "MinInterval"
    /// The longest interval in milliseconds; ignored in the same cases as ``minInterval``.
    package static let maxInterval = "MaxInterval"
    /// The secondary channel of extended advertising.
    package static let secondaryChannel = "SecondaryChannel"

    package static let includesPower = "tx-power"
    /// An element of ``includes``: the name of this computer.
    package static let includesName = "local-name"

    /// `true` for a type of structure that 5.66 refuses in ``data``: most of those that have a
    /// property of their own. 30 to 3C and 3E to FD were not tried.
    package static func isRefused(_ type: UInt8) -> Bool {
        switch type {
        case 0x00, 0x0B, 0x0C, 0x13, 0x24, 0x25, 0x26, 0x2C...0x2F, 0xFE: false
        case 0x01...0x2F, 0x3D, 0xFF: true
        default: false
        }
    }

    /// The intervals that the daemon accepts, in milliseconds.
    package static let intervals: ClosedRange<UInt32> = 20...10_485_000

    package static let interface = DBusInterface(
        interfaceName,
        methods: [.init(release)],
        properties: [
            .init(type, .string),
            .init(serviceUUIDs, .array(.string)),
            .init(manufacturerData, companies),
            .init(solicitUUIDs, .array(.string)),
            .init(serviceData, .options),
            .init(data, structures),
            .init(discoverable, .boolean),
            .init(includes, .array(.string)),
            .init(localName, .string),
            .init(appearance, .uint16),
            .init(minInterval, .uint32),
            .init(maxInterval, .uint32),
        ])

    private static let companies = DBusType.dictionary(key: .uint16, value: .variant)
    private static let structures = DBusType.dictionary(key: .byte, value: .variant)
}
#endif
