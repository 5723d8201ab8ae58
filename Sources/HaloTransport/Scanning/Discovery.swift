public import HaloProtocol

/// A device that was heard.
public struct Discovery: Hashable, Sendable {
    /// Which device.
    public let identity: PeripheralIdentity
    /// The name that it advertises, or that the system remembers.
    public var name: String?
    /// The services that it advertises.
    public var services: [BluetoothUUID]
    /// The data of companies that it advertises.
    public var manufacturerData: [ManufacturerData]
    /// How strong the signal is, in dBm, where the backend says so.
    public var rssi: Int?
    /// Whether it can be connected to, where the backend says so.
    public var isConnectable: Bool?
    /// What was sent, where ``TransportFeatures/rawAdvertisements`` says so.
    public var advertisement: AdvertisingData?
    /// How many reports of a scan had to be dropped before this one, because nobody took them
    /// in time.
    public var lostBefore = 0

    /// A device that was heard.
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
}

/// What a company has a device say in its advertisement.
public struct ManufacturerData: Hashable, Sendable {
    /// The company's number.
    public let company: UInt16
    /// What follows it.
    public let bytes: [UInt8]

    /// A company's data.
    public init(company: UInt16, bytes: [UInt8]) {
        self.company = company
        self.bytes = bytes
    }
}

extension Discovery: CustomStringConvertible {
    /// The name and the identity, made safe for a terminal, and the strength of the signal.
    public var description: String {
        let name = name.map { PrintableText.quoted($0.utf8) } ?? "without a name"
        let who = "\(name) (\(PrintableText.escaped(identity.rawValue.utf8)))"
        return rssi.map { "\(who) at \($0) dBm" } ?? who
    }
}
