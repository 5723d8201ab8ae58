public import HaloProtocol

/// The options of an import from a file of traffic.
public struct ImportOptions: Hashable, Sendable {
    /// The format of the file, or `nil` to recognise it by its first bytes.
    public var format: TrafficFormat?
    /// The name of the log in an archive, with its folders or without, or `nil` for the only one.
    public var entry: String?
    /// The types of attributes by their handles; they override those in the file.
    public var handles: [UInt16: BluetoothUUID] = [:]
    /// The characteristics of values that a log of text does not name, by direction.
    public var unnamed: [Direction: BluetoothUUID] = [:]
    /// The end at which the recorder was, ``DeviceRole/remote`` or ``DeviceRole/local``, for
    /// connections whose beginning is not in the log; `nil` to decide by their packets.
    public var role: DeviceRole?
    /// The device whose conversation is imported.
    public var device = DeviceSelection.only
    /// `true` if advertisements of the device are kept too: the first
    /// `ImportOptions.advertisementLimit` before it is connected.
    public var keepsAdvertisements = false

    /// The maximum number of kept advertisements of a device.
    package static let advertisementLimit = 64

    /// Creates options that recognise the format, and select the only device with a conversation.
    public init() {}
}
