#if os(Linux)
package import HaloDBus

/// `org.bluez.GattService1`: a service, of a device or of a program that hosts one.
package enum GattService1 {
    package static let interfaceName = "org.bluez.GattService1"

    /// The UUID, as text.
    package static let uuid = "UUID"
    /// The object path of the device.
    package static let device = "Device"
    /// `true` for a primary service.
    package static let primary = "Primary"
    /// The object paths of included services.
    package static let includes = "Includes"

    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(device, .objectPath),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])

    /// The interface of a hosted service.
    package static let applicationInterface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])
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
