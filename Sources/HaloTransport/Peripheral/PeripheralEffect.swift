public import HaloProtocol

/// What a device does.
public enum PeripheralEffect: Hashable, Sendable {
    /// Answers a read with the value from the place on that was asked for; the host cuts it.
    case value([UInt8], ResponseToken)
    /// Answers a write with yes.
    case done(ResponseToken)
    /// Answers a read or a write with no.
    case refuse(ATTError, ResponseToken)
    /// Sends a value unasked: not longer than the link's maximum, or it is cut there.
    case notify(AttributeID, [UInt8])
    /// Sends a value unasked, to be confirmed.
    case indicate(AttributeID, [UInt8])
    /// Asks to be woken; replaces what was asked for before. Nothing means never.
    case wake(Moment?)
    /// Closes the link.
    case disconnect
    /// Advertises from now on with this; nothing means not at all.
    ///
    /// A host stops advertising while a central is connected, and goes on when it has left.
    case advertise(PeripheralAdvertisement?)
    /// The services are others than before.
    case servicesChanged
    /// Asks for another rhythm of the link, which a host may ignore.
    case requestParameters(LinkParameters)
}
