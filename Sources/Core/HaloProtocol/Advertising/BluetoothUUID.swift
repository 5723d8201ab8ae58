/// The UUID of a service or a characteristic.
///
/// UUIDs of the Bluetooth SIG have a short form of 16 or 32 bits: 2A37 equals
/// 00002A37-0000-1000-8000-00805F9B34FB.
@frozen
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes of the text, big endian.
    public let high: UInt64
    /// The last eight bytes of the text, big endian.
    public let low: UInt64

    private static var baseHigh: UInt64 { 0x0000_0000_0000_1000 }
    private static var baseLow: UInt64 { 0x8000_0080_5F9B_34FB }

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a UUID from a short form of 16 or 32 bits.
    public init(_ short: UInt32) {
        high = UInt64(short) << 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// The short form of 32 bits, or `nil` if it is not one of the Bluetooth SIG's.
    package var short32: UInt32? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt32(truncatingIfNeeded: high >> 32)
    }

    /// The short form of 16 bits, or `nil` if there is none.
    public var short16: UInt16? { short32.flatMap { UInt16(exactly: $0) } }

    /// Creates a UUID from text in either case: `2A37`, `0000180D`, or 32 digits in five groups
    /// with hyphens between.
    public init(parsing text: some StringProtocol) throws(TextError) {
        let characters = Array(text.utf8)
        guard [4, 8, 36].contains(characters.count) else {
            throw TextError("UUID", expected: "4, 8 or 36 characters", at: characters.count)
        }
        let isLong = characters.count == 36
        var (high, low): (UInt64, UInt64) = (0, 0)
        for (offset, character) in characters.enumerated() {
            if isLong, [8, 13, 18, 23].contains(offset) {
                guard character == UInt8(ascii: "-") else {
                    throw TextError("UUID", expected: "a hyphen", at: offset)
                }
                continue
            }
            guard let digit = HexText.value(ofDigit: character) else {
                throw TextError("UUID", expected: "a hexadecimal digit", at: offset)
            }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        if isLong {
            self.init(high: high, low: low)
        } else {
            self.init(UInt32(truncatingIfNeeded: low))
        }
    }

    /// The short form in four or eight digits, else 32 digits in five groups.
    public var description: String {
        if let short16 { return Self.text(UInt64(short16), bytes: 2) }
        if let short32 { return Self.text(UInt64(short32), bytes: 4) }
        return Self.text(high >> 32, bytes: 4) + "-" + Self.text(high >> 16, bytes: 2) + "-"
            + Self.text(high, bytes: 2) + "-" + Self.text(low >> 48, bytes: 2) + "-"
            + Self.text(low, bytes: 6)
    }

    private static func text(_ value: UInt64, bytes count: Int) -> String {
        HexText.bytes(
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) })
    }

    fileprivate func bytes(isBigEndian: Bool) -> InlineBytes {
        isBigEndian
            ? InlineBytes(low: high.byteSwapped, high: low.byteSwapped, count: 16)
            : InlineBytes(low: low, high: high, count: 16)
    }
}

extension ByteIO where Self: ~Escapable {
    /// A UUID of 16 bits, little endian.
    mutating func shortUUID(
        _ name: FieldName, _ value: UInt16?, _ secrecy: FieldSecrecy
    ) throws(PacketError) -> UInt16 {
        let short = try uint16(name, value, secrecy)
        means { BluetoothUUID(UInt32(short)).description }
        return short
    }

    /// A UUID of 32 bits, little endian.
    mutating func mediumUUID(
        _ name: FieldName, _ value: UInt32?, _ secrecy: FieldSecrecy
    ) throws(PacketError) -> UInt32 {
        let short = try uint32(name, value, secrecy)
        means { BluetoothUUID(short).description }
        return short
    }

    /// A UUID of 128 bits, little endian by default.
    mutating func longUUID(
        _ name: FieldName, _ value: BluetoothUUID?, _ secrecy: FieldSecrecy,
        isBigEndian: Bool = false
    ) throws(PacketError) -> BluetoothUUID {
        let bytes = try inlineBytes(
            name, value.map { $0.bytes(isBigEndian: isBigEndian) }, secrecy, count: 16)
        let uuid =
            isBigEndian
            ? BluetoothUUID(high: bytes.low.byteSwapped, low: bytes.high.byteSwapped)
            : BluetoothUUID(high: bytes.high, low: bytes.low)
        means { uuid.description }
        return uuid
    }
}
