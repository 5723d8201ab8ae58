#if os(Linux)
internal import HaloDBus

struct BusFacts: Sendable {
    enum Source: Sendable { case option, environment, usualPlace }

    var source = Source.usualPlace
    var addresses: [DBusAddress] = []
    var access: LocalSystem.Access?
    var error: DBusError?

    var isReached: Bool { error == nil }

    var text: String { addresses.map(\.description).joined(separator: ";") }

    var path: String? {
        for address in addresses { if case .path(let path)? = address.socket { return path } }
        return nil
    }
}
#endif
