/// A selection among the conversations of a file.
public enum DeviceSelection: Hashable, Sendable {
    /// The only device with a conversation; among several, the only ring, see
    /// ``TrafficConnection/isRing``.
    case only
    /// All conversations with the devices of an address, public or random.
    case address(UInt64)
    /// One connection, by its ``TrafficConnection/number``.
    case connection(Int)
    /// All conversations with all devices.
    case all
}
