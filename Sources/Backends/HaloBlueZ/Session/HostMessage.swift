#if os(Linux)
internal import HaloDBus

/// A message to the bus for a hosted device. It calls no callback of the app.
enum HostMessage: Sendable {
    /// Exports an object, whose requests go to ``BlueZSession/asked(_:of:)``.
    case export(HostedApplication.Object, of: UInt64)
    case unexport(DBusObjectPath)
    /// Sets a characteristic's value, which notifies the daemon.
    case value([UInt8], at: DBusObjectPath)
    case reply([DBusValue], to: DBusRequest)
    case refuse(DBusRefusal, of: DBusRequest)
}
#endif
