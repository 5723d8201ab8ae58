public import HaloCapture
public import HaloProtocol

/// An adapter of the computer or phone that recorded the file.
public struct TrafficRecorder: Hashable, Sendable {
    /// The number of the adapter: 1 for `hci1`.
    public let adapter: UInt16
    /// The public address, or `nil` if the file lacks it.
    public internal(set) var address: DeviceAddress?
    /// The name, or `nil` if the file lacks it.
    public internal(set) var name: AdvertisedName?

    init(adapter: UInt16) {
        self.adapter = adapter
    }
}
