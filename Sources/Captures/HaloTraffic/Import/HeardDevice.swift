public import HaloCapture
public import HaloProtocol

/// A device with advertisements in the file.
public struct HeardDevice: Hashable, Sendable {
    /// The address in its advertisements; `nil` for anonymous ones.
    public let address: DeviceAddress?
    /// The longest advertised name; a complete name takes precedence over a shortened one.
    public internal(set) var name: AdvertisedName?
    /// The number of advertisements and scan responses.
    public internal(set) var advertisementCount = 0
    /// The highest signal strength, in dBm.
    public internal(set) var strongestRSSI: Int8?
}
