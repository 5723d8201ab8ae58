/// Four one-byte fields in one word, little endian.
///
/// A processor stores a word in the time of a byte, so a packet of many small fields is created
/// and moved faster.
@frozen
@usableFromInline
struct FourBytes: Hashable, Sendable {
    @usableFromInline var word: UInt32

    @inlinable @inline(__always)
    init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        word = UInt32(first) | UInt32(second) &<< 8 | UInt32(third) &<< 16 | UInt32(fourth) &<< 24
    }

    /// One of the four fields, by its index from 0 to 3.
    @inlinable @inline(__always)
    subscript(index: UInt32) -> UInt8 {
        get { UInt8(truncatingIfNeeded: word &>> (index &* 8)) }
        set { word = word & ~(0xFF &<< (index &* 8)) | UInt32(newValue) &<< (index &* 8) }
    }
}
