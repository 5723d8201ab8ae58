/// Reads the payload of a 16-byte frame, from its two words.
@frozen
public struct FrameReader<Sink: FieldSink>: FieldReader {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// Who watches.
    public var sink: Sink

    @usableFromInline var position: Int

    /// Where in the frame the next field begins; the payload begins at 1.
    @inlinable @inline(__always)
    public var offset: Int { position }

    /// How many bytes are left before the checksum.
    @inlinable @inline(__always)
    public var remaining: Int { Frame.payloadLength &+ 1 &- position }

    /// Starts behind the opcode.
    @inlinable @inline(__always)
    public init(_ frame: Frame, sink: Sink) {
        low = frame.low
        high = frame.high
        self.sink = sink
        position = 1
    }

    /// The next `width` bytes (1 to 8, and no more than remain), the first one lowest.
    @inlinable @inline(__always)
    public mutating func take(_ width: Int) -> UInt64 {
        let shift = UInt64(truncatingIfNeeded: (position & 7) &* 8)
        let value =
            position >= 8
            ? high &>> shift
            : low &>> shift | (high &<< 1) &<< (63 &- shift)
        position &+= width
        return value & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- width &* 8)
    }

    /// The byte that comes next and stays unread, where it decides what the next field is; 0 at
    /// the end.
    @inlinable @inline(__always)
    public var upcoming: UInt8 {
        guard remaining > 0 else { return 0 }
        let shift = UInt64(truncatingIfNeeded: (position & 7) &* 8)
        return UInt8(truncatingIfNeeded: (position >= 8 ? high : low) &>> shift)
    }

    /// All bytes that are left, when nobody knows what they mean: without the zeros at their end,
    /// which are the frame's padding.
    @inlinable @inline(__always)
    public mutating func unclaimed() throws(PacketError) -> InlineBytes {
        guard !Sink.isWatching else {
            guard remaining > 0 else { return InlineBytes() }
            return try inlineBytes("unclaimed", count: remaining, role: .unclaimed).trimmingZeros
        }
        let shift = UInt64(truncatingIfNeeded: (position & 7) &* 8)
        let rest = high & 0x00FF_FFFF_FFFF_FFFF
        let isLong = position < 8
        position = max(position, Frame.payloadLength &+ 1)
        return InlineBytes(
            exactly: isLong ? low &>> shift | (rest &<< 1) &<< (63 &- shift) : rest &>> shift,
            isLong ? rest &>> shift : 0, count: 0
        ).trimmingZeros
    }
}
