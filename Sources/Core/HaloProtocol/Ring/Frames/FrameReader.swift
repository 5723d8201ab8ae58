/// Reads the payload of a 16-byte frame, from its two words.
@frozen
@usableFromInline package struct FrameReader<Sink: FieldSink>: FieldReader, FrameIO {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    @usableFromInline package var sink: Sink

    @usableFromInline var position: Int

    /// The offset of the next field in the frame; the payload begins at 1.
    @inlinable @inline(__always)
    package var offset: Int { position }

    /// The number of bytes left before the checksum.
    @inlinable @inline(__always)
    package var remaining: Int { Frame.payloadLength &+ 1 &- position }

    /// Creates a reader that begins after the opcode.
    @inlinable @inline(__always)
    package init(_ frame: Frame, sink: Sink) {
        low = frame.low
        high = frame.high
        self.sink = sink
        position = 1
    }

    @inlinable @inline(__always)
    package mutating func next(_ width: Int) -> UInt64 {
        let shift = UInt64(truncatingIfNeeded: (position & 7) &* 8)
        let value =
            position >= 8
            ? high &>> shift
            : low &>> shift | (high &<< 1) &<< (63 &- shift)
        position &+= width
        return value & UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- width &* 8)
    }

    @inlinable @inline(__always)
    package func upcoming(_ value: UInt8?) -> UInt8 {
        guard remaining > 0 else { return 0 }
        return InlineBytes(exactly: low, high, count: Frame.length)[position]
    }

    @inlinable @inline(__always)
    package var upcomingBytes: UInt64 {
        var reader = self
        let count = min(remaining, 8)
        return count > 0 ? reader.next(count) : 0
    }

    @inlinable @inline(__always)
    package mutating func unclaimed(_ value: InlineBytes?) throws(PacketError) -> InlineBytes {
        guard !Sink.isWatching else {
            guard remaining > 0 else { return InlineBytes() }
            return try inlineBytes(
                "unclaimed", nil, count: remaining, role: .unclaimed, secrecy: .unknown,
                unit: .none
            ).trimmingZeros
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
