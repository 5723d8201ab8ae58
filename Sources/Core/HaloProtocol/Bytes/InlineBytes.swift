/// Up to sixteen bytes without an allocation.
///
/// Packets use it for samples, short texts, and bytes of unknown meaning.
@frozen
public struct InlineBytes: Hashable, Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64

    public let count: Int

    /// The largest number of bytes.
    @inlinable public static var capacity: Int { 16 }

    @inlinable @inline(__always)
    public init() {
        low = 0
        high = 0
        count = 0
    }

    /// Creates `count` bytes: 0–7 from `low`, 8–15 from `high`, little endian; the others are
    /// dropped.
    @inlinable @inline(__always)
    init(low: UInt64, high: UInt64, count: Int) {
        let bits = UInt64(truncatingIfNeeded: count &* 8)
        self.low = count >= 8 ? low : low & ~(UInt64.max << bits)
        self.high = count <= 8 ? 0 : high & ~(UInt64.max << (bits &- 64))
        self.count = count
    }

    /// Creates `count` bytes from words that are zero beyond them.
    @inlinable @inline(__always)
    init(exactly low: UInt64, _ high: UInt64, count: Int) {
        self.low = low
        self.high = high
        self.count = count
    }

    /// Creates a copy of the first sixteen of the given bytes.
    @inlinable
    public init(prefix bytes: some Sequence<UInt8>) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count = 0
        for byte in bytes {
            if count == Self.capacity { break }
            let shift = UInt64(truncatingIfNeeded: (count & 7) &* 8)
            if count < 8 {
                low |= UInt64(byte) &<< shift
            } else {
                high |= UInt64(byte) &<< shift
            }
            count &+= 1
        }
        self.low = low
        self.high = high
        self.count = count
    }

    /// Creates a copy of the given bytes; throws for more than `limit` or sixteen.
    public init(_ bytes: some Sequence<UInt8>, limit: Int) throws(ValueError) {
        let copy = ContiguousArray(bytes)
        let most = Swift.max(Swift.min(limit, Self.capacity), 0)
        try ValueError.check("length", copy.count, in: 0...Int64(most))
        self.init(prefix: copy)
    }

    /// The bytes without trailing zeros.
    @inlinable @inline(__always)
    package var trimmingZeros: InlineBytes {
        let bits =
            high != 0 ? 128 &- high.leadingZeroBitCount : 64 &- low.leadingZeroBitCount
        return InlineBytes(exactly: low, high, count: (bits &+ 7) &>> 3)
    }

    /// The position of the first byte.
    @inlinable public var startIndex: Int { 0 }
    /// The position after the last byte.
    @inlinable public var endIndex: Int { count }

    /// The byte at `position`, or 0 beyond the end.
    @inlinable
    public subscript(position: Int) -> UInt8 {
        let word = position & 8 == 0 ? low : high
        guard position >= 0, position < Self.capacity else { return 0 }
        return UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: (position & 7) &* 8))
    }

    /// Creates a copy of the first sixteen bytes of a literal.
    public init(arrayLiteral elements: UInt8...) {
        self.init(prefix: elements)
    }

    /// Copies the bytes into an array, from index `start` to at most the end of the array.
    @inlinable @inline(__always)
    func copy(into array: inout [UInt8], at start: Int) {
        guard start >= 0, count >= 8, count <= array.count &- start else {
            copyEach(into: &array, at: start)
            return
        }
        // Two words that overlap cover 8 to 16 bytes.
        let shift = (count &- 8) &* 8
        let last = low >> shift | high << (64 &- shift)
        unsafe array.withUnsafeMutableBytes { target in
            unsafe target.storeBytes(of: low.littleEndian, toByteOffset: start, as: UInt64.self)
            unsafe target.storeBytes(
                of: last.littleEndian, toByteOffset: start &+ count &- 8, as: UInt64.self)
        }
    }

    @usableFromInline @inline(never)
    func copyEach(into array: inout [UInt8], at start: Int) {
        guard start >= 0, start < array.count else { return }
        for index in 0..<Swift.min(count, array.count - start) {
            array[start + index] = self[index]
        }
    }
}

extension InlineBytes: CustomStringConvertible {
    /// The bytes in hexadecimal, in brackets: `[03 40]`.
    public var description: String { "[\(HexText.bytes(self, separator: " "))]" }
}

extension Sequence<UInt8> {
    /// Calls `body` with the contiguous storage of the bytes, or with a copy.
    @inlinable @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ unsafe body($0.span) }) { return result }
        let copy = ContiguousArray(self)
        return body(copy.span)
    }
}

extension Array<UInt8> {
    @inlinable @inline(__always)
    init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    @inlinable @inline(__always)
    func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { bytes throws(Failure) in try unsafe body(bytes.span) }
    }
}

extension Sequence where Element == UInt8 {
    func hasPrefix(_ prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { unsafe starts(with: $0) }
    }
}
