#if os(Linux)
package import HaloDBus

/// `org.bluez.GattService1`: a service, of a device or of a program that hosts one.
package enum GattService1 {
    package static let interfaceName = "org.bluez.GattService1"

    package static let uuid = "UUID"
    package static let device = "Device"
    package static let primary = "Primary"
    package static let includes = "Includes"

    package static let interface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(device, .objectPath),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])

    package static let applicationInterface = DBusInterface(
        interfaceName, properties: interface.properties.filter { $0.name != device })
}

extension DBusInterface.Method {
    static let readValue = Self(
        GattCharacteristic1.readValue, [.init("options", .options)],
        returns: [.init("value", .array(.byte))])

    static let writeValue = Self(
        GattCharacteristic1.writeValue,
        [.init("value", .array(.byte)), .init("options", .options)])

    static func acquiring(_ name: String) -> Self {
        Self(
            name, [.init("options", .options)],
            returns: [.init("fd", .unixFD), .init("mtu", .uint16)])
    }
}
#endif
