#if os(Linux)
package import HaloDBus

/// `org.bluez.Bearer.LE1`. A device's link over low energy alone: from 5.84 on, if the daemon was
/// started with `--experimental`.
package enum BearerLE1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Bearer.LE1"

    /// What the daemon says that it is.
    package static let interface = Bearer.interface(interfaceName)
}

/// `org.bluez.Bearer.BREDR1`. A device's link over the older Bluetooth alone, likewise.
package enum BearerBREDR1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Bearer.BREDR1"

    /// What the daemon says that it is.
    package static let interface = Bearer.interface(interfaceName)
}

/// What both have. Their methods, signal and properties are called as those of `Device1`.
private enum Bearer {
    static func interface(_ name: String) -> DBusInterface {
        DBusInterface(
            name,
            methods: [.init(Device1.connect), .init(Device1.disconnect)],
            properties: [
                .init(Device1.adapter, .objectPath), .init(Device1.paired, .boolean),
                .init(Device1.bonded, .boolean), .init(Device1.connected, .boolean),
            ])
    }
}
#endif
