/// Writes a packet's fields in order. Names are not written, and no call throws.
@usableFromInline package protocol FieldWriter: FieldIO {
    /// Appends the low `width` bytes (1 to 8) of a number, little endian.
    mutating func put(_ value: UInt64, width: Int)
}

extension FieldWriter {
    @inlinable @inline(__always)
    package static var isWatching: Bool { false }

    @inlinable @inline(__always)
    package var remaining: Int { 0 }

    @inlinable @inline(__always)
    package func upcoming(_ value: UInt8?) -> UInt8 { value ?? 0 }

    @inlinable @inline(__always)
    package mutating func integer(
        _ name: FieldName, _ value: UInt64?, width: Int, isBigEndian: Bool, role: FieldRole,
        secrecy: FieldSecrecy, unit: FieldUnit
    ) throws(PacketError) -> UInt64 {
        let value = value ?? 0
        let shift = UInt64(truncatingIfNeeded: 64 &- width &* 8)
        put(isBigEndian ? value.byteSwapped &>> shift : value, width: width)
        return value
    }

    @inlinable @inline(__always)
    package mutating func inlineBytes(
        _ name: FieldName, _ value: InlineBytes?, count: Int, role: FieldRole,
        secrecy: FieldSecrecy, unit: FieldUnit
    ) throws(PacketError) -> InlineBytes {
        let bytes = value ?? InlineBytes()
        if count > 0 { put(bytes.low, width: min(count, 8)) }
        if count > 8 { put(bytes.high, width: min(count &- 8, 8)) }
        return bytes
    }

    @inlinable @inline(__always)
    package mutating func means(_ meaning: () -> String) {}

    @inlinable @inline(__always)
    package mutating func enter(_ name: FieldName, _ index: Int) {}

    @inlinable @inline(__always)
    package mutating func leave() {}
}
