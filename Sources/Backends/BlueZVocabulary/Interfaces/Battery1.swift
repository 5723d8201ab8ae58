#if os(Linux)
package import HaloDBus

/// `org.bluez.Battery1`: the battery of a device.
package enum Battery1 {
    package static let interfaceName = "org.bluez.Battery1"

    package static let percentage = "Percentage"

    package static let interface = DBusInterface(
        interfaceName, properties: [.init(percentage, .byte)])
}
#endif
