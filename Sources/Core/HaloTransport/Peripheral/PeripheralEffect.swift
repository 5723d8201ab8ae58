public import HaloProtocol

/// An effect of a device: an action of its host.
public enum PeripheralEffect: Hashable, Sendable {
    /// Responds to a read with the value, beginning at the requested offset. The host cuts it to
    /// the MTU.
    case value([UInt8], ResponseToken)
    /// Confirms a write.
    case done(ResponseToken)
    case refuse(ATTError, ResponseToken)
    /// Sends a notification, cut to the link's maximum length.
    case notify(AttributeID, [UInt8])
    /// Sends an indication, which the central confirms.
    case indicate(AttributeID, [UInt8])
    /// Requests ``PeripheralEvent/woken`` at a moment, in place of an earlier request; `nil` for
    /// never.
    case wake(Moment?)
    case disconnect
    /// Advertises from now on; `nil` to stop.
    ///
    /// A host pauses advertising while a central is connected.
    indirect case advertise(PeripheralAdvertisement?)
    case servicesChanged
    /// Requests other connection parameters, which a host may ignore.
    indirect case requestParameters(LinkParameters)
}
