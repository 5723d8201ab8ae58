#if os(Linux)
package import HaloDBus

/// `org.bluez.HealthManager1` of Bluetooth Classic: present, not used here.
package enum HealthManager1 {
    /// The interface as the daemon describes it.
    package static let interface = DBusInterface(
        "org.bluez.HealthManager1",
        methods: [
            .init(
                "CreateApplication", [.init("config", .options)],
                returns: [.init("application", .objectPath)]),
            .init("DestroyApplication", [.init("application", .objectPath)]),
        ])
}
#endif
