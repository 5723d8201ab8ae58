package import HaloTransport

package enum AirOutput: Hashable, Sendable {
    indirect case heard(DeviceNumber, Discovery, tag: UInt64)
    case connected(AirLinkNumber, tag: UInt64)
    case services([GATTService], tag: UInt64)
    case value([UInt8], tag: UInt64)
    case done(tag: UInt64)
    /// The signal strength in dBm.
    case rssi(Int, tag: UInt64)
    indirect case failed(BLEError, tag: UInt64)
    case event(AirLinkNumber, LinkEvent)
    case timer(tag: UInt64)
}
