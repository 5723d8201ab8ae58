/// Writes the payload of a 16-byte frame, into two words.
///
/// Bytes beyond the payload are dropped, but every layout fits.
@frozen
@usableFromInline package struct FrameWriter: FieldWriter, FrameIO, Sendable {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64
    @usableFromInline var position: Int

    /// Creates a writer that begins after the opcode.
    @inlinable @inline(__always)
    package init(opcode: UInt8) {
        low = UInt64(opcode)
        high = 0
        position = 1
    }

    @inlinable @inline(__always)
    package mutating func put(_ value: UInt64, width: Int) {
        let value = value & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- width &* 8)
        let shift = UInt64(truncatingIfNeeded: (position & 7) &* 8)
        if position >= 8 {
            high |= position < Frame.length ? value &<< shift : 0
        } else {
            low |= value &<< shift
            high |= (value &>> 1) &>> (63 &- shift)
        }
        position &+= width
    }

    @inlinable @inline(__always)
    package var offset: Int { position }

    @inlinable @inline(__always)
    package var upcomingBytes: UInt64 { 0 }

    @inlinable @inline(__always)
    package mutating func unclaimed(_ value: InlineBytes?) throws(PacketError) -> InlineBytes {
        let bytes = value ?? InlineBytes()
        let count = min(bytes.count, max(Frame.payloadLength &+ 1 &- position, 0))
        return try inlineBytes(
            "unclaimed", bytes, count: count, role: .unclaimed, secrecy: .unknown,
            unit: .none)
    }

    @inlinable @inline(__always)
    package var frame: Frame { Frame(summing: low, high) }
}
