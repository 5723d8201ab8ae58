package import HaloCapture
package import HaloProtocol

/// An adapter of the computer or phone that recorded the file.
package struct TrafficRecorder: Hashable, Sendable {
    /// The number of the adapter: 1 for `hci1`.
    package let adapter: UInt16
    /// The public address, or `nil` if the file lacks it.
    package internal(set) var address: DeviceAddress?
    /// The name, or `nil` if the file lacks it.
    package internal(set) var name: AdvertisedName?

    init(adapter: UInt16) {
        self.adapter = adapter
    }
}
