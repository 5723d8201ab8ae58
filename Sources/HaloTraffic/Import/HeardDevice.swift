public import HaloCapture
public import HaloProtocol

/// A device that was heard advertising.
public struct HeardDevice: Hashable, Sendable {
    /// Its address.
    public let address: DeviceAddress
    /// Its name, if it said one; the last one, the complete one before a cut one.
    public internal(set) var name: AdvertisedName?
    /// How many advertisements and scan responses were heard.
    public internal(set) var count = 0
    /// How strong the strongest was, in dBm.
    public internal(set) var strongest: Int8?
}
