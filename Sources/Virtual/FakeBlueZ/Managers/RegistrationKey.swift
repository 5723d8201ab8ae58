#if os(Linux)
internal import HaloDBus

/// The key of a registration: the program's unique name on the bus, and its object's path.
struct RegistrationKey: Hashable, Sendable {
    let owner: String
    let path: DBusObjectPath
}
#endif
