#if os(Linux)
package import HaloDBus

/// `org.bluez.LEAdvertisement1`. What a program has advertised: the program's object, which the
/// daemon reads when it is registered.
package enum LEAdvertisement1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.LEAdvertisement1"

    /// The daemon says that it advertises this no longer.
    package static let release = "Release"
    /// ``peripheral`` or ``broadcast``.
    package static let type = "Type"
    /// A device that can be connected to.
    package static let peripheral = "peripheral"
    /// A device that only speaks.
    package static let broadcast = "broadcast"
    /// The services that it names.
    package static let serviceUUIDs = "ServiceUUIDs"
    /// What companies say.
    package static let manufacturerData = "ManufacturerData"
    /// The services that it looks for.
    package static let solicitUUIDs = "SolicitUUIDs"
    /// What services say.
    package static let serviceData = "ServiceData"
    /// Structures of any other type, by the type's number: a type that has a property of its own
    /// makes the daemon refuse the whole.
    package static let data = "Data"
    /// Whether it can be found by those who look for everything.
    package static let discoverable = "Discoverable"
    /// What the daemon adds by itself.
    package static let includes = "Includes"
    /// Its name, which goes into the scan response.
    package static let localName = "LocalName"
    /// What it looks like.
    package static let appearance = "Appearance"
    /// In milliseconds; 5.66 takes no notice, unless it was started with `--experimental`.
    package static let minInterval = "MinInterval"
    /// In milliseconds.
    package static let maxInterval = "MaxInterval"

    /// Which radio of Bluetooth 5 is used besides.
    package static let secondaryChannel = "SecondaryChannel"

    /// In ``includes``: the power it sends with.
    package static let includesPower = "tx-power"
    /// In ``includes``: what the computer looks like.
    package static let includesAppearance = "appearance"
    /// In ``includes``: the computer's name.
    package static let includesName = "local-name"

    /// Types of structures in ``data`` that make 5.66 refuse the whole: most of those that have a
    /// meaning of their own. Of those from 30 to 3C and from 3E to FD nobody knows.
    package static func isRefused(_ type: UInt8) -> Bool {
        switch type {
        case 0x00, 0x0B, 0x0C, 0x13, 0x24, 0x25, 0x26, 0x2C...0x2F, 0xFE: false
        case 0x01...0x2F, 0x3D, 0xFF: true
        default: false
        }
    }

    /// The intervals that the daemon takes, in milliseconds: shorter and longer ones make it
    /// refuse the whole.
    package static let intervals: ClosedRange<UInt32> = 20...10_485_000

    /// Companies' data, `a{qv}`.
    package static var companies: DBusType { .dictionary(key: .uint16, value: .variant) }
    /// Structures by type, `a{yv}`.
    package static var structures: DBusType { .dictionary(key: .byte, value: .variant) }

    /// What a program's object says that it is.
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
}
#endif
