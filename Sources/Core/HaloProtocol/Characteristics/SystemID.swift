/// The value of the System ID characteristic, 2A23: a unique identifier.
///
///     ← manufacturer, 5 bytes LE | organization, 3 bytes LE
///
/// A device that derives it from its Bluetooth address AA:BB:CC:DD:EE:FF sends
/// `FF EE DD FE FF CC BB AA`. It identifies one person's device: keep it out of logs.
public struct SystemID: BytePacket {
    public static var name: PacketName { PacketName("SystemID") }

    /// The manufacturer's 40-bit number for the device.
    public let manufacturerIdentifier: UInt64
    /// The number that the IEEE has assigned to the manufacturer.
    public let organizationIdentifier: UInt24

    private static var largestManufacturerIdentifier: UInt64 { 0xFF_FFFF_FFFF }

    /// Creates an identifier from its two numbers, the first of at most 40 bits.
    public init(
        manufacturerIdentifier: UInt64, organizationIdentifier: UInt24
    ) throws(ValueError) {
        try ValueError.check(
            "manufacturerIdentifier", manufacturerIdentifier,
            in: 0...Int64(Self.largestManufacturerIdentifier))
        self.manufacturerIdentifier = manufacturerIdentifier
        self.organizationIdentifier = organizationIdentifier
    }

    /// Creates an identifier derived from the 48 bits of a Bluetooth address.
    public init(address: UInt64) {
        manufacturerIdentifier = address & 0xFF_FFFF | Self.addressMark &<< 24
        organizationIdentifier = UInt24(truncating: address &>> 24)
    }

    /// The 48 bits of the Bluetooth address, or `nil` if the identifier is not derived from one.
    public var address: UInt64? {
        guard manufacturerIdentifier &>> 24 == Self.addressMark else { return nil }
        return UInt64(organizationIdentifier.value) &<< 24 | manufacturerIdentifier & 0xFF_FFFF
    }

    private static var addressMark: UInt64 { 0xFFFE }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        manufacturerIdentifier = try io.integer(
            "manufacturerIdentifier", packet?.manufacturerIdentifier, width: 5,
            isBigEndian: false, role: .value, secrecy: .systemID, unit: .none)
        organizationIdentifier = try io.uint24(
            "organizationIdentifier", packet?.organizationIdentifier, .systemID)
    }
}
