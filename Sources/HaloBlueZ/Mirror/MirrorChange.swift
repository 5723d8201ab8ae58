#if os(Linux)
internal import HaloDBus

/// What has changed in the mirror, or passed it by, in the order in which the daemon said it.
enum MirrorChange: Hashable, Sendable {
    /// The daemon's objects are known from now on.
    case loaded
    /// The daemon is gone, and all its objects with it: its name has no owner any more, another
    /// one owns it now, or the bus is gone.
    case lost(String)
    /// An adapter is there, or its properties are others.
    case adapter(DBusObjectPath)
    /// An adapter is gone.
    case adapterRemoved(DBusObjectPath)
    /// A device is there, or its properties are others; `isHeard` says that the signal tells of
    /// something that was heard just now.
    case device(DBusObjectPath, isHeard: Bool)
    /// A device's link has come, or ended.
    case connection(DBusObjectPath, isConnected: Bool)
    /// A device's services are known, or no longer.
    case resolved(DBusObjectPath, Bool)
    /// A device is gone.
    case deviceRemoved(DBusObjectPath)
    /// Services, characteristics or descriptors of a device came or went.
    case attributes(device: DBusObjectPath)
    /// A characteristic has another length of packets.
    case mtu(characteristic: DBusObjectPath)
    /// A characteristic's value was told.
    case value(characteristic: DBusObjectPath, [UInt8])
    /// A device's battery was told.
    case battery(device: DBusObjectPath, Int)
    /// A device's link has ended for this reason (from 5.83 on).
    case reason(device: DBusObjectPath, name: String, text: String)
}
#endif
