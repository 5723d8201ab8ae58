#if os(Linux)
package import HaloDBus

/// `org.bluez.Battery1`: the battery of a device.
package enum Battery1 {
    package static let interfaceName = "org.bluez.Battery1"

    /// The battery level in percent.
    package static let percentage = "Percentage"

    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        interfaceName, properties: [.init(percentage, .byte)])
}
#endif
