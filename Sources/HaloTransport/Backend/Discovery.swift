public import HaloProtocol

/// A device that a scan has discovered.
public struct Discovery: Hashable, Sendable, Identifiable {
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
}

/// Manufacturer data in an advertisement.
public struct ManufacturerData: Hashable, Sendable {
    /// The company identifier, assigned by the Bluetooth SIG.
    public let company: UInt16
    /// The bytes after the company identifier.
    public let bytes: [UInt8]

    /// Creates manufacturer data of a company.
    public init(company: UInt16, bytes: [UInt8]) {
        self.company = company
        self.bytes = bytes
    }
}

extension Discovery: CustomStringConvertible {
    /// The name, the identity and the RSSI, made safe for a terminal.
    public var description: String {
        let name = name.map { PrintableText.quoted($0.utf8) } ?? "without a name"
        let device = "\(name) (\(PrintableText.escaped(identity.rawValue.utf8)))"
        return rssi.map { "\(device) at \($0) dBm" } ?? device
    }
}

/// A filter for the devices that a scan reports: every condition that is set must hold.
public struct ScanFilter: Hashable, Sendable {
    /// Services, of which at least one must be advertised; empty for no condition.
    public var services: [BluetoothUUID]
    /// The beginning of the name, compared without regard to case; `nil` for no condition.
    public var namePrefix: String?
    /// The company identifier of the advertised manufacturer data; `nil` for no condition.
    public var company: UInt16?
    /// The lowest RSSI in dBm; `nil` for no condition.
    public var minimumRSSI: Int?
    /// Identities, of which the device must have one; empty for no condition.
    public var identities: [PeripheralIdentity]
    /// `true` if every advertisement is reported; `false` if a device is reported only when its
    /// advertisement has something new.
    public var reportsDuplicates: Bool

    /// A filter for every device: reported once, and again when its advertisement has something
    /// new.
    public static let all = ScanFilter()

    /// Creates a filter; by default, every device matches.
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
    /// Returns `true` if a device fulfils every condition that is set.
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
