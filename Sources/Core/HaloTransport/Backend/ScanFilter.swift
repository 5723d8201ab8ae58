public import HaloProtocol

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

    package func matches(_ discovery: Discovery) -> Bool {
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
