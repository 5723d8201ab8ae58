/// The value of the PnP ID characteristic, 2A50: vendor, product and version of a device.
///
///     ← source | vendor, 2 bytes LE | product, 2 bytes LE | version, 2 bytes LE
///
///     source: 1 the vendor has a Bluetooth company number, 2 a USB vendor number
///     version: decimal digits 0xJJMN, read JJ.M.N
public struct PnPID: BytePacket {
    public static var name: PacketName { PacketName("PnPID") }

    public var source: Reported<Source>
    public var vendor: UInt16
    /// The number of the product; each vendor assigns its own.
    public var product: UInt16
    public var version: Version

    public init(source: Source, vendor: UInt16, product: UInt16, version: Version) {
        self.source = Reported(source)
        self.vendor = vendor
        self.product = product
        self.version = version
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        source = try io.reported("source", packet?.source, .open)
        vendor = try io.uint16("vendor", packet?.vendor, .open)
        product = try io.uint16("product", packet?.product, .open)
        let version = Version(rawValue: try io.uint16("version", packet?.version.rawValue, .open))
        io.means { version.description }
        self.version = version
    }

    /// The organisations that assign numbers to vendors.
    public enum Source: UInt8, FieldCode {
        /// The Bluetooth SIG: the number is a company identifier.
        case bluetooth = 1
        /// The USB Implementer's Forum: the number is a USB vendor.
        case usb = 2

        public static let labels = FieldLabels<Source>([
            .bluetooth: "Bluetooth SIG", .usb: "USB Implementer's Forum",
        ])
    }

    /// A version of two, one and one decimal digits; invalid ones are kept.
    public struct Version: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The digits on the wire, 0xJJMN.
        public var rawValue: UInt16

        /// Creates a version from its digits, decimal or not.
        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Creates a version from its numbers: up to 99, 9 and 9.
        public init(major: UInt8, minor: UInt8, patch: UInt8) throws(ValueError) {
            try ValueError.check("major", major, in: 0...99)
            try ValueError.check("minor", minor, in: 0...9)
            try ValueError.check("patch", patch, in: 0...9)
            let high = UInt16(BinaryCodedDecimal.byte(Int(major)))
            rawValue = high << 8 | UInt16(minor) << 4 | UInt16(patch)
        }

        /// The three numbers, or `nil` if the digits are not decimal.
        public var numbers: (major: Int, minor: Int, patch: Int)? {
            let low = UInt8(truncatingIfNeeded: rawValue)
            let high = UInt8(truncatingIfNeeded: rawValue >> 8)
            guard let major = BinaryCodedDecimal.number(high),
                BinaryCodedDecimal.number(low) != nil
            else { return nil }
            return (major, Int(low >> 4), Int(low & 0x0F))
        }

        /// The version as `2.1.3`, or the bytes of an invalid one.
        public var description: String {
            if let numbers { return "\(numbers.major).\(numbers.minor).\(numbers.patch)" }
            return HexText.bytes(
                [UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)])
        }
    }
}
