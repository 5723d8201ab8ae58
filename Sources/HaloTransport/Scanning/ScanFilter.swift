public import HaloProtocol

/// Which devices a scan reports: those for which everything that is set holds.
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
    /// Whether each advertisement is reported, and not only what is new about a device.
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
    /// Whether everything that is set holds for a device.
    public func matches(_ discovery: Discovery) -> Bool {
        if !services.isEmpty, !discovery.services.contains(where: services.contains) {
            return false
        }
        if let namePrefix, !Self.begins(discovery.name, with: namePrefix) { return false }
        if let company, !discovery.manufacturerData.contains(where: { $0.company == company }) {
            return false
        }
        if let minimumRSSI {
            guard let rssi = discovery.rssi, rssi >= minimumRSSI else { return false }
        }
        return identities.isEmpty || identities.contains(discovery.identity)
    }

    private static func begins(_ name: String?, with prefix: String) -> Bool {
        guard let name else { return false }
        return name.lowercased().utf8.starts(with: prefix.lowercased().utf8)
    }
}
