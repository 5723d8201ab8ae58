#if os(Linux)
package import HaloDBus

/// `org.bluez.GattService1`. A service of a device.
package enum GattService1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattService1"

    /// Which one.
    package static let uuid = "UUID"
    /// Whose.
    package static let device = "Device"
    /// Whether it stands for itself.
    package static let primary = "Primary"
    /// Services that belong to it.
    package static let includes = "Includes"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        properties: [
            .init(uuid, .string),
            .init(device, .objectPath),
            .init(primary, .boolean),
            .init(includes, .array(.objectPath)),
        ])
}
#endif
