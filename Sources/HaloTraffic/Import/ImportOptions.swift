public import HaloProtocol

/// What is imported from a file of traffic, and how.
public struct ImportOptions: Hashable, Sendable {
    /// The format of the file; without it, that is found out from its first bytes.
    public var format: TrafficFormat?
    /// What attributes are, by their handles; this goes before whatever the file says.
    public var handles: [UInt16: BluetoothUUID] = [:]
    /// Whose conversation is imported.
    public var device = DeviceSelection.only
    /// Whether advertisements of the device are kept, too: the first
    /// ``ImportOptions/advertisementLimit`` before it is connected.
    public var keepsAdvertisements = false

    /// How many advertisements of a device are kept.
    public static let advertisementLimit = 64

    /// The format is found out, and the only device with a conversation is imported.
    public init() {}
}
