#if os(Linux)
internal import HaloDBus

/// A change of the mirror, or an event for it, in the daemon's order.
enum MirrorChange: Hashable, Sendable {
    /// The daemon's objects are loaded.
    case loaded
    /// The daemon is gone with all its objects: its name has lost its owner, got another one, or
    /// the bus is gone.
    case lost(String)
    /// An adapter was added or changed.
    case adapter(DBusObjectPath)
    case adapterRemoved(DBusObjectPath)
    /// A device was added or changed; `isHeard` is `true` if it has just been received.
    case device(DBusObjectPath, isHeard: Bool)
    case connection(DBusObjectPath, isConnected: Bool)
    /// A device's `ServicesResolved` was set.
    case resolved(DBusObjectPath, Bool)
    case deviceRemoved(DBusObjectPath)
    /// Services, characteristics or descriptors of a device were added or removed.
    case attributes(device: DBusObjectPath)
    /// A characteristic's `MTU` has changed.
    case mtu(characteristic: DBusObjectPath)
    case value(characteristic: DBusObjectPath, [UInt8])
    case battery(device: DBusObjectPath, Int)
    /// The reason for the end of a device's link (from 5.83 on).
    case reason(device: DBusObjectPath, name: String, text: String)
}
#endif
