/// An event for a device.
public enum PeripheralEvent: Hashable, Sendable {
    /// The first event, with the local date and time for devices that show or record them.
    case started(WallClock)
    /// The moment of ``PeripheralEffect/wake(_:)`` has come.
    case woken
    /// The device was changed by ``Hosted/modify(_:)``. It must request its next wake again.
    case changed
    /// A central has connected; the MTU is 23 until ``maximumLength(_:)``.
    case connected
    /// The central has disconnected; its subscriptions have ended.
    case disconnected
    /// The maximum number of bytes of one notification or one write without response on this link.
    case maximumLength(Int)
    /// A central reads the value of an attribute, beginning at an offset.
    case read(AttributeID, offset: Int, token: ResponseToken)
    /// A central writes a value. Without a token, the central expects no response.
    case write(AttributeID, [UInt8], token: ResponseToken?)
    /// A central subscribes to a characteristic, or unsubscribes.
    case subscription(AttributeID, isOn: Bool)
    /// The central has confirmed an indication.
    case confirmed(AttributeID)
}
