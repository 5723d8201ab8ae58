/// Writes the payload of a 16-byte frame, into two words.
///
/// A layout that does not fit does not exist; what is written beyond the payload is dropped.
@frozen
public struct FrameWriter: FieldWriter, Sendable {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64
    @usableFromInline var position: Int

    /// Starts behind the opcode.
    @inlinable @inline(__always)
    public init(opcode: UInt8) {
        low = UInt64(opcode)
        high = 0
        position = 1
    }

    /// How many bytes are left before the checksum.
    @inlinable @inline(__always)
    public var remaining: Int { Frame.payloadLength &+ 1 &- position }

    /// Appends the low `width` bytes (1 to 8) of a number, the lowest first.
    @inlinable @inline(__always)
    public mutating func put(_ value: UInt64, width: Int) {
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

    /// Appends bytes whose meaning nobody knows; zeros follow.
    @inlinable @inline(__always)
    public mutating func unclaimed(_ bytes: InlineBytes) {
        inlineBytes("unclaimed", bytes, count: min(bytes.count, max(remaining, 0)))
    }

    /// The frame with its checksum.
    @inlinable @inline(__always)
    public var frame: Frame { Frame(summing: low, high) }
}
