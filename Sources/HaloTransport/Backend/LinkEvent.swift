/// What happens on a link, in the order in which it happened.
public enum LinkEvent: Hashable, Sendable {
    /// The device has sent a value by itself.
    case value(AttributeID, [UInt8])
    /// The services are others than before: what was discovered is stale.
    case servicesChanged
    /// Longer or shorter values can be written than before.
    case maximumLengthChanged
    /// The link has ended; nothing follows.
    case disconnected(DisconnectReason)
}
