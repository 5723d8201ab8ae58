/// The value of the System ID characteristic, 2A23: a number that no other device has.
///
///     ← manufacturer, 5 bytes LE | organization, 3 bytes LE
///
/// A device that makes it of its Bluetooth address AA:BB:CC:DD:EE:FF sends
/// `FF EE DD FE FF CC BB AA`. It tells one person's device from all others: keep it out of logs.
public struct SystemID: BytePacket {
    public static var name: PacketName { PacketName("SystemID") }

    /// The manufacturer's number for the device, of 40 bits.
    public let manufacturerIdentifier: UInt64
    /// The manufacturer's own number, which the IEEE gives out.
    public let organizationIdentifier: UInt24

    private static var largestManufacturerIdentifier: UInt64 { 0xFF_FFFF_FFFF }

    /// An identifier of its two numbers; the first has at most 40 bits.
    public init(
        manufacturerIdentifier: UInt64, organizationIdentifier: UInt24
    ) throws(ValueError) {
        guard manufacturerIdentifier <= Self.largestManufacturerIdentifier else {
            throw ValueError(
                "manufacturerIdentifier", allowed: 0...Int64(Self.largestManufacturerIdentifier),
                found: Int64(clamping: manufacturerIdentifier))
        }
        self.manufacturerIdentifier = manufacturerIdentifier
        self.organizationIdentifier = organizationIdentifier
    }

    /// The identifier of a device by its Bluetooth address: the low 48 bits of a number.
    public init(address: UInt64) {
        manufacturerIdentifier = address & 0xFF_FFFF | Self.addressMark &<< 24
        organizationIdentifier = UInt24(truncating: address &>> 24)
    }

    /// The Bluetooth address in 48 bits, if the identifier was made of one.
    public var address: UInt64? {
        guard manufacturerIdentifier &>> 24 == Self.addressMark else { return nil }
        return UInt64(organizationIdentifier.value) &<< 24 | manufacturerIdentifier & 0xFF_FFFF
    }

    private static var addressMark: UInt64 { 0xFFFE }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        manufacturerIdentifier = try reader.uint40("manufacturerIdentifier")
        organizationIdentifier = try reader.uint24("organizationIdentifier")
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint40("manufacturerIdentifier", manufacturerIdentifier)
        writer.uint24("organizationIdentifier", organizationIdentifier)
    }
}

extension ByteReader {
    /// Five bytes, the lowest first.
    fileprivate mutating func uint40(_ name: FieldName) throws(PacketError) -> UInt64 {
        try integer(name, width: 5)
    }
}

extension ByteWriter {
    /// Five bytes, the lowest first.
    fileprivate mutating func uint40(_ name: FieldName, _ value: UInt64) {
        put(value, width: 5)
    }
}
