/// Up to sixteen bytes, held without an allocation.
///
/// Packets use it for runs of samples, short texts, and for the bytes nobody can name yet.
@frozen
public struct InlineBytes: Hashable, Sendable {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64

    /// How many bytes there are.
    public let count: Int

    /// The most bytes that fit.
    @inlinable public static var capacity: Int { 16 }

    /// No bytes at all.
    @inlinable @inline(__always)
    public init() {
        low = 0
        high = 0
        count = 0
    }

    /// Bytes 0–7 in `low`, 8–15 in `high`, the first lowest; what lies beyond `count` is dropped.
    @inlinable @inline(__always)
    init(low: UInt64, high: UInt64, count: Int) {
        let bits = UInt64(truncatingIfNeeded: count &* 8)
        self.low = count >= 8 ? low : low & ~(UInt64.max << bits)
        self.high = count <= 8 ? 0 : high & ~(UInt64.max << (bits &- 64))
        self.count = count
    }

    /// The same, of words that hold nothing beyond `count`.
    @inlinable @inline(__always)
    init(exactly low: UInt64, _ high: UInt64, count: Int) {
        self.low = low
        self.high = high
        self.count = count
    }

    /// The first sixteen of the given bytes; the rest, if there is one, is left out.
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

    /// The given bytes; a sequence of more than `limit` is refused.
    public init(_ bytes: some Sequence<UInt8>, limit: Int) throws(ValueError) {
        let copy = ContiguousArray(bytes)
        let most = Swift.max(Swift.min(limit, Self.capacity), 0)
        guard copy.count <= most else {
            throw ValueError("length", allowed: 0...Int64(most), found: Int64(copy.count))
        }
        self.init(prefix: copy)
    }

    /// The same bytes without the zeros at their end.
    @inlinable @inline(__always)
    public var trimmingZeros: InlineBytes {
        let bits =
            high != 0 ? 128 &- high.leadingZeroBitCount : 64 &- low.leadingZeroBitCount
        return InlineBytes(exactly: low, high, count: (bits &+ 7) &>> 3)
    }
}

extension InlineBytes: RandomAccessCollection {
    /// The position of the first byte.
    @inlinable public var startIndex: Int { 0 }
    /// The position behind the last byte.
    @inlinable public var endIndex: Int { count }

    /// The byte at `position`; 0 beyond the end.
    @inlinable
    public subscript(position: Int) -> UInt8 {
        let word = position & 8 == 0 ? low : high
        guard position >= 0, position < Self.capacity else { return 0 }
        return UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: (position & 7) &* 8))
    }
}

extension InlineBytes: ExpressibleByArrayLiteral {
    /// The bytes of a literal, which has at most sixteen.
    public init(arrayLiteral elements: UInt8...) {
        self.init(prefix: elements)
    }
}

extension InlineBytes {
    /// Puts the bytes into an array from `start` on, as far as it reaches.
    @inlinable @inline(__always)
    func copy(into array: inout [UInt8], at start: Int) {
        guard start >= 0, count >= 8, count <= array.count &- start else {
            copyEach(into: &array, at: start)
            return
        }
        // Two words that overlap are as many bytes as there are.
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
