#if os(Linux)
internal import HaloDBus

/// The bus: its addresses, and the error of the connection.
struct BusFacts: Sendable {
    /// The source of the bus's address.
    enum Source: Sendable { case option, environment, usualPlace }

    var source = Source.usualPlace
    var addresses: [DBusAddress] = []
    /// The access to the socket's file, if it is a file.
    var access: LocalSystem.Access?
    var error: DBusError?

    var isReached: Bool { error == nil }

    /// All addresses, as an option takes them.
    var text: String { addresses.map(\.description).joined(separator: ";") }

    var path: String? {
        for address in addresses { if case .path(let path)? = address.socket { return path } }
        return nil
    }
}
#endif
