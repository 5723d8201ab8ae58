/// What happens to a device.
public enum PeripheralEvent: Hashable, Sendable {
    /// The device came to life, with a radio: the first event it gets. What a clock on the wall
    /// shows is for devices that live with a person.
    case started(WallClock)
    /// The moment that the device asked for has come.
    case woken
    /// Somebody changed the device from outside: it says again when it wants to be woken.
    case changed
    /// A central has connected; the MTU is 23 until told otherwise.
    case connected
    /// The central is gone; subscriptions with it.
    case disconnected
    /// Values can be so long on this link: in one notification, and in one write.
    case maximumLength(Int)
    /// A central asks for the value of an attribute from a place on.
    case read(AttributeID, offset: Int, token: ResponseToken)
    /// A central writes; without a token it wants no answer.
    case write(AttributeID, [UInt8], token: ResponseToken?)
    /// A central wants, or no longer wants, values of a characteristic as they come.
    case subscription(AttributeID, isOn: Bool)
    /// The central has confirmed an indication.
    case confirmed(AttributeID)
}
