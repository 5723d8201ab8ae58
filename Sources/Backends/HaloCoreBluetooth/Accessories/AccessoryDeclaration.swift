#if canImport(CoreBluetooth)
public import HaloProtocol

/// What AccessorySetupKit must know to find the devices of a kind, and what an app must declare in
/// its `Info.plist` for it.
///
/// The clues are those of an advertisement by which `HaloProtocol` recognises the kind and which
/// the system accepts: a service or a company. A name alone is not accepted.
public struct AccessoryDeclaration: Hashable, Sendable {
    /// The services that devices of the kind advertise.
    public let services: [BluetoothUUID]
    /// The companies in their manufacturer data.
    public let companies: [UInt16]

    /// Creates a declaration of services and companies.
    public init(services: [BluetoothUUID], companies: [UInt16] = []) {
        self.services = services
        self.companies = companies
    }

    /// Rings: their services, and the company number that rings without an advertised service have.
    public static let rings = AccessoryDeclaration(
        services: [RingServices.uart], companies: [RingRecognition.ringCompany])

    /// Heart-rate sensors: the service of the Bluetooth SIG.
    public static let heartRateSensors = AccessoryDeclaration(
        services: [StandardServices.heartRate])

    /// The keys for the `Info.plist` of an app that picks devices of some kinds, as XML.
    ///
    /// The system ends an app that picks a device which is not declared. The name of the first key
    /// differs between Apple's pages, so both names are declared.
    public static func propertyList(for kinds: [AccessoryDeclaration]) -> String {
        let services = unique(kinds.flatMap(\.services)).map { $0.description.uppercased() }
        let companies = unique(kinds.flatMap(\.companies)).map {
            String($0, radix: 16).uppercased()
        }
        var lines: [String] = []
        lines += array("NSAccessorySetupKitSupports", ["Bluetooth"])
        lines += array("NSAccessorySetupSupports", ["Bluetooth"])
        if !services.isEmpty { lines += array("NSAccessorySetupBluetoothServices", services) }
        if !companies.isEmpty {
            lines += array("NSAccessorySetupBluetoothCompanyIdentifiers", companies)
        }
        return lines.joined(separator: "\n")
    }

    private static func array(_ key: String, _ values: [String]) -> [String] {
        ["<key>\(key)</key>", "<array>"] + values.map { "    <string>\($0)</string>" }
            + ["</array>"]
    }

    private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}
#endif
