/// The value of the System ID characteristic, 2A23: a unique identifier.
///
///     ← manufacturer, 5 bytes LE | organization, 3 bytes LE
///
/// A device that derives it from its Bluetooth address AA:BB:CC:DD:EE:FF sends
/// `FF EE DD FE FF CC BB AA`. It identifies one person's device: keep it out of logs.
package struct SystemID: BytePacket {
    package static var name: PacketName { PacketName("SystemID") }

    /// The manufacturer's 40-bit number for the device.
    let manufacturerIdentifier: UInt64
    /// The number that the IEEE has assigned to the manufacturer.
    let organizationIdentifier: UInt24

    /// Creates an identifier derived from the 48 bits of a Bluetooth address.
    package init(address: UInt64) {
        manufacturerIdentifier = address & 0xFF_FFFF | Self.addressMark &<< 24
        organizationIdentifier = UInt24(truncating: address &>> 24)
    }

    /// The 48 bits of the Bluetooth address, or `nil` if the identifier is not derived from one.
    package var address: UInt64? {
        guard manufacturerIdentifier &>> 24 == Self.addressMark else { return nil }
        return UInt64(organizationIdentifier.value) &<< 24 | manufacturerIdentifier & 0xFF_FFFF
    }

    private static var addressMark: UInt64 { 0xFFFE }

    package init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        manufacturerIdentifier = try io.integer(
            "manufacturerIdentifier", packet?.manufacturerIdentifier, width: 5,
            isBigEndian: false, role: .value, secrecy: .systemID, unit: .none)
        organizationIdentifier = try io.uint24(
            "organizationIdentifier", packet?.organizationIdentifier, .systemID)
    }
}
