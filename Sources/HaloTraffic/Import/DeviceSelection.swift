/// Whose conversation is taken out of a file that may have several.
public enum DeviceSelection: Hashable, Sendable {
    /// That of the only device with which there is one; of several, that of the only ring, see
    /// ``TrafficConnection/isRing``.
    case only
    /// All with a device of that address, public or random.
    case address(UInt64)
    /// One connection, by its ``TrafficConnection/number``.
    case connection(Int)
    /// All with all devices.
    case all
}
