package import HaloTransport

/// An output of an air: the result of an operation under its tag, or an event.
package enum AirOutput: Hashable, Sendable {
    /// A scan has received an advertisement.
    indirect case heard(DeviceNumber, Discovery, tag: UInt64)
    /// A link is open.
    case connected(AirLinkNumber, tag: UInt64)
    /// The services of the device.
    case services([GATTService], tag: UInt64)
    /// A value was read.
    case value([UInt8], tag: UInt64)
    /// A write or a subscription was carried out.
    case done(tag: UInt64)
    /// The signal strength in dBm.
    case rssi(Int, tag: UInt64)
    /// An operation, a scan or a connection attempt failed.
    indirect case failed(BLEError, tag: UInt64)
    /// An event of a link.
    case event(AirLinkNumber, LinkEvent)
    /// A scheduled timer has fired.
    case timer(tag: UInt64)
}
