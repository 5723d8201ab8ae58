#if os(Linux)
package import HaloDBus

/// `org.bluez.GattManager1`: registers the services that a program hosts.
package enum GattManager1 {
    package static let interfaceName = "org.bluez.GattManager1"

    package static let registerApplication = "RegisterApplication"
    package static let unregisterApplication = "UnregisterApplication"

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
