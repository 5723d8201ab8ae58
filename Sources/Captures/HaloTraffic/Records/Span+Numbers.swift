/// Numbers at offsets that the caller has checked.
extension Span<UInt8> {
    func uint16(at offset: Int, _ order: ByteOrder) -> UInt16 { number(at: offset, order) }
    func uint32(at offset: Int, _ order: ByteOrder) -> UInt32 { number(at: offset, order) }
    func uint64(at offset: Int, _ order: ByteOrder) -> UInt64 { number(at: offset, order) }

    @inline(__always) private func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, _ order: ByteOrder
    ) -> Number {
        let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)
        return order == .big ? word.bigEndian : word.littleEndian
    }

    /// The length of 32 bits at an offset, which must be within the bytes.
    ///
    /// On a 32-bit machine it is limited to `Int.max`, which exceeds every valid length.
    func length(at offset: Int, _ order: ByteOrder) -> Int {
        Int(clamping: uint32(at: offset, order))
    }

    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset >= 0, offset <= self.count - count else { return false }
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: count).span
        for index in 0..<count where self[offset + index] != wanted[index] { return false }
        return true
    }
}

/// Little-endian numbers at checked offsets: `nil` for a negative offset, or for a number that
/// extends beyond the bytes.
extension Span<UInt8> {
    @inline(__always) func byte(at offset: Int) -> UInt8? {
        reaches(1, from: offset) ? self[offset] : nil
    }

    @inline(__always) func littleEndian16(at offset: Int) -> UInt16? {
        reaches(2, from: offset) ? uint16(at: offset, .little) : nil
    }

    func littleEndian32(at offset: Int) -> UInt32? {
        reaches(4, from: offset) ? uint32(at: offset, .little) : nil
    }

    /// The number of six bytes at an offset: the address of a device.
    func littleEndian48(at offset: Int) -> UInt64? {
        guard reaches(6, from: offset) else { return nil }
        return UInt64(uint16(at: offset &+ 4, .little)) << 32
            | UInt64(uint32(at: offset, .little))
    }

    @inline(__always) private func reaches(_ length: Int, from offset: Int) -> Bool {
        offset >= 0 && offset <= count &- length
    }
}
