public import HaloProtocol

extension HeartRateSensor {
    /// A report of a heart-rate sensor that measures.
    public enum Report: Hashable, Sendable {
        case measurement(Measurement)
        /// A value that is not a measurement: its bytes, the moment of its arrival, and the error.
        case malformed([UInt8], Moment, PacketError)
        /// A change of the contact with the skin: `true` when the sensor has found the skin again,
        /// `false` when it has lost it. Only some sensors can tell.
        case contact(isTouchingSkin: Bool)
        /// The link was lost; measurements continue with the next link.
        case interrupted
        /// The number of reports that were dropped because the loop was slow.
        case missed(Int)
    }
}
