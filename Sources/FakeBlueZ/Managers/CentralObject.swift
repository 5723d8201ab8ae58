#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// A central as the adapter sees it that is a device: the daemon has an object for it, too, which
/// was seen on 5.66 (testbed, trap 4).
struct CentralObject: Sendable {
    let path: DBusObjectPath
    let address: String
    let adapter: DBusObjectPath

    init(_ address: String, on adapter: DBusObjectPath) {
        self.address = address
        self.adapter = adapter
        path = .fake("\(adapter.text)/dev_\(address.replacing(":", with: "_"))")
    }

    private var object: DBusObject {
        DBusObject(
            [Device1.interface],
            values: [
                Device1.interfaceName: [
                    Device1.address: .string(address), Device1.addressType: .string("public"),
                    Device1.alias: .string(address.replacing(":", with: "-")),
                    Device1.paired: .boolean(false), Device1.bonded: .boolean(false),
                    Device1.trusted: .boolean(false), Device1.blocked: .boolean(false),
                    Device1.legacyPairing: .boolean(false), Device1.connected: .boolean(false),
                    Device1.uuiDs: .strings([String]()), Device1.adapter: .objectPath(adapter),
                    Device1.servicesResolved: .boolean(false),
                ]
            ])
    }

    /// Has an object of it on the bus; one that is there already is used.
    func appear(
        _ connection: DBusConnection, disconnect: @escaping @Sendable () -> Void
    ) {
        try? connection.export(object, at: path) { request in
            switch request.member {
            case Device1.disconnect:
                request.reply()
                disconnect()
            case Device1.connect: request.reply()
            default: request.refuse(.notSupported)
            }
        }
    }

    /// Tells of its link.
    func connect(_ connection: DBusConnection) {
        try? connection.set(
            [Device1.connected: .boolean(true), Device1.servicesResolved: .boolean(true)],
            of: Device1.interfaceName, at: path)
    }

    /// Tells that the link has ended. It remains known.
    func disconnect(_ connection: DBusConnection) {
        try? connection.set(
            [Device1.connected: .boolean(false), Device1.servicesResolved: .boolean(false)],
            of: Device1.interfaceName, at: path)
    }
}
#endif
