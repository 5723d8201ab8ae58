public import HaloProtocol

/// What a device sends to whom it may concern.
public struct PeripheralAdvertisement: Hashable, Sendable {
    /// What it sends by itself.
    public var data: AdvertisingData
    /// What it answers to a scanner that asks.
    public var scanResponse: AdvertisingData?
    /// How long it is from one sending to the next.
    public var interval: Duration
    /// Whether a central may connect.
    public var isConnectable: Bool

    /// An advertisement; ``AdvertisingData/connectable(name:services:)`` makes data for most
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
