public import HaloProtocol
public import HaloTransport

/// An attribute of a device: what it is, how that is known, and what went over it.
public struct TrafficAttribute: Hashable, Sendable {
    /// Its handle; nothing where the log has none.
    public let handle: UInt16?
    /// What it is; what nobody can name has a number of its own, see
    /// ``BluetoothUUID/unnamed(handle:)``.
    public let uuid: BluetoothUUID
    /// How that is known.
    public let basis: ResolutionBasis
    /// The service that it belongs to, if the device has said so.
    public internal(set) var service: BluetoothUUID?
    /// What can be done with it, if it is a characteristic's value and the device has said so.
    public internal(set) var properties: GATTProperties?
    /// The handle whose notifications are switched here, if this is where that is done.
    public internal(set) var subscribes: UInt16?
    /// Values that the app has written.
    public internal(set) var written = ValueCount()
    /// Values that the device has sent by itself.
    public internal(set) var notified = ValueCount()
    /// Values that the app has read.
    public internal(set) var read = ValueCount()
    /// How often the device has refused.
    public internal(set) var refusalCount = 0

    init(handle: UInt16?, uuid: BluetoothUUID, basis: ResolutionBasis) {
        self.handle = handle
        self.uuid = uuid
        self.basis = basis
    }

    /// Whether anything went over it.
    public var isUsed: Bool {
        written.count > 0 || notified.count > 0 || read.count > 0 || refusalCount > 0
    }
}
