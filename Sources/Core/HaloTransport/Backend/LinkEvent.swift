/// An event of a link.
public enum LinkEvent: Hashable, Sendable {
    /// A notification or an indication: the characteristic and its value.
    case value(AttributeID, [UInt8])
    /// The device's services have changed: earlier discoveries are stale.
    case servicesChanged
    /// ``LinkDriver/maximumWriteLength(for:)`` has changed.
    case maximumLengthChanged
    /// The link has ended; this is the last event.
    ///
    /// A backend reports it before it fails the requests in progress: then
    /// ``BLELink/disconnectReason`` is set when they fail.
    case disconnected(DisconnectReason)
}
