#if os(Linux)
package import HaloDBus

/// `org.bluez.Battery1`. The battery of a device.
package enum Battery1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Battery1"

    /// How full it is.
    package static let percentage = "Percentage"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        properties: [
            .init(percentage, .byte)
        ])
}
#endif
