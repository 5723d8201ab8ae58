public import HaloTransport

/// What an air has to tell: the end of an operation, under the tag that the caller gave it, or
/// something that happened.
public enum AirOutput: Hashable, Sendable {
    /// A scan has heard an advertisement.
    case heard(DeviceNumber, Discovery, tag: UInt64)
    /// A link has come about.
    case connected(LinkNumber, tag: UInt64)
    /// What the device consists of.
    case services([GATTService], tag: UInt64)
    /// A value was read.
    case value([UInt8], tag: UInt64)
    /// A write or a subscription was carried out.
    case done(tag: UInt64)
    /// How strong the device's signal is, in dBm.
    case rssi(Int, tag: UInt64)
    /// An operation, a scan or an attempt has ended without what was asked for.
    case failed(BLEError, tag: UInt64)
    /// Something happened on a link.
    case event(LinkNumber, LinkEvent)
    /// A moment that was asked for has come.
    case timer(tag: UInt64)
}
