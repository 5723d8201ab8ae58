public import HaloProtocol

/// A device that was heard.
public struct Discovery: Hashable, Sendable {
    /// The device, by which it can be connected to.
    public let identity: PeripheralIdentity
    /// The name that it advertises, or that the system remembers.
    public var name: String?
    /// The services that it advertises.
    public var services: [BluetoothUUID]
    /// The data of companies that it advertises.
    public var manufacturerData: [ManufacturerData]
    /// The strength of the signal in dBm, where the backend says so.
    public var rssi: Int?
    /// Whether it can be connected to, where the backend says so.
    public var isConnectable: Bool?
    /// The bytes that were sent, where the backend has ``TransportFeatures/rawAdvertisements``.
    public var advertisement: AdvertisingData?
    /// The number of reports before this one that were dropped, because the buffer was full.
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

/// The data of a company in an advertisement.
public struct ManufacturerData: Hashable, Sendable {
    /// The company's number.
    public let company: UInt16
    /// The bytes after it.
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

/// A filter for the devices that a scan reports: those for which everything that is set holds.
public struct ScanFilter: Hashable, Sendable {
    /// One of these services is advertised; empty means any.
    public var services: [BluetoothUUID]
    /// The name begins with this, in either case of letters.
    public var namePrefix: String?
    /// There is data of this company.
    public var company: UInt16?
    /// The signal is at least so strong, in dBm.
    public var minimumRSSI: Int?
    /// It is one of these devices; empty means any.
    public var identities: [PeripheralIdentity]
    /// `true` if each advertisement is reported, and not only what is new about a device.
    public var reportsDuplicates: Bool

    /// Every device, each once, and again when something new is heard of it.
    public static let all = ScanFilter()

    /// A filter.
    public init(
        services: [BluetoothUUID] = [], namePrefix: String? = nil, company: UInt16? = nil,
        minimumRSSI: Int? = nil, identities: [PeripheralIdentity] = [],
        reportsDuplicates: Bool = false
    ) {
        self.services = services
        self.namePrefix = namePrefix
        self.company = company
        self.minimumRSSI = minimumRSSI
        self.identities = identities
        self.reportsDuplicates = reportsDuplicates
    }
}

extension ScanFilter {
    /// `true` if everything that is set holds for a device.
    public func matches(_ discovery: Discovery) -> Bool {
        if !services.isEmpty, !discovery.services.contains(where: services.contains) {
            return false
        }
        if let prefix = namePrefix?.lowercased() {
            guard let name = discovery.name?.lowercased(), name.utf8.starts(with: prefix.utf8)
            else { return false }
        }
        if let company, !discovery.manufacturerData.contains(where: { $0.company == company }) {
            return false
        }
        if let minimumRSSI {
            guard let rssi = discovery.rssi, rssi >= minimumRSSI else { return false }
        }
        return identities.isEmpty || identities.contains(discovery.identity)
    }
}
