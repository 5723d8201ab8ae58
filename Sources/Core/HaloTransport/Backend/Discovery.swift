public import HaloProtocol

/// A device that a scan has discovered.
public struct Discovery: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// The identity of the device, to connect to it.
    public let identity: PeripheralIdentity
    /// The name that the device advertises, or that the system remembers.
    public var name: String?
    /// The services that the device advertises.
    public var services: [BluetoothUUID]
    /// The manufacturer data that the device advertises.
    public var manufacturerData: [ManufacturerData]
    /// The RSSI in dBm; `nil` where the backend does not report it.
    public var rssi: Int?
    /// `true` if the device accepts connections; `nil` where the backend does not report it.
    public var isConnectable: Bool?
    /// The bytes as sent, where the backend has ``TransportFeatures/rawAdvertisements``.
    public var advertisement: AdvertisingData?
    /// The number of reports that were dropped before this one because the buffer was full.
    public var lostBefore = 0

    /// The identity of the device.
    public var id: PeripheralIdentity { identity }

    /// Creates a discovery; by default, without any data.
    public init(
        _ identity: PeripheralIdentity, name: String? = nil, services: [BluetoothUUID] = [],
        manufacturerData: [ManufacturerData] = [], rssi: Int? = nil, isConnectable: Bool? = nil,
        advertisement: AdvertisingData? = nil
    ) {
        self.identity = identity
        self.name = name
        self.services = services
        self.manufacturerData = manufacturerData
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.advertisement = advertisement
    }

    /// The name, the identity and the RSSI, made safe for a terminal.
    public var description: String {
        let name = name.map { PrintableText.quoted($0.utf8) } ?? "without a name"
        let device = "\(name) (\(PrintableText.escaped(identity.rawValue.utf8)))"
        return rssi.map { "\(device) at \($0) dBm" } ?? device
    }
}
