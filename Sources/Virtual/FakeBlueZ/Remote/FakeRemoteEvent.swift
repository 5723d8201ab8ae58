#if os(Linux)
internal import HaloTransport

enum FakeRemoteEvent: Sendable {
    /// Advertises with this content, or stops with `nil`. While a central is connected, the daemon
    /// ignores this event.
    case advertise(PeripheralAdvertisement?)
    /// Sends a notification.
    case notify(AttributeID, [UInt8])
    /// Sends an indication.
    case indicate(AttributeID, [UInt8])
    /// Reports changed services.
    case servicesChanged
    /// Ends the link.
    case disconnect
    /// Reports the removal of the remote.
    case gone
}
#endif
