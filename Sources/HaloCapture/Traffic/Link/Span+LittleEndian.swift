/// Numbers on the wire, whose lowest byte comes first.
///
/// There is none where the bytes do not reach so far, or the offset is negative.
extension Span<UInt8> {
    /// The byte there.
    @inline(__always) func byte(at offset: Int) -> UInt8? {
        guard indices.contains(offset) else { return nil }
        return self[offset]
    }

    /// The number of two bytes that begins there.
    @inline(__always) func littleEndian16(at offset: Int) -> UInt16? {
        guard let high = byte(at: offset &+ 1), let low = byte(at: offset) else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    /// The number of four bytes that begins there.
    func littleEndian32(at offset: Int) -> UInt32? {
        guard let high = littleEndian16(at: offset &+ 2), let low = littleEndian16(at: offset)
        else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// The number of six bytes that begins there: the address of a device.
    func littleEndian48(at offset: Int) -> UInt64? {
        guard let high = littleEndian16(at: offset &+ 4), let low = littleEndian32(at: offset)
        else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }
}
