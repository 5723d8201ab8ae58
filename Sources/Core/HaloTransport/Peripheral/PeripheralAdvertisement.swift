public import HaloProtocol

/// The advertisement of a device.
public struct PeripheralAdvertisement: Hashable, Sendable {
    /// The advertising data.
    public var data: AdvertisingData
    /// The scan response, for active scanners.
    public var scanResponse: AdvertisingData?
    /// The advertising interval.
    public var interval: Duration
    /// `true` if a central may connect.
    public var isConnectable: Bool

    /// Creates an advertisement; `AdvertisingData.connectable(name:services:)` makes data for most
    /// devices.
    public init(
        _ data: AdvertisingData, scanResponse: AdvertisingData? = nil,
        interval: Duration = .milliseconds(500), isConnectable: Bool = true
    ) {
        self.data = data
        self.scanResponse = scanResponse
        self.interval = interval
        self.isConnectable = isConnectable
    }
}
