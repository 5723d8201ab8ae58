#if os(Linux)
internal import HaloDBus

enum MirrorChange: Hashable, Sendable {
    case loaded
    /// The daemon is gone with its objects: its name has another owner or none, or the bus ended.
    case lost(String)
    case adapter(DBusObjectPath)
    case adapterRemoved(DBusObjectPath)
    /// A device was added or changed; `isHeard` is `true` if it has just been received.
    case device(DBusObjectPath, isHeard: Bool)
    case connection(DBusObjectPath, isConnected: Bool)
    case resolved(DBusObjectPath, Bool)
    case deviceRemoved(DBusObjectPath)
    /// Services, characteristics or descriptors of a device were added or removed.
    case attributes(device: DBusObjectPath)
    case mtu(characteristic: DBusObjectPath)
    case value(characteristic: DBusObjectPath, [UInt8])
    case battery(device: DBusObjectPath, Int)
    /// The reason for the end of a device's link (from 5.83 on).
    case reason(device: DBusObjectPath, name: String, text: String)
}
#endif
