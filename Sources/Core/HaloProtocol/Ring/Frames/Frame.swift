/// The 16-byte frame of the ring's UART service.
///
///     opcode | 14 bytes of payload, padded with zeros | sum of the first fifteen, modulo 256
///
/// A frame is stored in two words. Its initialisers check or compute the checksum, so every value
/// of this type is a valid frame.
@frozen
public struct Frame: Hashable, Sendable, CustomStringConvertible {
    /// Bytes 0–7, the first one lowest.
    @usableFromInline let low: UInt64
    /// Bytes 8–15, the first one lowest.
    @usableFromInline let high: UInt64

    /// The length of a frame in bytes.
    @inlinable public static var length: Int { 16 }
    /// The number of bytes between opcode and checksum.
    @inlinable public static var payloadLength: Int { 14 }

    /// Decodes a frame of sixteen bytes, the last of which is the sum of the others.
    @inlinable @inline(__always)
    public init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count == Frame.length else {
            try FrameError.throwLength(expected: Frame.length, found: bytes.count)
        }
        try self.init(
            low: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self),
            high: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    public init(decoding bytes: some Sequence<UInt8>) throws(FrameError) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count = 0
        for byte in bytes {
            let shift = UInt64(truncatingIfNeeded: (count & 7) &* 8)
            if count < 8 {
                low |= UInt64(byte) &<< shift
            } else if count < Frame.length {
                high |= UInt64(byte) &<< shift
            }
            count &+= 1
        }
        guard count == Frame.length else {
            try FrameError.throwLength(expected: Frame.length, found: count)
        }
        try self.init(low: low.littleEndian, high: high.littleEndian)
    }

    @inlinable @inline(__always)
    init(low: UInt64, high: UInt64) throws(FrameError) {
        self.low = low.littleEndian
        self.high = high.littleEndian
        let expected = Frame.sum(self.low, self.high)
        guard checksum == expected else {
            try FrameError.throwChecksum(
                at: Frame.length &- 1, expected: Int(expected), found: Int(checksum))
        }
    }

    /// Creates a frame from fifteen bytes in two words; the byte of the checksum is replaced.
    @inlinable @inline(__always)
    init(summing low: UInt64, _ high: UInt64) {
        self.low = low
        let sum = UInt64(Frame.sum(low, high))
        self.high = high & 0x00FF_FFFF_FFFF_FFFF | sum &<< 56
    }

    /// Creates a frame from an opcode and up to fourteen bytes, which are padded with zeros.
    public init(opcode: UInt8, payload: InlineBytes = InlineBytes()) throws(ValueError) {
        try ValueError.check("payload", payload.count, in: 0...Int64(Frame.payloadLength))
        var writer = FrameWriter(opcode: opcode)
        _ = try? writer.inlineBytes("payload", payload, .unknown, count: Frame.payloadLength)
        self = writer.frame
    }

    /// The opcode of the frame's command.
    @inlinable @inline(__always)
    public var opcode: UInt8 { UInt8(truncatingIfNeeded: low) }

    /// The last byte, the sum of the others.
    @inlinable @inline(__always)
    public var checksum: UInt8 { UInt8(truncatingIfNeeded: high &>> 56) }

    /// The fourteen bytes between opcode and checksum.
    @inlinable
    public var payload: InlineBytes {
        InlineBytes(
            low: low &>> 8 | high &<< 56, high: high &>> 8, count: Frame.payloadLength)
    }

    /// The sixteen bytes.
    @inlinable
    public var bytes: InlineBytes { InlineBytes(low: low, high: high, count: Frame.length) }

    /// The byte at an offset from the start of the frame; 0 beyond the last.
    @inlinable @inline(__always)
    public subscript(offset: Int) -> UInt8 { bytes[offset] }

    /// Returns the sum of bytes 0–14, modulo 256: eight lanes of sixteen bits are added, then their
    /// sums.
    @inlinable @inline(__always)
    static func sum(_ low: UInt64, _ high: UInt64) -> UInt8 {
        let lanes: UInt64 = 0x00FF_00FF_00FF_00FF
        let rest = high & 0x00FF_FFFF_FFFF_FFFF
        let sums =
            (low & lanes) &+ (low &>> 8 & lanes) &+ (rest & lanes) &+ (rest &>> 8 & lanes)
        return UInt8(truncatingIfNeeded: (sums &* 0x0001_0001_0001_0001) &>> 48)
    }

    /// The sixteen bytes in hexadecimal.
    public var description: String { HexText.bytes(bytes, separator: " ") }
}
