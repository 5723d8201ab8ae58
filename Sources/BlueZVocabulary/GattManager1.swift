#if os(Linux)
package import HaloDBus

/// `org.bluez.GattProfile1`. What a program's object has that wants devices with certain services
/// to be connected.
package enum GattProfile1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattProfile1"

    /// Which services.
    package static let uuids = "UUIDs"
}

/// `org.bluez.GattManager1`. Where programs register what a computer offers.
package enum GattManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.GattManager1"

    /// Offers the services of a program.
    package static let registerApplication = "RegisterApplication"
    /// Ends that.
    package static let unregisterApplication = "UnregisterApplication"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(
                registerApplication,
                [.init("application", .objectPath), .init("options", .options)]),
            .init(unregisterApplication, [.init("application", .objectPath)]),
        ])
}
#endif
