/// CRC-16/MODBUS, the checksum of big-data frames: polynomial 0x8005 reflected, initial value 0xFFFF.
///
/// The check value of the nine characters "123456789" is 0x4B37.
@frozen
public struct CRC16: Hashable, Sendable {
    /// The remainder after the bytes so far; 0xFFFF when there were none.
    public internal(set) var value: UInt16

    /// Starts with no bytes.
    public init() {
        value = 0xFFFF
    }

    /// The checksum of the given bytes.
    public static func checksum(of bytes: Span<UInt8>) -> UInt16 {
        var crc = CRC16()
        crc.update(bytes)
        return crc.value
    }

    /// Takes one more byte in.
    public mutating func update(_ byte: UInt8) {
        var remainder = value ^ UInt16(byte)
        for _ in 0..<8 {
            remainder = (remainder &>> 1) ^ (remainder & 1 == 0 ? 0 : 0xA001)
        }
        value = remainder
    }

    /// Takes more bytes in.
    public mutating func update(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            update(bytes[index])
        }
    }
}

extension CRC16 {
    /// The checksum of the given bytes.
    static func checksum(of bytes: [UInt8]) -> UInt16 {
        unsafe bytes.withUnsafeBufferPointer { unsafe checksum(of: $0.span) }
    }
}
