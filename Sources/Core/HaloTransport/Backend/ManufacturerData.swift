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
